import { describe, expect, test } from 'vitest'
import { type Outcome, runClosedLoop, runClosedLoopBeside } from '../../src/measure/closed-loop.ts'
import { createLatencies, msAt, recordMs } from '../../src/measure/latencies.ts'
import { sampleOf } from '../../src/measure/sample.ts'

/** A clock that every operation moves on by a millisecond. */
function tickingClock() {
  let nowMs = 1_000
  return {
    clockMs: () => nowMs,
    tick: () => {
      nowMs += 1
    },
  }
}

describe('a closed loop', () => {
  test('counts what is answered in the seconds that count', async () => {
    const { clockMs, tick } = tickingClock()
    const operation = async () => {
      tick()
      return 'accepted' as const
    }
    const result = await runClosedLoop(operation, { clients: 1, warmupSeconds: 0.005, seconds: 0.01 }, clockMs)
    // Answered at 1 to 15 ms, of which 5 to 14 ms lie in the ten that count.
    expect(result).toMatchObject({ accepted: 10, answeredInAll: 15 })
    expect(result.latencies.count).toBe(10)
    expect(msAt(result.latencies, 99)).toBeCloseTo(1, 2)
  })

  test('counts each outcome, and keeps a latency of each that did not fail', async () => {
    const { clockMs, tick } = tickingClock()
    const outcomes: readonly (Outcome | Error)[] = [
      'accepted',
      'refused',
      'refused',
      new Error('one'),
      new Error('two'),
    ]
    let operations = 0
    const operation = async () => {
      tick()
      const outcome = outcomes[operations++ % outcomes.length] ?? 'accepted'
      if (outcome instanceof Error) throw outcome
      return outcome
    }
    const result = await runClosedLoop(operation, { clients: 1, warmupSeconds: 0.001, seconds: 0.02 }, clockMs)
    expect(result).toMatchObject({ accepted: 4, refused: 8, failed: 8, firstFailure: new Error('one') })
    expect(result.latencies.count).toBe(12)
  })

  test('has each client send its next operation when its last one is answered', async () => {
    const { clockMs, tick } = tickingClock()
    const underWay = new Map<number, number>()
    let most = 0
    const operation = async (client: number) => {
      tick()
      underWay.set(client, (underWay.get(client) ?? 0) + 1)
      most = Math.max(most, ...underWay.values())
      await Promise.resolve()
      underWay.set(client, (underWay.get(client) ?? 0) - 1)
      return 'accepted' as const
    }
    await runClosedLoop(operation, { clients: 3, warmupSeconds: 0, seconds: 0.03 }, clockMs)
    expect([...underWay.keys()]).toEqual([0, 1, 2])
    expect(most).toBe(1)
  })
})

describe('a closed loop beside some other work', () => {
  test('counts what is answered while that goes on', async () => {
    const { clockMs, tick } = tickingClock()
    let endWork = () => {}
    let endsAtMs = Number.POSITIVE_INFINITY
    const work = () =>
      new Promise<void>((resolve) => {
        endWork = resolve
        endsAtMs = clockMs() + 10
      })
    const operation = async () => {
      tick()
      if (clockMs() === endsAtMs) endWork()
      await new Promise(setImmediate)
      return 'accepted' as const
    }
    const result = await runClosedLoopBeside(work, operation, { clients: 1, warmupSeconds: 0 }, clockMs)
    // What was under way when it began is answered first, and what was under way when it ended is not counted.
    expect(result).toMatchObject({ tookMs: 10, accepted: 10 })
    expect(result.answeredInAll).toBeGreaterThan(10)
  })

  test('ends when that fails', async () => {
    const operation = async () => {
      await new Promise(setImmediate)
      return 'accepted' as const
    }
    const failing = () => Promise.reject(new Error('the work failed'))
    await expect(runClosedLoopBeside(failing, operation, { clients: 2, warmupSeconds: 0 })).rejects.toThrow(
      'the work failed',
    )
  })
})

/** Latencies of so many milliseconds, each once. */
function latenciesOf(...values: readonly number[]) {
  const latencies = createLatencies()
  for (const ms of values) recordMs(latencies, ms)
  return latencies
}

describe('latencies', () => {
  test.each([
    { percent: 50, found: 50 },
    { percent: 99, found: 99 },
    { percent: 100, found: 100 },
  ])('of 1 to 100 ms have $found ms at $percent percent, to three digits', ({ percent, found }) => {
    const ms = msAt(latenciesOf(...Array.from({ length: 100 }, (_, index) => index + 1)), percent) ?? Number.NaN
    expect(Math.abs(ms / found - 1)).toBeLessThan(0.001)
  })

  test.each([0, 0.000_1, 0.005, 60_000])('may be as short or long as %d ms', (ms) => {
    expect(Math.abs((msAt(latenciesOf(ms), 50) ?? Number.NaN) - ms)).toBeLessThanOrEqual(Math.max(0.000_001, ms / 1000))
  })

  test('have no percentiles while there are none', () => {
    expect(msAt(latenciesOf(), 50)).toBeUndefined()
  })
})

describe('a sample', () => {
  const result = { failed: 2, answeredInAll: 30, firstFailure: undefined, accepted: 10, refused: 4 }

  test('says what happened in a second, in bids', () => {
    expect(sampleOf({ ...result, latencies: latenciesOf(1, 2, 3, 4) }, 2, 100)).toEqual({
      acceptedPerSecond: 500,
      refusedPerSecond: 200,
      failedPerSecond: 100,
      p50Ms: expect.closeTo(2, 2),
      p99Ms: expect.closeTo(4, 2),
    })
  })

  test('has no latencies when nothing was answered', () => {
    expect(sampleOf({ ...result, latencies: latenciesOf() }, 2)).not.toHaveProperty('p50Ms')
  })
})
