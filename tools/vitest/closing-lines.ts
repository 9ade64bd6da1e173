import type { Reporter, TestModule } from 'vitest/node'

/** Ends the run with what was not run and with one line of plain counts, which people and machines read first. */
export default class ClosingLines implements Reporter {
  onTestRunEnd(testModules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0, pending: 0 }
    for (const testModule of testModules) {
      counts.failed += testModule.errors().length
      for (const test of testModule.children.allTests()) counts[test.result().state] += 1
    }
    const notRun = counts.skipped + counts.pending
    process.on('exit', () => {
      process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed, ${notRun} skipped\n`)
    })
  }
}
