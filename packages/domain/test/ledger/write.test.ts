import { sampleEntries, sampleEntry, sampleKey } from '@auction/testing/samples'
import { describe, expect, test } from 'vitest'
import type { Entry } from '../../src/ledger/entry.ts'
import { type WriteContext, writeEntries } from '../../src/ledger/write.ts'
import type { Store } from '../../src/store.ts'
import { createPlainStore } from '../support/plain-store.ts'
import { auctionIdOf } from '../support/service.ts'

/** Two entries of auction 1 on their way, over a store that was changed in between, and what it is asked. */
async function writeTwo(
  before: readonly Entry[],
  append?: (entries: readonly Entry[], right: Store) => Promise<number>,
) {
  const right = createPlainStore()
  await right.append(before)
  const asked: string[] = []
  const store: WriteContext['store'] = {
    append(entries) {
      asked.push(`append ${entries.map(({ id }) => id).join(' ')}`)
      return append?.(entries, right) ?? right.append(entries)
    },
    findHeads(ids) {
      asked.push('findHeads')
      return right.findHeads(ids)
    },
    findEntries(ids) {
      asked.push(`findEntries ${ids.join(' ')}`)
      return right.findEntries(ids)
    },
  }
  const context: WriteContext = { store, limits: { maxTries: 3 }, observer: undefined }
  const entries = sampleEntries(2, { auctionId: 1, afterId: 100 })
  const options = { isContended: true, signal: { aborted: false } }
  return { written: await writeEntries(context, entries, options), asked }
}

const others = sampleEntries(3, { auctionId: 1, afterId: 500 })

describe('a key that is taken', () => {
  test('at the very place of the entry is the other process’s, and nothing more is asked than the head', async () => {
    const { written, asked } = await writeTwo(others.slice(0, 1))
    expect(written).toEqual({ outcome: 'taken', stored: 0, head: others[0] })
    expect(asked).toEqual(['append 101 102', 'findHeads'])
  })

  test('further behind the head may be one’s own, which is looked for', async () => {
    const { written, asked } = await writeTwo(others)
    expect(written).toEqual({ outcome: 'taken', stored: 0, head: others[2] })
    expect(asked).toEqual(['append 101 102', 'findHeads', 'findEntries 101 102'])
  })

  test('by itself in part has the rest sent again', async () => {
    let isFirst = true
    const { written, asked } = await writeTwo([], async (entries, right) => {
      if (isFirst) await right.append(entries.slice(0, 1))
      isFirst = false
      return right.append(entries)
    })
    expect(written).toMatchObject({ outcome: 'stored', stored: 2 })
    expect(asked).toEqual(['append 101 102', 'findHeads', 'findEntries 101 102', 'append 102'])
  })

  test('by itself as a whole is settled, and nothing is sent again', async () => {
    const { written, asked } = await writeTwo([], async (entries, right) => {
      await right.append(entries)
      return right.append(entries)
    })
    expect(written).toMatchObject({ outcome: 'stored', stored: 2 })
    expect(asked.filter((call) => call.startsWith('append'))).toEqual(['append 101 102'])
  })

  test('of a request on another auction is told with no head, as there is none', async () => {
    const right = createPlainStore()
    const requestKey = sampleKey('k')
    const entries = sampleEntries(1, { auctionId: 1, afterId: 100 }).map((entry) => ({ ...entry, requestKey }))
    await right.append(sampleEntries(1, { auctionId: 5, afterId: 500 }).map((entry) => ({ ...entry, requestKey })))
    const context: WriteContext = { store: right, limits: { maxTries: 3 }, observer: undefined }
    expect(await writeEntries(context, entries, { signal: { aborted: false } })).toEqual({
      outcome: 'taken',
      stored: 0,
      head: undefined,
    })
  })
})

describe('an entry that is stored under the id of one’s own', () => {
  const own = sampleEntry({ id: 9, auctionId: 1, sequence: 2, atMs: 5 })

  test.each<[string, Entry, number]>([
    ['it is one’s own', own, 1],
    ['its auction is another', { ...own, auctionId: auctionIdOf(2) }, 0],
    ['its sequence is another', { ...own, sequence: 3 }, 0],
    ['its time is another', { ...own, atMs: 6 }, 0],
  ])('where %s', async (_, found, stored) => {
    const context: WriteContext = {
      store: {
        append: async () => 0,
        findHeads: async () => [sampleEntry({ id: 10, auctionId: 1, sequence: 7 })],
        findEntries: async () => [found],
      },
      limits: { maxTries: 3 },
      observer: undefined,
    }
    expect(await writeEntries(context, [own], { signal: { aborted: false } })).toMatchObject({ stored })
  })
})
