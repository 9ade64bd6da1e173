import { isStoreUnavailable } from '@auction/domain/errors'
import type { CallSignal, Store } from '@auction/domain/store'
import { sampleAuction, sampleEntries, sampleEntry, sampleKey } from '../samples.ts'
import { auctionIdOf, auctionIdsOf, creationKey, due, entryIdsOf, keyedAuction } from './helpers.ts'

const entries = () => sampleEntries(3).map((entry) => ({ ...entry, requestKey: sampleKey(`key-${entry.sequence}`) }))

const { id, createdAtMs, endTime } = sampleAuction()
const newestPosition = { order: 'newest', timeMs: createdAtMs, id }
const agendaMs = endTime.epochMs + 1

/** Stores the data that `reads` look for. */
export async function fill(store: Store): Promise<void> {
  await store.insertAuction(keyedAuction({ id: 1 }, creationKey('a')))
  await store.append(entries())
  await store.claimNextIdBlock('auctions')
}

/** Operations that accept a signal receive it. */
export type Call = (store: Store, signal?: CallSignal) => Promise<unknown>

const writes = {
  insertAuction: (store) => store.insertAuction(keyedAuction({ id: 91 }, creationKey('new'))),
  append: (store, signal) => store.append([sampleEntry({ id: 91, auctionId: 91 })], signal && { signal }),
  addTitleWords: async (store) => store.addTitleWords?.(auctionIdOf(1), ['new']),
} satisfies Partial<Record<keyof Store, Call>>

const reads: Readonly<Record<Exclude<keyof Store, keyof typeof writes | 'appendedSince' | 'partOf'>, Call>> = {
  findAuction: (store) => store.findAuction(auctionIdOf(1)),
  findAuctions: (store, signal) => store.findAuctions({ ids: auctionIdsOf([1]) }, signal),
  listAuctions: (store, signal) => store.listAuctions({ order: 'newest', limit: 3, signal }),
  claimNextIdBlock: (store) => store.claimNextIdBlock('entries'),
  updateAgenda: (store) => store.updateAgenda([due(1, agendaMs)]),
  findHeads: (store, signal) => store.findHeads(auctionIdsOf([1]), signal),
  findEntries: (store, signal) => store.findEntries(entryIdsOf([2]), { signal }),
  findEntriesByKey: (store, signal) => store.findEntriesByKey([sampleKey('key-1')], { signal }),
  listEntries: (store, signal) => store.listEntries(auctionIdOf(1), { limit: 3, signal }),
  listBidderEntries: async (store, signal) =>
    store.listBidderEntries?.(sampleEntry().event.bidderId, { limit: 3, signal }),
}

/** All operations. A call of an optional one returns undefined if the store lacks it. */
export const operations: Readonly<Record<string, Call>> = {
  ...reads,
  ...writes,
  appendedSince: async (store) => store.appendedSince?.(undefined),
}

type Calls = Readonly<Record<string, Call>>

const ofStore = (calls: Calls, store: Store): Calls =>
  Object.fromEntries(Object.entries(calls).filter(([name]) => Reflect.get(store, name) !== undefined))

/** The operations that the store has. */
export const operationsOf = (store: Store): Calls => ofStore(operations, store)

/** The writes with a guarantee that the store has, of data that is not stored yet. */
export const writesOf = (store: Store): Calls => ofStore(writes, store)

/**
 * The other operations that the store has, with the changes of the agenda, which need not be kept if they fail, and
 * claims of ids, which may read before they write.
 */
export const readsOf = (store: Store): Calls => ofStore(reads, store)

/** The reads that return the same when they are repeated. */
export function repeatableReadsOf(store: Store): Calls {
  const { claimNextIdBlock: _, ...repeatable } = readsOf(store)
  return repeatable
}

/** What the reads return after `fill`. */
const filled: Readonly<Record<keyof typeof reads, unknown>> = {
  findAuction: sampleAuction(),
  findAuctions: [{ auction: sampleAuction(), requestKey: creationKey('a') }],
  listAuctions: { items: [{ auction: sampleAuction(), position: newestPosition }], next: undefined },
  claimNextIdBlock: 1,
  updateAgenda: undefined,
  findHeads: entries().slice(2),
  findEntries: entries().slice(1, 2),
  findEntriesByKey: entries().slice(0, 1),
  listEntries: entries().toReversed(),
  listBidderEntries: entries().toReversed(),
}

export type CallOutcome = { readonly returned: unknown } | { readonly failed: string }

/** The only way in which an operation may fail: only its caller knows what the failure means. */
export const unavailable = 'with the code store-unavailable, and no statement of its outcome'

export const outcomeOf = (call: () => Promise<unknown>): Promise<CallOutcome> => outcomeFor(call, () => true)

/** The same for a failure of the store: an error without a cause would not explain it. */
export const outcomeOfFault = (call: () => Promise<unknown>): Promise<CallOutcome> =>
  outcomeFor(call, (error) => error.cause !== undefined && error.cause !== null)

async function outcomeFor(call: () => Promise<unknown>, isExplained: (error: Error) => boolean): Promise<CallOutcome> {
  try {
    return { returned: await call() }
  } catch (error) {
    if (!isStoreUnavailable(error)) return { failed: `without the code store-unavailable: ${String(error)}` }
    if (!isExplained(error)) return { failed: `without a cause: ${String(error)}` }
    // The error may come from another copy of the package, which may omit the outcome.
    const { outcome }: { readonly outcome?: unknown } = error
    return outcome === undefined || outcome === 'unknown'
      ? { failed: unavailable }
      : { failed: `with the outcome ${outcome}` }
  }
}

/** The outcomes of the operations, run at once. */
export async function outcomesOf(
  calls: Readonly<Record<string, Call>>,
  store: Store,
  { signal, outcome = outcomeOf }: { readonly signal?: CallSignal; readonly outcome?: typeof outcomeOf } = {},
) {
  const outcomes = Object.entries(calls).map(
    async ([name, call]) => [name, await outcome(() => call(store, signal))] as const,
  )
  return Object.fromEntries(await Promise.all(outcomes))
}

/** Expects all writes of the store to fail. */
export const rightWrites = (store: Store): Readonly<Record<string, CallOutcome>> =>
  Object.fromEntries(Object.keys(writesOf(store)).map((name) => [name, { failed: unavailable }]))

/** Expects reads to fail or to return the stored data, which a store may have cached. */
export const rightReads = (outcomes: Readonly<Record<string, CallOutcome>>): Readonly<Record<string, CallOutcome>> =>
  Object.fromEntries(
    Object.entries(outcomes).map(([name, outcome]) => {
      // The cast: the outcomes are of reads.
      return [name, 'failed' in outcome ? { failed: unavailable } : { returned: filled[name as keyof typeof reads] }]
    }),
  )
