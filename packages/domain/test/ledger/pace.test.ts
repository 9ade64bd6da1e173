import { describe, expect, test } from 'vitest'
import { createPaceKeeper } from '../../src/ledger/pace.ts'

/** The pace after a thousand reads and appends that took so long, and then some appends that took otherwise. */
function paceAfter(deadlineMs: number, readMs: number, appendMs: number, lastAppendsMs: readonly number[] = []) {
  let nowMs = 0
  const { start, pace } = createPaceKeeper({ nowMs: () => nowMs }, deadlineMs)
  const take = (operation: 'append' | 'findHeads', ms: number): void => {
    const end = start(operation)
    nowMs += ms
    end?.()
  }
  for (let count = 0; count < 1_000; count++) {
    take('findHeads', readMs)
    take('append', appendMs)
  }
  for (const ms of lastAppendsMs) take('append', ms)
  return pace()
}

describe('the pace of a process', () => {
  test('is a read and an append for handing over, and eight times that for a turn', () => {
    expect(paceAfter(10_000, 10, 30)).toEqual({ handoverMs: 40, turnMs: 320 })
  })

  test('has turns of a tenth of a second at least, that leave time for others before the deadline', () => {
    expect(paceAfter(10_000, 0, 1)).toMatchObject({ turnMs: 100 })
    expect(paceAfter(10_000, 400, 800)).toEqual({ handoverMs: 1_000, turnMs: 1_000 })
    expect(paceAfter(200, 1, 1)).toMatchObject({ turnMs: 20 })
  })

  test('is a guess of the fastest store before anything was asked', () => {
    expect(createPaceKeeper({ nowMs: () => 0 }, 10_000).pace()).toEqual({ handoverMs: 2, turnMs: 100 })
  })

  test('counts all that a clock can have measured, from nothing to the longest turn', () => {
    expect(paceAfter(10_000, 0, 0)).toMatchObject({ handoverMs: 1 })
    expect(paceAfter(10_000, 1_000, 0)).toMatchObject({ handoverMs: 1_000 })
  })

  test('is not changed by a clock that was set, and little by one slow answer', () => {
    expect(paceAfter(10_000, 10, 10, [-3_600_000, 3_600_000])).toMatchObject({ handoverMs: 20 })
    expect(paceAfter(10_000, 10, 10, [500])).toMatchObject({ handoverMs: 30 })
  })

  test('knows nothing of other calls', () => {
    expect(createPaceKeeper({ nowMs: () => 0 }, 10_000).start('listAuctions')).toBeUndefined()
  })
})
