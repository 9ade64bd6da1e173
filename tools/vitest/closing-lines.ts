import type { Reporter, TestModule } from 'vitest/node'
import { type Need, needs, requiredBy } from './needs.ts'

/** Ends the run with the tests that did not run and with one line of counts, for people and programs. */
export default class ClosingLines implements Reporter {
  onTestRunEnd(testModules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0, pending: 0 }
    for (const testModule of testModules) {
      counts.failed += testModule.errors().length
      for (const test of testModule.children.allTests()) counts[test.result().state] += 1
    }
    // The cast: these are the keys.
    const notices = (Object.keys(needs) as Need[]).map((need) => noticeOf(need, testModules))
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

type Notice = { readonly text: string; readonly isFailure: boolean }

/** The notice that tests with a need did not run, if some were skipped. */
function noticeOf(need: Need, testModules: readonly TestModule[]): Notice {
  // Of the one project that has a global set-up; the unit tests run without.
  const provision = testModules.map(({ project }) => project.getProvidedContext()[need]).find(Boolean)
  const skipped = testModules.flatMap((testModule) => {
    const tests = [...testModule.children.allTests('skipped')]
    const count = tests.filter(({ fullName }) => fullName.includes(`(on ${needs[need].name})`)).length
    return count > 0 ? [`  ${testModule.relativeModuleId}: ${count} skipped`] : []
  })
  if (provision === undefined || !('notRun' in provision) || skipped.length === 0) return { text: '', isFailure: false }
  return { text: noticeText(need, skipped, provision), isFailure: provision.isRequired }
}

const rule = '='.repeat(100)

function noticeText(
  need: Need,
  skipped: readonly string[],
  { notRun, isRequired }: { readonly notRun: string; readonly isRequired: boolean },
): string {
  const { name, toRun } = needs[need]
  const required = `${requiredBy(need)}=1`
  return `
${rule}
NOT RUN: the tests that need ${name}${isRequired ? `, which fails this run because of ${required}` : ''}.
${skipped.join('\n')}
Why:         ${notRun}
To run them: ${toRun}${isRequired ? '' : `\n${required} makes the run fail without them.`}
${rule}
`
}
