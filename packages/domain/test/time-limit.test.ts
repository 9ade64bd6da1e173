import { describe, expect, test, vi } from 'vitest'
import type { CallSignal } from '../src/store/store.ts'
import { createTimeLimit, withinTime } from '../src/time-limit.ts'
import { createSteppedClock, everythingSettled } from './support/clocks.ts'
import { openTime } from './support/service.ts'

/** A limit of a second, its running timers, and the times at which each waiter expired. */
function createWatchedLimit() {
  const clock = createSteppedClock(openTime)
  const startMs = clock.nowMs()
  let timers = 0
  const limit = createTimeLimit(
    {
      after(ms, callback) {
        timers += 1
        return clock.after(ms, () => {
          timers -= 1
          callback()
        })
      },
    },
    1_000,
  )
  const wait = () => {
    const lateMs: number[] = []
    const waiter = { onLate: () => void lateMs.push(clock.nowMs() - startMs) }
    limit.start(waiter)
    return { waiter, lateMs }
  }
  return { clock, limit, wait, timers: () => timers }
}

describe('a time limit', () => {
  test('expires in its last tenth, once', async () => {
    const { clock, wait } = createWatchedLimit()
    const { lateMs } = wait()
    await clock.pass(5_000)
    expect(lateMs).toEqual([900])
  })

  test('applies to each waiter separately, and never late', async () => {
    const { clock, wait } = createWatchedLimit()
    const waits = []
    for (let beginMs = 0; beginMs < 2_000; beginMs += 70) {
      waits.push({ beginMs, ...wait() })
      await clock.pass(70)
    }
    await clock.pass(5_000)
    for (const { beginMs, lateMs } of waits) {
      expect(lateMs.length).toBe(1)
      expect(lateMs[0]).toBeGreaterThanOrEqual(beginMs + 800)
      expect(lateMs[0]).toBeLessThanOrEqual(beginMs + 1_000)
    }
  })

  test.each([
    { ended: [0], left: [1, 2, 3] },
    { ended: [3], left: [0, 1, 2] },
    { ended: [1, 1], left: [0, 2, 3] },
    { ended: [2, 0, 3], left: [1] },
  ])('keeps the waiters $left of four after the others ended', async ({ ended, left }) => {
    const { clock, limit, wait } = createWatchedLimit()
    const waits = [wait(), wait(), wait(), wait()]
    for (const index of ended) limit.end((waits[index] as (typeof waits)[0]).waiter)
    await clock.pass(5_000)
    expect(waits.map(({ lateMs }) => lateMs.length)).toEqual(waits.map((_, index) => (left.includes(index) ? 1 : 0)))
  })

  test('does not notify a waiter that ends while another is notified', async () => {
    const { clock, limit } = createWatchedLimit()
    const onLate = vi.fn()
    const second = { onLate }
    limit.start({ onLate: () => limit.end(second) })
    limit.start(second)
    await clock.pass(5_000)
    expect(onLate).not.toHaveBeenCalled()
  })

  test('gives its full time to a waiter that starts when others expire', async () => {
    const { clock, limit, timers } = createWatchedLimit()
    const lateMs: number[] = []
    const startMs = clock.nowMs()
    const startAgain = () => {
      lateMs.push(clock.nowMs() - startMs)
      limit.start({ onLate: startAgain })
    }
    limit.start({ onLate: startAgain })
    limit.start({ onLate: () => undefined })
    await clock.pass(4_000)
    expect([lateMs, timers()]).toEqual([[900, 1_800, 2_700, 3_600], 1])
  })

  test('does not notify a settled waiter, and leaves no timer without waiters', async () => {
    const { clock, limit, wait, timers } = createWatchedLimit()
    const { waiter, lateMs } = wait()
    limit.end(waiter)
    await clock.pass(5_000)
    expect([lateMs, timers()]).toEqual([[], 0])
    const again = wait()
    expect(timers()).toBe(1)
    await clock.pass(5_000)
    expect([again.lateMs.length, timers()]).toEqual([1, 0])
  })
})

describe('work within a time limit', () => {
  const late = () => new Error('late')

  const no = () => {
    throw new Error('no')
  }
  test.each<{ readonly title: string; readonly work: () => Promise<string>; readonly outcome: string }>([
    { title: 'resolves', work: async () => 'done', outcome: 'done' },
    { title: 'rejects', work: async () => no(), outcome: 'Error: no' },
    { title: 'throws at once', work: no, outcome: 'Error: no' },
  ])('that $title determines the result and ends the wait', async ({ work, outcome }) => {
    const { clock, limit, timers } = createWatchedLimit()
    expect(await withinTime(limit, work, late).then(String, String)).toBe(outcome)
    await clock.pass(1_000)
    expect(timers()).toBe(0)
  })

  test('receives an aborted signal when its time is over, and its result is ignored', async () => {
    const { clock, limit } = createWatchedLimit()
    const { promise, resolve } = Promise.withResolvers<string>()
    const signals: CallSignal[] = []
    const outcome = withinTime(
      limit,
      (signal) => {
        signals.push(signal)
        return promise
      },
      late,
    ).then(String, String)
    expect(signals.map(({ aborted }) => aborted)).toEqual([false])
    await clock.pass(1_000)
    expect(await outcome).toBe('Error: late')
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
    resolve('done')
    await everythingSettled()
  })

  test('receives an aborted signal when its caller has left', async () => {
    const { limit } = createWatchedLimit()
    const caller = { aborted: false }
    await withinTime(
      limit,
      async (signal) => {
        expect(signal.aborted).toBe(false)
        caller.aborted = true
        expect(signal.aborted).toBe(true)
      },
      late,
      caller,
    )
  })
})
