import { describe, expect, test } from 'vitest'
import { afterBusy, afterConflict, afterStored, afterWaiting, type Contention } from '../../src/ledger/contention.ts'

const pace = { handoverMs: 5, turnMs: 100 }

describe('a lane that meets another process', () => {
  test('retries immediately, then pauses before later tries, and longer if a try takes longer', () => {
    let contention: Contention | undefined
    const after = (tookMs: number) => {
      contention = afterConflict(contention, tookMs, 1_000, pace)
      return contention.phase === 'waiting' ? contention.untilMs : contention.phase
    }
    expect([1, 1, 1].map(after)).toEqual(['trying', 'trying', 'trying'])
    expect(contention).toEqual({ phase: 'trying', conflicts: 3, unusedTurns: 0 })
    const pausesMs = [1, 1, 20, 20, 200, 200].map((tookMs) => Number(after(tookMs)) - 1_000)
    for (const [index, usualMs] of [5, 5, 40, 40, 100, 100].entries()) {
      expect(pausesMs[index]).toBeGreaterThanOrEqual(usualMs / 2)
      expect(pausesMs[index]).toBeLessThanOrEqual(Math.min(1.5 * usualMs, pace.turnMs))
    }
    // No two pauses in a row are equal.
    expect(new Set(pausesMs.slice(0, 4)).size).toBe(4)
    expect(contention).toMatchObject({ phase: 'waiting', conflicts: 9, unusedTurns: 0 })
  })

  test('pauses after ten turns without a pause, and stops pausing if no other process used it', () => {
    expect(afterBusy(999, 5_000, pace)).toBeUndefined()
    const pause = afterBusy(1_000, 5_000, pace)
    expect(pause).toEqual({ phase: 'waiting', untilMs: 5_020, conflicts: 0, unusedTurns: 1 })
    expect(pause && afterWaiting(pause, false)).toBeUndefined()
    expect(pause && afterWaiting(pause, true)).toEqual({ phase: 'trying', conflicts: 0, unusedTurns: 0 })
  })

  test('stores for one turn, then leaves the same time to others, plus their time to take over', () => {
    const first = afterStored({ phase: 'trying', conflicts: 2, unusedTurns: 0 }, 1_000, pace)
    expect(first).toEqual({ phase: 'storing', sinceMs: 1_000, unusedTurns: 0 })
    expect(afterStored(first, 1_099, pace)).toEqual(first)
    const last = { ...first, unusedTurns: 1 }
    expect(afterStored(last, 1_100, pace)).toEqual({
      phase: 'waiting',
      untilMs: 1_205,
      conflicts: 0,
      unusedTurns: 1,
    })
  })

  test.each([
    ['', 40, 1_090],
    [', not longer than the shortest, if turns are long here', 400, 1_150],
  ])('leaves a turn to a process that begins one%s', (_, turnMs, untilMs) => {
    const storing = { phase: 'storing', sinceMs: 1_000, unusedTurns: 1 } as const
    expect(afterConflict(storing, 4, 1_050, { ...pace, turnMs })).toEqual({
      phase: 'waiting',
      untilMs,
      conflicts: 0,
      unusedTurns: 0,
    })
  })

  test('ends its turn when the clock is set back', () => {
    const storing = { phase: 'storing', sinceMs: 1_000, unusedTurns: 0 } as const
    expect(afterStored(storing, 900, pace).phase).toBe('waiting')
  })

  test('stops taking turns after two unused ones in a row', () => {
    const waiting = { phase: 'waiting', untilMs: 1_000, conflicts: 0, unusedTurns: 0 } as const
    const trying = { phase: 'trying', conflicts: 0 } as const
    expect(afterWaiting(waiting, false)).toEqual({ ...trying, unusedTurns: 1 })
    expect(afterWaiting({ ...waiting, unusedTurns: 1 }, true)).toEqual({ ...trying, unusedTurns: 0 })
    expect(afterWaiting({ ...waiting, unusedTurns: 1 }, false)).toBeUndefined()
  })
})
