import type { CallSignal, Store } from '../../../../src/store.ts'
import { away, replaced, type StoreMutation } from '../planted.ts'

const reads = 'does reads and lists whose caller has stopped waiting as a whole, or refuses them'
const appends = 'does an append whose caller has stopped waiting as a whole, or refuses it and stores nothing'

type Instead = <Value>(call: () => Promise<Value>) => Promise<Value>

/** The reads of a store that does another thing where nobody waits. */
const readsOf = (right: Store, instead: Instead) => {
  const unless = <Value>(signal: CallSignal | undefined, call: () => Promise<Value>) =>
    signal?.aborted ? instead(call) : call()
  return {
    listAuctions: (query) => unless(query.signal, () => right.listAuctions(query)),
    findHeads: (ids, signal) => unless(signal, () => right.findHeads(ids)),
    findEntries: (ids, signal) => unless(signal, () => right.findEntries(ids)),
    findEntriesByKey: (keys, signal) => unless(signal, () => right.findEntriesByKey(keys)),
    listEntries: (auctionId, query) => unless(query.signal, () => right.listEntries(auctionId, query)),
  } satisfies Partial<Store>
}

const operations = ['listAuctions', 'findHeads', 'findEntries', 'findEntriesByKey', 'listEntries'] as const

/** A store in which one read does another thing where nobody waits. */
const reading = (bug: string, instead: Instead): readonly StoreMutation[] =>
  operations.map((operation) =>
    replaced(`${bug} in ${operation}`, (right) => ({ [operation]: readsOf(right, instead)[operation] }), reads),
  )

// What an operation returns where there is nothing.
const emptied = <Value>(value: Value): Value => (Array.isArray(value) ? [] : { items: [], next: undefined }) as Value

export const signalMutations: readonly StoreMutation[] = [
  ...reading('finds nothing where nobody waits', async (call) => emptied(await call())),
  ...reading('throws another error where nobody waits', async () => {
    throw new Error('This operation was aborted')
  }),
  replaced(
    'reads for nobody once a caller has left',
    (right) => {
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
    },
    reads,
  ),
  replaced(
    'stores for nobody once a caller has left',
    (right) => {
      let isLeft = false
      return {
        append: async (entries, options) => {
          isLeft ||= options?.signal?.aborted === true
          if (isLeft) throw away()
          return right.append(entries)
        },
      }
    },
    appends,
  ),
  replaced(
    'refuses an append without a caller, and stores it all the same',
    (right) => ({
      append: async (entries, options) => {
        const stored = await right.append(entries)
        if (options?.signal?.aborted) throw away()
        return stored
      },
    }),
    appends,
  ),
  replaced(
    'says stored of an append without a caller, and stores nothing',
    (right) => ({
      append: async (entries, options) => (options?.signal?.aborted ? entries.length : right.append(entries)),
    }),
    appends,
  ),
]
