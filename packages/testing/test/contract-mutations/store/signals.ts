import { createMemoryStore } from '@auction/adapters/memory'
import type { CallSignal, CompleteStore } from '@auction/domain/store'
import { type StoreMutation, wrongCall, wrongCalls } from '../planted.ts'
import { pause } from '../prove-contract.ts'
import { away } from '../subjects.ts'
import { remembering } from './remembering.ts'

const reads = 'completes aborted reads and lists, or refuses them'
const many = 'keeps working after many calls were aborted that waited for their turn'
const appends = 'completes an aborted append, or refuses it and stores nothing'

const [append, contended, read] = ['an append', 'a contended append', 'a read'].map(
  (call) => `leaves nothing open when ${call} is aborted, whenever the store looks at the signal`,
)
const open = [append ?? '', contended ?? '']

type Instead = <Value>(call: () => Promise<Value>) => Promise<Value>

/** The reads of a store with a bug in aborted reads. */
const readsOf = (right: CompleteStore, instead: Instead) => {
  const unless = <Value>(signal: CallSignal | undefined, call: () => Promise<Value>) =>
    signal?.aborted ? instead(call) : call()
  return {
    listAuctions: (query) => unless(query.signal, () => right.listAuctions(query)),
    findHeads: (ids, signal) => unless(signal, () => right.findHeads(ids)),
    findEntries: (ids, lookup) => unless(lookup?.signal, () => right.findEntries(ids)),
    findEntriesByKey: (keys, lookup) => unless(lookup?.signal, () => right.findEntriesByKey(keys)),
    listEntries: (auctionId, query) => unless(query.signal, () => right.listEntries(auctionId, query)),
    findAuctions: (wanted, signal) => unless(signal, () => right.findAuctions(wanted)),
    listBidderEntries: (bidderId, query) => unless(query.signal, () => right.listBidderEntries(bidderId, query)),
  } satisfies Partial<CompleteStore>
}

const operations = Object.keys(readsOf(createMemoryStore(), (call) => call())) as readonly (keyof ReturnType<
  typeof readsOf
>)[] // All of its names.

/** A store in which one aborted read has a bug. */
const reading = (bug: string, instead: Instead): readonly StoreMutation[] =>
  operations.map((operation) =>
    wrongCalls(`${bug} in ${operation}`, reads, (right) => ({ [operation]: readsOf(right, instead)[operation] })),
  )

// The results of operations without data.
const emptied = <Value>(value: Value): Value => (Array.isArray(value) ? [] : { items: [], next: undefined }) as Value

export const signalMutations: readonly StoreMutation[] = [
  ...reading('finds nothing for an aborted read', async (call) => emptied(await call())),
  ...reading('throws another error for an aborted append', async () => {
    throw new Error('This operation was aborted')
  }),
  wrongCalls('fails all reads after an aborted one', reads, (right) => {
    let isLeft = false
    const { listEntries } = readsOf(right, async () => {
      isLeft = true
      throw away()
    })
    return {
      listEntries: async (auctionId, query) => {
        if (isLeft) throw away()
        return listEntries(auctionId, query)
      },
    }
  }),
  wrongCalls('fails all appends after an aborted one', appends, (right) => {
    let isLeft = false
    return {
      append: async (entries, options) => {
        isLeft ||= options?.signal?.aborted === true
        if (isLeft) throw away()
        return right.append(entries)
      },
    }
  }),
  wrongCalls('loses a connection when a read is aborted that waits for it', many, (right) => {
    let free = 20
    return {
      findHeads: async (ids, signal) => {
        // In place of a wait that never ends.
        if (free <= 0) throw away()
        await pause()
        free -= 1
        if (signal?.aborted) throw away()
        const heads = await right.findHeads(ids)
        free += 1
        return heads
      },
    }
  }),
  wrongCalls('keeps the keys of an append that is aborted within its transaction', open, (right) => {
    const held = new Set<unknown>()
    return {
      append: async (entries, options) => {
        if (options?.signal?.aborted || held.has(entries[0]?.auctionId)) throw away()
        await pause()
        if (options?.signal?.aborted) {
          held.add(entries[0]?.auctionId)
          throw away()
        }
        return right.append(entries)
      },
    }
  }),
  wrongCalls('stays in the snapshot of a read that is aborted within it', read ?? '', (right) => {
    const listAgain = remembering(right.listEntries)
    let isLeft = false
    return {
      findHeads: async (ids, signal) => {
        if (signal?.aborted) throw away()
        await pause()
        isLeft ||= signal?.aborted === true
        return right.findHeads(ids)
      },
      listEntries: (...query) => (isLeft ? listAgain : right.listEntries)(...query),
    }
  }),
  wrongCall(
    'refuses an append with an aborted signal, and stores it',
    appends,
    'append',
    async (right, entries, options) => {
      const stored = await right.append(entries)
      if (options?.signal?.aborted) throw away()
      return stored
    },
  ),
  wrongCall(
    'reports an append with an aborted signal as stored, and stores nothing',
    appends,
    'append',
    async (right, entries, options) => (options?.signal?.aborted ? entries.length : right.append(entries)),
  ),
]
