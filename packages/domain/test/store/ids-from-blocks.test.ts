import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createIdsFromBlocks, createScatteredIds, type IdSource } from '../../src/store/ids-from-blocks.ts'
import type { Store } from '../../src/store/store.ts'

type BlockStore = Pick<Store, 'claimNextIdBlock'>
type CountingStore = BlockStore & {
  readonly claimed: ReadonlySet<number>
  readonly calls: () => number
}

/** Claims in memory. Each claim first waits for `before`, which may also throw. */
function blocksInMemory(before: () => Promise<unknown> = async () => undefined): CountingStore {
  const claimed = new Set<number>()
  let calls = 0
  return {
    claimed,
    calls: () => calls,
    async claimNextIdBlock() {
      calls += 1
      await before()
      const block = claimed.size + 1
      claimed.add(block)
      return block
    },
  }
}

const idsFrom = (store: BlockStore, idsPerBlock: number) => createIdsFromBlocks<number>(store, 'entries', idsPerBlock)

const take = async (ids: IdSource<number>, count: number): Promise<number[]> => {
  const taken: number[] = []
  while (taken.length < count) taken.push(await ids.next())
  return taken
}

const takeAtOnce = (ids: IdSource<number>, count: number): Promise<readonly number[]> =>
  Promise.all(range(1, count).map(() => ids.next()))

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index)

function expectIds(ids: readonly number[], count: number): void {
  expect(ids.length).toBe(count)
  expect(ids.filter((id) => !Number.isSafeInteger(id) || id < 1)).toEqual([])
  expect(new Set(ids).size).toBe(count)
}

describe('ids from blocks', () => {
  test('count from 1, from block to block', async () => {
    expect(await take(idsFrom(blocksInMemory(), 7), 30)).toStrictEqual(range(1, 30))
  })

  test('are returned without a promise while the block has ids left', async () => {
    const ids = idsFrom(blocksInMemory(), 10)
    const first = ids.next()
    expect(first).toBeInstanceOf(Promise)
    await first
    expect([ids.next(), ids.next(), ids.next()]).toStrictEqual([2, 3, 4])
  })

  test('cost one claim for all concurrent callers', async () => {
    const store = blocksInMemory()
    const ids = idsFrom(store, 100)
    expect(await takeAtOnce(ids, 50)).toStrictEqual(range(1, 50))
    expect(store.calls()).toBe(2)
  })

  test('do not wait for the next block, which is claimed when half of one is used', async () => {
    const gate = Promise.withResolvers<void>()
    let isFirst = true
    const store = blocksInMemory(() => (isFirst ? Promise.resolve() : gate.promise))
    const ids = idsFrom(store, 10)
    await ids.next()
    isFirst = false
    expect(await take(ids, 3)).toStrictEqual([2, 3, 4])
    expect(store.calls()).toBe(1)
    expect(await take(ids, 6)).toStrictEqual([5, 6, 7, 8, 9, 10])
    expect(store.calls()).toBe(2)
    const waiting = ids.next()
    gate.resolve()
    expect(await waiting).toBe(11)
  })

  test('survive a failed claim: the remaining ids are assigned, then waiting callers receive the error', async () => {
    let isDown = false
    const store = blocksInMemory(async () => {
      if (isDown) throw new Error('down')
    })
    const ids = idsFrom(store, 4)
    expect(await ids.next()).toBe(1)
    isDown = true
    expect(await take(ids, 3)).toStrictEqual([2, 3, 4])
    await expect(ids.next()).rejects.toThrow('down')
    await expect(Promise.all([ids.next(), ids.next()])).rejects.toThrow('down')
    isDown = false
    expect(await take(ids, 8)).toStrictEqual(range(5, 12))
  })

  test('end before 2^53', async () => {
    const last: BlockStore = { claimNextIdBlock: async () => Number.MAX_SAFE_INTEGER }
    expect(await idsFrom(last, 1).next()).toBe(Number.MAX_SAFE_INTEGER)
    await expect(idsFrom(last, 2).next()).rejects.toThrow(RangeError)
  })

  test('are never assigned twice, however the steps of many sources interleave and fail', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.integer({ min: 1, max: 6 }),
        fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 5 }),
        fc.infiniteStream(fc.boolean()),
        async (scheduler, idsPerBlock, counts, failures) => {
          const store = blocksInMemory(async () => {
            await scheduler.schedule(Promise.resolve())
            if (failures.next().value) throw new Error('down')
          })
          const asked = counts.flatMap((count) => {
            const ids = idsFrom(store, idsPerBlock)
            return Array.from({ length: count }, () => nextUntilItWorks(ids))
          })
          await scheduler.waitFor(Promise.all(asked))
          const taken = await Promise.all(asked)
          expect(new Set(taken).size).toBe(taken.length)
          expect(taken.every((id) => store.claimed.has(Math.ceil(id / idsPerBlock)))).toBe(true)
        },
      ),
    )
  })
})

