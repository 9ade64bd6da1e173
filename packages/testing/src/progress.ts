import { type TestRunner, warn } from './runner.ts'

/** A store that takes longer to open is slow. */
const slowMs = 1_000
const everyMs = 30_000

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`

/**
 * Warns of a store that is slow to open, and reports how far a suite is that takes long.
 * @returns a runner that counts the tests, and a way to make subjects that measures it
 */
export function createProgress(runner: TestRunner, nowMs: () => number = Date.now) {
  let [tests, begun, openingMs] = [0, 0, 0]
  let startMs: number | undefined
  let reportedMs = 0

  function report(tookMs: number): void {
    begun += 1
    openingMs += tookMs
    if (begun === 1 && tookMs >= slowMs) {
      const advice = 'Without reuseSubjects of @auction/testing/reused-subjects, each opens one.'
      warn(runner, `Opening a store took ${seconds(tookMs)}, and the suite has ${tests} tests. ${advice}`)
    }
    const ms = nowMs()
    if (ms - reportedMs < everyMs) return
    reportedMs = ms
    const opening = `opening stores took ${seconds(openingMs)} of it`
    warn(runner, `${begun} of ${tests} tests of the suite have begun in ${seconds(ms - (startMs ?? ms))}; ${opening}.`)
  }

  return {
    counting: {
      ...runner,
      test(name: string, body: () => Promise<void>) {
        tests += 1
        return runner.test(name, body)
      },
    },
    measured:
      <Subject>(makeSubject: () => Promise<Subject>) =>
      async (): Promise<Subject> => {
        const beforeMs = nowMs()
        if (startMs === undefined) [startMs, reportedMs] = [beforeMs, beforeMs]
        const subject = await makeSubject()
        report(nowMs() - beforeMs)
        return subject
      },
  }
}
