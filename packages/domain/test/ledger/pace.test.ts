import { describe, expect, test } from 'vitest'
import { createPaceKeeper } from '../../src/ledger/pace.ts'

/** The pace after a thousand reads and appends of the given durations, and then some appends of other durations. */
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
  test('is one read and one append for a handover, and eight times that for a turn', () => {
    expect(paceAfter(10_000, 10, 30)).toEqual({ handoverMs: 40, turnMs: 320 })
  })

  test('has turns of at least a tenth of a second, which leave time for others before the deadline', () => {
    expect(paceAfter(10_000, 0, 1)).toMatchObject({ turnMs: 100 })
    expect(paceAfter(10_000, 400, 800)).toEqual({ handoverMs: 1_000, turnMs: 1_000 })
    expect(paceAfter(200, 1, 1)).toMatchObject({ turnMs: 20 })
  })

  test('assumes the fastest store before the first call', () => {
    expect(createPaceKeeper({ nowMs: () => 0 }, 10_000).pace()).toEqual({ handoverMs: 2, turnMs: 100 })
  })

  test('counts every duration that a clock can measure, from zero to the longest turn', () => {
    expect(paceAfter(10_000, 0, 0)).toMatchObject({ handoverMs: 1 })
    expect(paceAfter(10_000, 1_000, 0)).toMatchObject({ handoverMs: 1_000 })
  })

  test('ignores changes of the clock, and changes little after one slow answer', () => {
    expect(paceAfter(10_000, 10, 10, [-3_600_000, 3_600_000])).toMatchObject({ handoverMs: 20 })
    expect(paceAfter(10_000, 10, 10, [500])).toMatchObject({ handoverMs: 30 })
  })

  test('ignores other calls', () => {
    expect(createPaceKeeper({ nowMs: () => 0 }, 10_000).start('listAuctions')).toBeUndefined()
  })
})
