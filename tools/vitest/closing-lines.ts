import type { Reporter, TestModule } from 'vitest/node'
import type {} from './chromium-program.ts' // These declare what is provided.
import type {} from './mongodb-server.ts'
import type {} from './postgresql-server.ts'
import type {} from './promtool-program.ts'
import type {} from './python-tools.ts'
import type {} from './redis-server.ts'
import type {} from './wrk-program.ts'

/** Ends the run with the tests that did not run and with one line of counts, for people and programs. */
export default class ClosingLines implements Reporter {
  onTestRunEnd(testModules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0, pending: 0 }
    for (const testModule of testModules) {
      counts.failed += testModule.errors().length
      for (const test of testModule.children.allTests()) counts[test.result().state] += 1
    }
    const notices = needs.map((need) => noticeOf(need, testModules))
    const failures = notices.filter(({ isFailure }) => isFailure).length
    counts.failed += failures
    const notRun = counts.skipped + counts.pending
    process.on('exit', () => {
      if (failures > 0) process.exitCode = 1
      const texts = notices.map(({ text }) => text).join('')
      process.stdout.write(`${texts}\n${counts.passed} passed, ${counts.failed} failed, ${notRun} skipped\n`)
    })
  }
}

/** The programs that tests need in addition to Node.js. Their helpers add names to suites, as in "(on Redis)". */
type Need = {
  readonly name: string
  readonly provision: 'mongodb' | 'postgresql' | 'redis' | 'promtool' | 'python' | 'chromium' | 'wrk'
  readonly toRun: string
  readonly required: string
}

const needs: readonly Need[] = [
  {
    name: 'MongoDB',
    provision: 'mongodb',
    toRun: `start Docker, or set MONGODB_URI=mongodb://host:port/ to any server. Each test creates
             separate databases there, and drops them.`,
    required: 'REQUIRE_MONGODB=1',
  },
  {
    name: 'PostgreSQL',
    provision: 'postgresql',
    toRun: `install PostgreSQL 13 or newer, or set POSTGRESQL_URI=postgresql://user:password@host:port/ to a server
             whose user may create databases. Debian's package is postgresql. Each test creates separate
             databases, and drops them.`,
    required: 'REQUIRE_POSTGRESQL=1',
  },
  {
    name: 'Redis',
    provision: 'redis',
    toRun: `install redis-server or valkey-server, or set REDIS_SERVER to the path of one. Each test starts
             a separate server.`,
    required: 'REQUIRE_REDIS=1',
  },
  {
    name: 'promtool',
    provision: 'promtool',
    toRun: "install Prometheus, or set PROMTOOL to the path of its promtool; Debian's package is prometheus.",
    required: 'REQUIRE_PROMTOOL=1',
  },
  {
    name: 'Python',
    provision: 'python',
    toRun: `install Python 3.11 or later with its venv, and let pip reach PyPI. What it installs stays in
             node_modules/.cache.`,
    required: 'REQUIRE_PYTHON=1',
  },
  {
    name: 'Chromium',
    provision: 'chromium',
    toRun: 'install Chromium or Chrome, or set CHROMIUM_PATH to the path of one.',
    required: 'REQUIRE_CHROMIUM=1',
  },
  {
    name: 'wrk',
    provision: 'wrk',
    toRun: "install wrk; Debian's package has the same name.",
    required: 'REQUIRE_WRK=1',
  },
]

type Notice = { readonly text: string; readonly isFailure: boolean }

/** The notice that tests with a need did not run, if some were skipped. */
function noticeOf(need: Need, testModules: readonly TestModule[]): Notice {
  // Of the one project that has a global set-up; the unit tests run without.
  const provision = testModules.map(({ project }) => project.getProvidedContext()[need.provision]).find(Boolean)
  const skipped = testModules.flatMap((testModule) => {
    const tests = [...testModule.children.allTests('skipped')]
    const count = tests.filter(({ fullName }) => fullName.includes(`(on ${need.name})`)).length
    return count > 0 ? [`  ${testModule.relativeModuleId}: ${count} skipped`] : []
  })
  if (provision === undefined || !('notRun' in provision) || skipped.length === 0) return { text: '', isFailure: false }
  return { text: noticeText(need, skipped, provision), isFailure: provision.isRequired }
}

const rule = '='.repeat(100)

const noticeText = (
  { name, toRun, required }: Need,
  skipped: readonly string[],
  { notRun, isRequired }: { readonly notRun: string; readonly isRequired: boolean },
): string => `
${rule}
NOT RUN: the tests that need ${name}${isRequired ? `, which fails this run because of ${required}` : ''}.
${skipped.join('\n')}
Why:         ${notRun}
To run them: ${toRun}${isRequired ? '' : `\n${required} makes the run fail without them.`}
${rule}
`
