import { setImmediate as nextTurn } from 'node:timers/promises'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type BatcherParts, createBatcher } from '../../src/store/batching.ts'
import { isStoreUnavailable, StoreUnavailableError } from '../../src/store/errors.ts'
import type { CallSignal } from '../../src/store/store.ts'

/**
 * An item of a batcher: the turn at which it is added, the turn at which its caller leaves, and the failure of a call
 * with it.
 */
type Item = {
  readonly index: number
  readonly weight: number
  readonly addedAt: number
  readonly leavesAt: number
  readonly fault: 'none' | 'refused' | 'unavailable'
}

type Call = {
  readonly items: readonly Item[]
  /**
   * Whether each caller had left at the start; the call’s signal and whether all callers had left, at the start and at
   * the end.
   */
  readonly left: readonly boolean[]
  readonly signals: (readonly [isAborted: boolean, haveAllLeft: boolean])[]
  /** The number of calls in flight at its start that have callers, including this one. */
  readonly inFlight: number
  readonly isFailed: boolean
}

const itemsOf = (faults: readonly Item['fault'][]): fc.Arbitrary<readonly Item[]> =>
  fc
    .array(
      fc.record({
        weight: fc.integer({ min: 1, max: 6 }),
        addedAt: fc.integer({ min: 0, max: 6 }),
        leavesAt: fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.integer({ min: 0, max: 12 })),
        fault: fc.constantFrom(...faults),
      }),
      { maxLength: 24 },
    )
    .map((items) => items.toSorted((a, b) => a.addedAt - b.addedAt).map((item, index) => ({ ...item, index })))

const partsOf = fc.record({
  maxCalls: fc.integer({ min: 1, max: 3 }),
  maxWeight: fc.integer({ min: 1, max: 12 }),
  isHalved: fc.boolean(),
})
type Parts = Pick<BatcherParts<Item, string>, 'maxCalls' | 'maxWeight' | 'isHalved'>

const durations = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 8 })

/** Adds all items to a batcher at their turns. Calls take the given turns. Returns the calls and the outcomes. */
async function simulate(items: readonly Item[], parts: Parts, turns: readonly number[]) {
  const calls: Call[] = []
  const signals = items.map(() => ({ aborted: false }))
  const hasLeft = ({ index }: Item) => signals[index]?.aborted === true
  const inFlight = new Set<CallSignal>()

  async function run(group: readonly Item[], signal: CallSignal): Promise<readonly string[]> {
    inFlight.add(signal)
    const waitedFor = [...inFlight].filter(({ aborted }) => !aborted).length
    const turnsLeft = turns[calls.length % turns.length] ?? 0
    const fault = group.find((each) => each.fault !== 'none')?.fault
    const states = () => [signal.aborted, group.every(hasLeft)] as const
    const call = {
      items: group,
      left: group.map(hasLeft),
      signals: [states()],
      inFlight: waitedFor,
      isFailed: fault !== undefined,
    }
    calls.push(call)
    for (let turn = 0; turn < turnsLeft; turn++) await nextTurn()
    call.signals.push(states())
    inFlight.delete(signal)
    if (fault === 'unavailable') throw new StoreUnavailableError('the store is unavailable')
    if (fault === 'refused') throw new Error('one of them is refused')
    return group.map(({ index }) => `value ${index}`)
  }

  const batcher = createBatcher<Item, string>({ ...parts, run, weightOf: ({ weight }) => weight })
  const outcomes: Promise<unknown>[] = []
  for (let now = 0; now <= 12; now++) {
    for (const item of items.filter(({ leavesAt }) => leavesAt === now)) {
      const signal = signals[item.index]
      if (signal !== undefined) signal.aborted = true
    }
    for (const item of items.filter(({ addedAt }) => addedAt === now)) {
      outcomes.push(batcher.add(item, signals[item.index]).catch((error: unknown) => error))
    }
    await nextTurn()
  }
  return { calls, outcomes: await Promise.all(outcomes) }
}

const weightOf = (items: readonly Item[]): number => items.reduce((sum, { weight }) => sum + weight, 0)
const indexesOf = (calls: readonly Call[]): readonly number[] =>
  calls.flatMap(({ items }) => items.map(({ index }) => index))