async function nextUntilItWorks(ids: IdSource<number>): Promise<number> {
  for (;;) {
    try {
      return await ids.next()
    } catch {}
  }
}

describe('a pair of ids', () => {
  test('is consecutive, and no other caller receives either id', async () => {
    const store = blocksInMemory()
    const sources = [idsFrom(store, 10), idsFrom(store, 10)]
    const taken: number[] = []
    for (let round = 0; round < 60; round++) {
      for (const ids of sources) {
        const isPair = (round * 7) % 3 !== 0
        const id = isPair ? await ids.nextPair() : await ids.next()
        taken.push(...(isPair ? [id, id + 1] : [id]))
      }
    }
    expectIds(taken, taken.length)
  })

  test('is from one block: a remainder that is too short is assigned to no caller', async () => {
    const ids = idsFrom(blocksInMemory(), 4)
    expect(await take(ids, 3)).toEqual([1, 2, 3])
    expect(await ids.nextPair()).toBe(5)
    expect(await ids.next()).toBe(7)
    expect(await ids.nextPair()).toBe(9)
    expect(await ids.nextPair()).toBe(11)
    expect(await ids.nextPair()).toBe(13)
  })

  test('is returned without a promise if a block has both, like single ids', async () => {
    const ids = idsFrom(blocksInMemory(), 4)
    await ids.next()
    expect(ids.nextPair()).toBe(2)
    expect(ids.nextPair()).toBeInstanceOf(Promise)
  })

  test('is refused with blocks of one id', async () => {
    await expect(async () => idsFrom(blocksInMemory(), 1).nextPair()).rejects.toThrow(
      'a block of 1 ids cannot contain a pair of ids',
    )
  })
})

describe('scattered ids', () => {
  const idsOfBlocks = (store: BlockStore, idsPerBlock: number, draw = (below: number) => below >> 1) =>
    createScatteredIds<number>(store, 'entries', idsPerBlock, draw)

  test('are those of whole blocks, each once, and not in order', async () => {
    const next = idsOfBlocks(blocksInMemory(), 50)
    const taken: number[] = []
    for (let count = 0; count < 150; count++) taken.push(await next())
    const first = taken.slice(0, 50)
    const inOrder = first.toSorted((one, other) => one - other)
    expect(inOrder).toEqual(Array.from({ length: 50 }, (_, index) => index + 1))
    expect(first).not.toEqual(inOrder)
    expect(new Set(taken).size).toBe(150)
  })

  test('are different for callers at once, and in processes', async () => {
    const store = blocksInMemory()
    const sources = [idsOfBlocks(store, 10), idsOfBlocks(store, 10)]
    const taken = await Promise.all(sources.flatMap((next) => Array.from({ length: 25 }, async () => next())))
    expect(new Set(taken).size).toBe(50)
    expect(store.calls()).toBe(6)
  })

  test('come again after a claim that failed', async () => {
    let isDown = true
    const next = idsOfBlocks(
      blocksInMemory(async () => {
        if (isDown) throw new Error('down')
      }),
      10,
      () => 0,
    )
    await expect(Promise.resolve(next())).rejects.toThrow('down')
    isDown = false
    expect(await next()).toBe(1)
  })
})
