import { setImmediate as nextTurn } from 'node:timers/promises'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type BatcherParts, createBatcher } from '../src/batching.ts'
import type { CallSignal } from '../src/store.ts'
import { isStoreUnavailable, StoreUnavailableError } from '../src/store-unavailable.ts'

/** What a batcher is given: after how many turns, when its caller leaves, and whether a call with it fails. */
type Item = {
  readonly index: number
  readonly weight: number
  readonly addedAt: number
  readonly leavesAt: number
  readonly fault: 'none' | 'refused' | 'unavailable'
}

type Call = {
  readonly items: readonly Item[]
  /** Whether each of its callers had left when it began, and what its signal said of all of them then and at its end. */
  readonly left: readonly boolean[]
  readonly signals: (readonly [said: boolean, haveAllLeft: boolean])[]
  /** How many calls that somebody waits for were under way when it began, with it. */
  readonly underWay: number
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

/** Gives a batcher all items at their turns, whose calls take some turns each, and looks what becomes of them. */
async function simulate(items: readonly Item[], parts: Parts, turns: readonly number[]) {
  const calls: Call[] = []
  const signals = items.map(() => ({ aborted: false }))
  const hasLeft = ({ index }: Item) => signals[index]?.aborted === true
  const underWay = new Set<CallSignal>()

  async function run(group: readonly Item[], signal: CallSignal): Promise<readonly string[]> {
    underWay.add(signal)
    const waitedFor = [...underWay].filter(({ aborted }) => !aborted).length
    const turnsLeft = turns[calls.length % turns.length] ?? 0
    const fault = group.find((each) => each.fault !== 'none')?.fault
    const states = () => [signal.aborted, group.every(hasLeft)] as const
    const call = {
      items: group,
      left: group.map(hasLeft),
      signals: [states()],
      underWay: waitedFor,
      isFailed: fault !== undefined,
    }
    calls.push(call)
    for (let turn = 0; turn < turnsLeft; turn++) await nextTurn()
    call.signals.push(states())
    underWay.delete(signal)
    if (fault === 'unavailable') throw new StoreUnavailableError('the store is away')
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
  test('gives each its own value, in calls that are not too many, not too heavy and in the order of what was added', async () => {
    await fc.assert(
      fc.asyncProperty(itemsOf(['none']), partsOf, durations, async (items, parts, turns) => {
        const { calls, outcomes } = await simulate(items, parts, turns)
        const reached = new Set(indexesOf(calls))
        for (const { index } of items) {
          if (reached.has(index)) expect(outcomes[index]).toBe(`value ${index}`)
          else expect(isStoreUnavailable(outcomes[index])).toBe(true)
        }
        for (const { items: group, underWay } of calls) {
          expect(group.length).toBeGreaterThan(0)
          expect(group.length === 1 || weightOf(group) <= parts.maxWeight).toBe(true)
          expect(underWay).toBeLessThanOrEqual(parts.maxCalls)
        }
        expect(indexesOf(calls)).toEqual([...reached].toSorted((a, b) => a - b))
      }),
    )
  })

  test('asks for nobody who has left when the turn comes, and says so', async () => {
    await fc.assert(
      fc.asyncProperty(itemsOf(['none']), partsOf, durations, async (items, parts, turns) => {
        const { calls, outcomes } = await simulate(items, parts, turns)
        expect(calls.filter(({ left }) => left.includes(true))).toEqual([])
        const reached = new Set(indexesOf(calls))
        for (const { index, leavesAt, addedAt } of items) {
          if (leavesAt <= addedAt) expect(reached.has(index)).toBe(false)
          if (leavesAt === Number.POSITIVE_INFINITY) expect(reached.has(index)).toBe(true)
          if (!reached.has(index)) expect(isStoreUnavailable(outcomes[index])).toBe(true)
        }
      }),
    )
  })

  test('says to a call that nobody waits for it where all of its callers have left, and nowhere else', async () => {
    await fc.assert(
      fc.asyncProperty(itemsOf(['none']), partsOf, durations, async (items, parts, turns) => {
        const { calls } = await simulate(items, parts, turns)
        for (const { signals } of calls) for (const [said, haveAllLeft] of signals) expect(said).toBe(haveAllLeft)
      }),
    )
  })

  test('says so to a half of a call where those of the other have left, too', async () => {
    await fc.assert(
      fc.asyncProperty(itemsOf(['none', 'refused']), partsOf, durations, async (items, parts, turns) => {
        const { calls } = await simulate(items, { ...parts, isHalved: true }, turns)
        for (const { signals } of calls) {
          for (const [said, haveAllLeft] of signals) expect(said && !haveAllLeft).toBe(false)
        }
      }),
    )
  })

  test('lets others go in the place of a call that nobody waits for any more, though it never ends', async () => {
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

  test('makes a call that is refused again in halves, until what it is refused for is alone', async () => {
    await fc.assert(
      fc.asyncProperty(itemsOf(['none', 'none', 'refused']), partsOf, durations, async (items, parts, turns) => {
        const { calls, outcomes } = await simulate(items, { ...parts, isHalved: true }, turns)
        const reached = new Set(indexesOf(calls))
        for (const { index, fault } of items.filter((item) => reached.has(item.index))) {
          const own = fault === 'none' ? `value ${index}` : new Error('one of them is refused')
          expect(outcomes[index]).toEqual(own)
        }
        expect(calls.every(({ underWay }) => underWay <= parts.maxCalls)).toBe(true)
        // Of n that wait together with one fault among them, about 2 log n calls are made, and no more than 2n - 1.
        expect(calls.length).toBeLessThanOrEqual(2 * items.length)
      }),
    )
  })

  test('fails a call as a whole, and makes it once, where the store can’t be asked or halves are not asked for', async () => {
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

  test('asks at once for what finds room, and for what gathers meanwhile as soon as there is room again', async () => {
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

  test('fails a call that returns too few values or too many', async () => {
    for (const values of [[], [1, 2]]) {
      const batcher = createBatcher<number, number>({ run: async () => values, maxCalls: 1, maxWeight: 9 })
      await expect(batcher.add(1)).rejects.toThrow(`${values.length} results for 1 calls`)
      await expect(batcher.add(1)).rejects.toThrow(TypeError)
    }
  })

  test('goes on after a call that throws before it returns a promise', async () => {
    let isFirst = true
    const batcher = createBatcher<number, number>({
      run(items) {
        if (!isFirst) return Promise.resolve(items)
        isFirst = false
        throw new RangeError('at once')
      },
      maxCalls: 1,
      maxWeight: 1,
    })
    await expect(batcher.add(1)).rejects.toThrow('at once')
    expect(await batcher.add(2)).toBe(2)
  })

  test('starts when what arrives together has arrived, where it is told how to wait for that', async () => {
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
    // What is left waits for the next start, and so does what arrives until then.
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
