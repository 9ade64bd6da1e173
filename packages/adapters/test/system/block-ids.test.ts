import type { BidId } from '@auction/domain/ids'
import { idSourceContract } from '@auction/domain/testing/id-source-contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type BlockStore, blockIds } from '../../src/system/block-ids.ts'

type CountingStore = BlockStore & {
  readonly claimed: ReadonlySet<number>
  readonly calls: { inserts: number; reads: number }
}

/** Claims in memory. Each operation first waits for `before`, which may also throw. */
function memoryBlocks(before: () => Promise<unknown> = async () => undefined): CountingStore {
  const claimed = new Set<number>()
  const calls = { inserts: 0, reads: 0 }
  return {
    claimed,
    calls,
    async insert(block) {
      calls.inserts += 1
      await before()
      if (claimed.has(block)) return 'taken'
      claimed.add(block)
      return 'inserted'
    },
    async highest() {
      calls.reads += 1
      await before()
      return claimed.size === 0 ? undefined : Math.max(...claimed)
    },
  }
}

const take = async (ids: { next(): Promise<number> }, count: number): Promise<number[]> => {
  const taken: number[] = []
  while (taken.length < count) taken.push(await ids.next())
  return taken
}

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index)

describe.each([1, 2, 10, 1_000])('ids from blocks of %i', (idsPerBlock) => {
  idSourceContract({ describe, test, expect }, async () => {
    const blocks = memoryBlocks()
    return { ids: blockIds(blocks, idsPerBlock), again: async () => blockIds(blocks, idsPerBlock) }
  })
})

describe('ids from blocks', () => {
  test('count from 1, from block to block', async () => {
    expect(await take(blockIds(memoryBlocks(), 7), 30)).toStrictEqual(range(1, 30))
  })

  test('go on after the blocks that others have claimed', async () => {
    const blocks = memoryBlocks()
    expect(await take(blockIds(blocks, 10), 3)).toStrictEqual([1, 2, 3])
    expect(await take(blockIds(blocks, 10), 3)).toStrictEqual([11, 12, 13])
  })

  test('cost one claim for all who ask at once', async () => {
    const blocks = memoryBlocks()
    const ids = blockIds(blocks, 100)
    const taken = await Promise.all(range(1, 50).map(() => ids.next()))
    expect(taken).toStrictEqual(range(1, 50))
    expect(blocks.calls).toStrictEqual({ inserts: 2, reads: 2 })
  })

  test('do not wait for the next block, which is claimed when half of one is used', async () => {
    const gate = Promise.withResolvers<void>()
    let isFirst = true
    const blocks = memoryBlocks(() => (isFirst ? Promise.resolve() : gate.promise))
    const ids = blockIds(blocks, 10)
    await ids.next()
    isFirst = false
    expect(await take(ids, 3)).toStrictEqual([2, 3, 4])
    expect(blocks.calls.reads).toBe(1)
    expect(await take(ids, 6)).toStrictEqual([5, 6, 7, 8, 9, 10])
    expect(blocks.calls.reads).toBe(2)
    const waiting = ids.next()
    gate.resolve()
    expect(await waiting).toBe(11)
  })

  test('are told before they are handed out', async () => {
    const ids = blockIds<BidId>(memoryBlocks(), 2)
    expect([await ids.peek(), await ids.peek(), await ids.next()]).toStrictEqual([1, 1, 1])
    expect([await ids.peek(), await ids.next(), await ids.peek(), await ids.next()]).toStrictEqual([2, 2, 3, 3])
  })

  test('survive a claim that fails: those that are left are handed out, then whoever waits hears of it', async () => {
    let isDown = false
    const blocks = memoryBlocks(async () => {
      if (isDown) throw new Error('down')
    })
    const ids = blockIds(blocks, 4)
    expect(await ids.next()).toBe(1)
    isDown = true
    expect(await take(ids, 3)).toStrictEqual([2, 3, 4])
    await expect(ids.next()).rejects.toThrow('down')
    await expect(ids.peek()).rejects.toThrow('down')
    await expect(Promise.all([ids.next(), ids.next()])).rejects.toThrow('down')
    isDown = false
    expect(await take(ids, 8)).toStrictEqual(range(5, 12))
  })

  test('skip a block whose claim was stored although its answer was lost', async () => {
    const blocks = memoryBlocks()
    let isLost = true
    const losing: BlockStore = {
      ...blocks,
      async insert(block) {
        const answer = await blocks.insert(block)
        if (!isLost) return answer
        isLost = false
        throw new Error('lost')
      },
    }
    const ids = blockIds(losing, 10)
    await expect(ids.next()).rejects.toThrow('lost')
    expect(await ids.next()).toBe(11)
  })

  test('get past a taken block that reads do not show', async () => {
    const blocks = memoryBlocks()
    await Promise.all([blocks.insert(1), blocks.insert(2)])
    expect(await blockIds({ ...blocks, highest: async () => undefined }, 10).next()).toBe(21)
  })

  test('end before 2^53', async () => {
    const blocks = memoryBlocks()
    await blocks.insert(Number.MAX_SAFE_INTEGER - 1)
    expect(await blockIds(blocks, 1).next()).toBe(Number.MAX_SAFE_INTEGER)
    await expect(blockIds(blocks, 1).next()).rejects.toThrow(RangeError)
    await expect(blockIds(blocks, 2).next()).rejects.toThrow(RangeError)
  })

  test('are never handed out twice, however the steps of many sources interleave and fail', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.integer({ min: 1, max: 6 }),
        fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 5 }),
        fc.infiniteStream(fc.boolean()),
        async (scheduler, idsPerBlock, counts, failures) => {
          const blocks = memoryBlocks(async () => {
            await scheduler.schedule(Promise.resolve())
            if (failures.next().value) throw new Error('down')
          })
          const asked = counts.flatMap((count) => {
            const ids = blockIds(blocks, idsPerBlock)
            return Array.from({ length: count }, () => nextUntilItWorks(ids))
          })
          await scheduler.waitFor(Promise.all(asked))
          const taken = await Promise.all(asked)
          expect(new Set(taken).size).toBe(taken.length)
          expect(taken.every((id) => blocks.claimed.has(Math.ceil(id / idsPerBlock)))).toBe(true)
        },
      ),
    )
  })
})

async function nextUntilItWorks(ids: { next(): Promise<number> }): Promise<number> {
  for (;;) {
    try {
      return await ids.next()
    } catch {}
  }
}
