import { sampleEntries, sampleEntry, sampleKey } from '@auction/testing/samples'
import { describe, expect, test } from 'vitest'
import type { Entry } from '../../src/auction/entry.ts'
import { type WriteContext, writeEntries } from '../../src/ledger/write.ts'
import type { Store } from '../../src/store/store.ts'
import { createPlainStore } from '../support/plain-store.ts'
import { auctionIdOf } from '../support/service.ts'

/** Writes two entries of auction 1 to a store that was changed in the meantime, and records the calls. */
async function writeTwo(
  before: readonly Entry[],
  append?: (entries: readonly Entry[], right: Store) => Promise<number>,
) {
  const right = createPlainStore()
  await right.append(before)
  const calls: string[] = []
  const store: WriteContext['store'] = {
    append(entries) {
      calls.push(`append ${entries.map(({ id }) => id).join(' ')}`)
      return append?.(entries, right) ?? right.append(entries)
    },
    findHeads(ids) {
      calls.push('findHeads')
      return right.findHeads(ids)
    },
    findEntries(ids) {
      calls.push(`findEntries ${ids.join(' ')}`)
      return right.findEntries(ids)
    },
  }
  const context: WriteContext = { store, limits: { maxTries: 3 }, observer: undefined }
  const entries = sampleEntries(2, { auctionId: 1, afterId: 100 })
  const options = { isContended: true, signal: { aborted: false } }
  return { written: await writeEntries(context, entries, options), calls }
}

const others = sampleEntries(3, { auctionId: 1, afterId: 500 })

describe('a taken key', () => {
  test('at the position of the entry belongs to another process, and only the head is read', async () => {
    const { written, calls } = await writeTwo(others.slice(0, 1))
    expect(written).toEqual({ outcome: 'taken', stored: 0, head: others[0] })
    expect(calls).toEqual(['append 101 102', 'findHeads'])
  })

  test('before the head may belong to this write, which is looked up', async () => {
    const { written, calls } = await writeTwo(others)
    expect(written).toEqual({ outcome: 'taken', stored: 0, head: others[2] })
    expect(calls).toEqual(['append 101 102', 'findHeads', 'findEntries 101 102'])
  })

  test('of this write, stored in part, makes the rest be sent again', async () => {
    let isFirst = true
    const { written, calls } = await writeTwo([], async (entries, right) => {
      if (isFirst) await right.append(entries.slice(0, 1))
      isFirst = false
      return right.append(entries)
    })
    expect(written).toMatchObject({ outcome: 'stored', stored: 2 })
    expect(calls).toEqual(['append 101 102', 'findHeads', 'findEntries 101 102', 'append 102'])
  })

  test('of this write, stored as a whole, is settled, and nothing is sent again', async () => {
    const { written, calls } = await writeTwo([], async (entries, right) => {
      await right.append(entries)
      return right.append(entries)
    })
    expect(written).toMatchObject({ outcome: 'stored', stored: 2 })
    expect(calls.filter((call) => call.startsWith('append'))).toEqual(['append 101 102'])
  })

  test('of a request on another auction is reported without a head, as the auction has none', async () => {
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

describe('an entry that is stored under the same id', () => {
  const own = sampleEntry({ id: 9, auctionId: 1, sequence: 2, atMs: 5 })

  test.each<[string, Entry, number]>([
    ['equal', own, 1],
    ['another auction', { ...own, auctionId: auctionIdOf(2) }, 0],
    ['another sequence', { ...own, sequence: 3 }, 0],
    ['another time', { ...own, atMs: 6 }, 0],
  ])('counts as stored only if it is the entry of this write: %s', async (_, found, stored) => {
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
