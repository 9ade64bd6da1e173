import { type KeepingStore, type ReusableSubject, reuseSubjects } from '@auction/testing/reused-subjects'
import { describe, expect, test } from 'vitest'
import { isLong } from '../../../tools/vitest/size.ts'

/** The tests of the contract in which nothing responds, so that calls wait for a time limit. */
const hanging = /server hangs|keys another session|because another session/

/**
 * Makes the subjects of the contracts. In the short form, tests share a subject, and each that waits for a time limit
 * has a separate one with a short limit.
 */
export function contractSubjects<Kept extends KeepingStore>(
  shortLimitMs: number,
  make: (timeoutMs: number | undefined) => Promise<ReusableSubject<Kept>>,
  waiting = hanging,
) {
  const { makeSubject, close } = reuseSubjects(() => make(undefined), { isReused: !isLong })
  return {
    close,
    makeSubject: () =>
      !isLong && waiting.test(expect.getState().currentTestName ?? '') ? make(shortLimitMs) : makeSubject(),
  }
}

/**
 * Runs every third test of a topic in the short form, and all in the long form: each statement to a server takes time, and
 * the stores in memory and in SQLite run all tests in the short form, too.
 * @param isOmitted tests that the short form omits
 */
export function samplingRunner(isOmitted: (name: string) => boolean = () => false) {
  let tests = 0
  return {
    expect,
    describe: (name: string, body: () => void) =>
      describe(name, () => {
        tests = 0
        body()
      }),
    test(name: string, body: () => Promise<void>) {
      tests += 1
      if (isLong || (tests % 3 === 1 && !isOmitted(name))) test(name, body)
    },
  }
}
