import type { Reporter, TestModule } from 'vitest/node'
import type { MongodbProvision } from './mongodb-server.ts'

/** Ends the run with what was not run and with one line of plain counts, which people and machines read first. */
export default class ClosingLines implements Reporter {
  onTestRunEnd(testModules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0, pending: 0 }
    for (const testModule of testModules) {
      counts.failed += testModule.errors().length
      for (const test of testModule.children.allTests()) counts[test.result().state] += 1
    }
    const notice = mongodbNotice(testModules)
    if (notice.isFailure) counts.failed += 1
    const notRun = counts.skipped + counts.pending
    process.on('exit', () => {
      if (notice.isFailure) process.exitCode = 1
      process.stdout.write(`${notice.text}\n${counts.passed} passed, ${counts.failed} failed, ${notRun} skipped\n`)
    })
  }
}

type Notice = { readonly text: string; readonly isFailure: boolean }

/** Says loudly, where it is so, that the tests of MongoDB did not run. */
function mongodbNotice(testModules: readonly TestModule[]): Notice {
  const provision: MongodbProvision | undefined = testModules[0]?.project.getProvidedContext().mongodb
  const skipped = testModules.flatMap((testModule) => {
    const count = [...testModule.children.allTests('skipped')].length
    return count > 0 ? [`  ${testModule.relativeModuleId}: ${count} skipped`] : []
  })
  if (provision === undefined || 'uri' in provision || skipped.length === 0) return { text: '', isFailure: false }
  return { text: noticeText(skipped, provision), isFailure: provision.isRequired }
}

const rule = '='.repeat(100)

const noticeText = (skipped: readonly string[], provision: { notRun: string; isRequired: boolean }): string => `
${rule}
NOT RUN: the tests that need MongoDB${provision.isRequired ? ', which fails this run, as REQUIRE_MONGODB=1 asks' : ''}.
${skipped.join('\n')}
Why:         ${provision.notRun}
To run them: start Docker, or set MONGODB_URI=mongodb://host:port/ to any server. Each test makes
             databases of its own there, and drops them.${
               provision.isRequired ? '' : '\nREQUIRE_MONGODB=1 makes it a failure when they do not run.'
             }
${rule}
`
