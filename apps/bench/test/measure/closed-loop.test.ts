import { describe, expect, test } from 'vitest'
import { type Outcome, runClosedLoop, runClosedLoopBeside } from '../../src/measure/closed-loop.ts'
import { recordLatencies } from '../../src/measure/latencies.ts'
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
    expect([...result.latenciesMs]).toEqual(Array(10).fill(1))
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
    expect(result.latenciesMs).toHaveLength(12)
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

describe('latencies', () => {
  test('are all kept, the shortest first', () => {
    const latencies = recordLatencies()
    const count = 200_000
    for (let ms = count; ms > 0; ms--) latencies.add(ms)
    const sorted = latencies.sorted()
    expect(sorted).toHaveLength(count)
    expect([sorted[0], sorted[count - 1]]).toEqual([1, count])
  })
})

describe('a sample', () => {
  const result = { failed: 2, answeredInAll: 30, firstFailure: undefined, accepted: 10, refused: 4 }

  test('says what happened in a second, in bids', () => {
    const latenciesMs = Float64Array.of(1, 2, 3, 4)
    expect(sampleOf({ ...result, latenciesMs }, 2, 100)).toEqual({
      acceptedPerSecond: 500,
      refusedPerSecond: 200,
      failedPerSecond: 100,
      p50Ms: 2,
      p99Ms: 4,
    })
  })

  test('has no latencies when nothing was answered', () => {
    expect(sampleOf({ ...result, latenciesMs: new Float64Array() }, 2)).not.toHaveProperty('p50Ms')
  })
})
