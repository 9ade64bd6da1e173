import { describe, expect, test } from 'vitest'
import { createContention, createPace, recordConflict, recordTurn } from '../../src/ledger/contention.ts'

/** What comes after so many batches that were stored without a conflict. */
const turns = (contention: ReturnType<typeof createContention>, batches: number) =>
  Array.from({ length: batches }, () => recordTurn(contention))

describe('a lane that has met a conflict', () => {
  test('makes a pause after some batches, and is calm after two pauses that nobody used', () => {
    const steps = turns(createContention(), 9)
    expect(steps).toEqual(['go-on', 'go-on', 'go-on', 'pause', 'go-on', 'go-on', 'go-on', 'pause', 'calm'])
  })

  test('goes on taking turns as long as others use its pauses', () => {
    const contention = createContention()
    for (let round = 0; round < 20; round++) {
      expect(turns(contention, 4)).toEqual(['go-on', 'go-on', 'go-on', 'pause'])
      recordConflict(contention)
    }
  })
})

describe('the pace of a process', () => {
  test('makes a pause twice as long as a read or an append takes', () => {
    const pace = createPace()
    for (let count = 0; count < 100; count++) pace.record(10)
    expect(pace.pauseMs()).toBe(21)
  })

  test('is not changed by a clock that was set, and has a bound', () => {
    const pace = createPace()
    for (let count = 0; count < 100; count++) pace.record(10)
    pace.record(-3_600_000)
    pace.record(3_600_000)
    expect(pace.pauseMs()).toBe(21)
    for (let count = 0; count < 100; count++) pace.record(2_000)
    expect(pace.pauseMs()).toBe(250)
  })
})
