import { spawnSync } from 'node:child_process'
import { delimiter, isAbsolute, join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { missing } from './needs.ts'

/** The programs that tests start: the variable with the path of one, its usual names, and the exit code of `--version`. */
const programs = {
  redis: { variable: 'REDIS_SERVER', names: ['redis-server', 'valkey-server'], code: 0 },
  promtool: { variable: 'PROMTOOL', names: ['promtool'], code: 0 },
  chromium: {
    variable: 'CHROMIUM_PATH',
    // The headless shell needs half of the processor time.
    names: ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
    code: 0,
  },
  wrk: { variable: 'WRK', names: ['wrk'], code: 1 },
  nginx: { variable: 'NGINX', names: ['nginx'], code: 1 },
  haproxy: { variable: 'HAPROXY', names: ['haproxy'], code: 1 },
  envoy: { variable: 'ENVOY', names: ['envoy'], code: 0 },
  // Debian's folder of servers need not be in PATH.
  pgbouncer: { variable: 'PGBOUNCER', names: ['pgbouncer', '/usr/sbin/pgbouncer'], code: 0 },
  mariadb: { variable: 'MARIADBD', names: ['mariadbd', '/usr/sbin/mariadbd'], code: 0 },
  // It runs only with Java.
  maven: { variable: 'MAVEN', names: ['mvn'], code: 0 },
  go: { variable: 'GO', names: ['go'], code: 2 },
} as const

type Program = keyof typeof programs

/** Finds each program once per run. Without one, its tests are skipped and the run reports that at its end, or fails. */
export default function setup(project: TestProject): void {
  // The cast: these are the keys.
  for (const need of Object.keys(programs) as Program[]) {
    const program = findProgram(need)
    project.provide(need, program === undefined ? missing(need, notRun(need)) : { program })
  }
}

/** The path of a program, or undefined if none can be started. */
export function findProgram(need: Program): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const paths = candidatesOf(need).flatMap((name) =>
    isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name)),
  )
  return paths.find((path) => spawnSync(path, ['--version']).status === programs[need].code)
}

function candidatesOf(need: Program): readonly string[] {
  const { variable, names } = programs[need]
  const named = process.env[variable]
  return named === undefined || named === '' ? names : [named]
}

const notRun = (need: Program): string => `${candidatesOf(need).join(' and ')} cannot be started`