describe('a batcher', () => {
  test('returns each item its value, in calls within the limits and in the order of arrival, unless its caller has left', async () => {
    await fc.assert(
      fc.asyncProperty(itemsOf(['none']), partsOf, durations, async (items, parts, turns) => {
        const { calls, outcomes } = await simulate(items, parts, turns)
        const reached = new Set(indexesOf(calls))
        for (const { index, leavesAt, addedAt } of items) {
          if (reached.has(index)) expect(outcomes[index]).toBe(`value ${index}`)
          else expect(isStoreUnavailable(outcomes[index])).toBe(true)
          if (leavesAt <= addedAt) expect(reached.has(index)).toBe(false)
          if (leavesAt === Number.POSITIVE_INFINITY) expect(reached.has(index)).toBe(true)
        }
        for (const { items: group, inFlight, left, signals } of calls) {
          expect(left).not.toContain(true)
          for (const [isAborted, haveAllLeft] of signals) expect(isAborted).toBe(haveAllLeft)
          expect(group.length).toBeGreaterThan(0)
          expect(group.length === 1 || weightOf(group) <= parts.maxWeight).toBe(true)
          expect(inFlight).toBeLessThanOrEqual(parts.maxCalls)
        }
        expect(indexesOf(calls)).toEqual([...reached].toSorted((a, b) => a - b))
      }),
    )
  })

  test('starts other calls instead of an abandoned call that never ends', async () => {
    const calls: (readonly number[])[] = []
    const batcher = createBatcher<number, number>({
      maxCalls: 1,
      maxWeight: 9,
      run(items) {
        calls.push(items)
        return items.includes(1) ? new Promise(() => undefined) : Promise.resolve(items)
      },
    })
    const signals = [{ aborted: false }, { aborted: false }]
    for (const signal of [...signals, { aborted: true }]) batcher.add(1, signal).catch(() => undefined)
    const value = batcher.add(2)
    expect(calls).toEqual([[1]])
    for (const signal of signals) signal.aborted = true
    void batcher.add(3)
    expect(calls).toEqual([[1], [2, 3]])
    expect(await value).toBe(2)
  })

  test('splits a refused call in halves, until the refused item is alone', async () => {
    await fc.assert(
      fc.asyncProperty(itemsOf(['none', 'none', 'refused']), partsOf, durations, async (items, parts, turns) => {
        const { calls, outcomes } = await simulate(items, { ...parts, isHalved: true }, turns)
        const reached = new Set(indexesOf(calls))
        for (const { index, fault } of items.filter((item) => reached.has(item.index))) {
          const own = fault === 'none' ? `value ${index}` : new Error('one of them is refused')
          expect(outcomes[index]).toEqual(own)
        }
        expect(calls.every(({ inFlight }) => inFlight <= parts.maxCalls)).toBe(true)
        for (const [isAborted, haveAllLeft] of calls.flatMap(({ signals }) => signals))
          expect(isAborted && !haveAllLeft).toBe(false)
        // For n items with one refused item, about 2 log n calls are made, and at most 2n - 1.
        expect(calls.length).toBeLessThanOrEqual(2 * items.length)
      }),
    )
  })

  test('fails a call as a whole, without a retry, if the store is unavailable or splitting is off', async () => {
    await fc.assert(
      fc.asyncProperty(itemsOf(['none', 'unavailable', 'refused']), partsOf, durations, async (items, parts, turns) => {
        const faults = parts.isHalved ? items.filter(({ fault }) => fault !== 'refused') : items
        const numbered = faults.map((item, index) => ({ ...item, index }))
        const { calls, outcomes } = await simulate(numbered, parts, turns)
        expect(indexesOf(calls).length).toBe(new Set(indexesOf(calls)).size)
        for (const { items: group, isFailed } of calls) {
          for (const { index } of group) expect(outcomes[index] instanceof Error).toBe(isFailed)
          const errors = new Set(group.map(({ index }) => outcomes[index]))
          if (isFailed) expect(errors.size).toBe(1)
        }
      }),
    )
  })

  test('starts a call immediately if there is capacity, and starts waiting items as soon as capacity is free', async () => {
    const calls: (readonly number[])[] = []
    const ends: (() => void)[] = []
    const batcher = createBatcher<number, number>({
      maxCalls: 2,
      maxWeight: 3,
      async run(items) {
        calls.push(items)
        await new Promise<void>((resolve) => ends.push(resolve))
        return items
      },
    })
    const values = [1, 2, 3, 4, 5, 6].map((item) => batcher.add(item))
    expect(calls).toEqual([[1], [2]])
    ends[1]?.()
    await nextTurn()
    expect(calls).toEqual([[1], [2], [3, 4, 5]])
    ends[0]?.()
    await nextTurn()
    expect(calls).toEqual([[1], [2], [3, 4, 5], [6]])
    ends[2]?.()
    ends[3]?.()
    expect(await Promise.all(values)).toEqual([1, 2, 3, 4, 5, 6])
    void batcher.add(7)
    expect(calls.at(-1)).toEqual([7])
  })

  test('continues after a call that throws at once, or that returns too few or too many values', async () => {
    const returned: (readonly number[])[] = [[], [1, 2], [7]]
    const batcher = createBatcher<number, number>({
      run() {
        const values = returned.shift()
        if (values === undefined) throw new RangeError('at once')
        return Promise.resolve(values)
      },
      ...{ maxCalls: 1, maxWeight: 9 },
    })
    await expect(batcher.add(1)).rejects.toThrow(new TypeError('a batch returned 0 values for 1 items'))
    await expect(batcher.add(1)).rejects.toThrow(new TypeError('a batch returned 2 values for 1 items'))
    expect(await batcher.add(1)).toBe(7)
    await expect(batcher.add(1)).rejects.toThrow('at once')
    await expect(batcher.add(1)).rejects.toThrow('at once')
  })

  test('starts calls when `defer` says, with all items that have arrived', async () => {
    const calls: (readonly number[])[] = []
    const starts: (() => void)[] = []
    const batcher = createBatcher<number, number>({
      maxCalls: 1,
      maxWeight: 3,
      defer: (start) => starts.push(start),
      async run(items) {
        calls.push(items)
        return items
      },
    })
    const values = [1, 2, 3, 4].map((item) => batcher.add(item))
    expect([calls, starts.length]).toEqual([[], 1])
    starts[0]?.()
    expect(calls).toEqual([[1, 2, 3]])
    await nextTurn()
    // The remaining items wait for the next start, and so do those that arrive until then.
    values.push(batcher.add(5))
    expect([calls.length, starts.length]).toEqual([1, 2])
    starts[1]?.()
    expect(calls).toEqual([
      [1, 2, 3],
      [4, 5],
    ])
    expect(await Promise.all(values)).toEqual([1, 2, 3, 4, 5])
  })
})
