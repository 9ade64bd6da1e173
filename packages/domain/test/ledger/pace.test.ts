import { describe, expect, test } from 'vitest'
import type { Clock } from '../../src/clock.ts'
import { createPaceKeeper } from '../../src/ledger/pace.ts'
import { createPlainStore } from '../support/plain-store.ts'

/** The pace after a thousand reads and appends that took so long, and then some appends that took otherwise. */
async function paceAfter(deadlineMs: number, readMs: number, appendMs: number, lastAppendsMs: readonly number[] = []) {
  let nowMs = 0
  let nextAppendMs = appendMs
  const clock: Clock = { nowMs: () => nowMs, after: () => () => undefined }
  const taking = async <Value>(ms: () => number, value: Value): Promise<Value> => {
    await undefined
    nowMs += ms()
    return value
  }
  const slow = {
    ...createPlainStore(),
    findHeads: () => taking(() => readMs, []),
    append: () => taking(() => nextAppendMs, { stored: 0 }),
  }
  const { store, pace } = createPaceKeeper(slow, clock, deadlineMs)
  for (let count = 0; count < 1_000; count++) {
    await store.findHeads([])
    await store.append([])
  }
  for (const ms of lastAppendsMs) {
    nextAppendMs = ms
    await store.append([])
  }
  return pace()
}

describe('the pace of a process', () => {
  test('is a read and an append for handing over, and eight times that for a turn', async () => {
    expect(await paceAfter(10_000, 10, 30)).toEqual({ handoverMs: 40, turnMs: 320 })
  })

  test('has turns of a tenth of a second at least, that leave time for others before the deadline', async () => {
    expect(await paceAfter(10_000, 0, 1)).toMatchObject({ turnMs: 100 })
    expect(await paceAfter(10_000, 400, 800)).toEqual({ handoverMs: 1_000, turnMs: 1_000 })
    expect(await paceAfter(200, 1, 1)).toMatchObject({ turnMs: 20 })
  })

  test('is a guess of the fastest store before anything was asked', () => {
    const clock: Clock = { nowMs: () => 0, after: () => () => undefined }
    expect(createPaceKeeper(createPlainStore(), clock, 10_000).pace()).toEqual({ handoverMs: 2, turnMs: 100 })
  })

  test('counts all that a clock can have measured, from nothing to the longest turn', async () => {
    expect(await paceAfter(10_000, 0, 0)).toMatchObject({ handoverMs: 1 })
    expect(await paceAfter(10_000, 1_000, 0)).toMatchObject({ handoverMs: 1_000 })
  })

  test('is not changed by a clock that was set, and little by one slow answer', async () => {
    expect(await paceAfter(10_000, 10, 10, [-3_600_000, 3_600_000])).toMatchObject({ handoverMs: 20 })
    expect(await paceAfter(10_000, 10, 10, [500])).toMatchObject({ handoverMs: 30 })
  })
})
