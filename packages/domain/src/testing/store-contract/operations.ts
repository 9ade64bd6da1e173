import type { CallSignal, Store } from '../../store.ts'
import { isStoreUnavailable } from '../../store-unavailable.ts'
import { sampleAuction, sampleEntries, sampleEntry, sampleKey } from '../samples.ts'
import { auctionIdOf, auctionIdsOf, creationKey, due, entryIdsOf, keyedAuction } from './helpers.ts'

const entries = () => sampleEntries(3).map((entry) => ({ ...entry, requestKey: sampleKey(`key-${entry.sequence}`) }))

const { id, createdAtMs, endTime } = sampleAuction()
const newestPlace = { order: 'newest', timeMs: createdAtMs, id }
const agendaMs = endTime.epochMs + 1

/** Stores what `reads` look for. */
export async function fill(store: Store): Promise<void> {
  await store.insertAuction(keyedAuction({ id: 1 }, creationKey('a')))
  await store.append(entries())
  await store.claimIdBlock('auctions', 5)
}

/** The signal is for those that take one. */
export type Call = (store: Store, signal?: CallSignal) => Promise<unknown>

/** Every write that promises something, of what nobody has stored before. */
export const writes = {
  insertAuction: (store) => store.insertAuction(keyedAuction({ id: 91 }, creationKey('new'))),
  append: (store, signal) => store.append([sampleEntry({ id: 91, auctionId: 91 })], signal && { signal }),
  claimIdBlock: (store) => store.claimIdBlock('entries', 91),
} satisfies Partial<Record<keyof Store, Call>>

/** Everything else that can be asked of a store. A change of the agenda is one of it: nothing is promised of one that fails. */
export const reads: Readonly<Record<Exclude<keyof Store, keyof typeof writes>, Call>> = {
  findAuction: (store) => store.findAuction(auctionIdOf(1)),
  findAuctionByKey: (store) => store.findAuctionByKey(creationKey('a')),
  listAuctions: (store, signal) => store.listAuctions({ order: 'newest', limit: 3, signal }),
  updateAgenda: (store) => store.updateAgenda([due(1, agendaMs)]),
  findHeads: (store, signal) => store.findHeads(auctionIdsOf([1]), signal),
  findEntries: (store, signal) => store.findEntries(entryIdsOf([2]), signal),
  findEntriesByKey: (store, signal) => store.findEntriesByKey([sampleKey('key-1')], signal),
  listEntries: (store, signal) => store.listEntries(auctionIdOf(1), { limit: 3, signal }),
  highestIdBlock: (store) => store.highestIdBlock('auctions'),
}

/** What the reads return when `fill` has stored what they ask for. */
const filled: Readonly<Record<keyof typeof reads, unknown>> = {
  findAuction: sampleAuction(),
  findAuctionByKey: sampleAuction(),
  listAuctions: { items: [{ auction: sampleAuction(), position: newestPlace }], next: undefined },
  updateAgenda: undefined,
  findHeads: entries().slice(2),
  findEntries: entries().slice(1, 2),
  findEntriesByKey: entries().slice(0, 1),
  listEntries: entries().toReversed(),
  highestIdBlock: 5,
}

export type Outcome = { readonly returned: unknown } | { readonly failed: string }

/** The only way in which an operation may fail: whoever called it can tell what the failure means, and nobody else. */
export const unavailable = 'with the code store-unavailable, and no claim of its outcome'

export const outcomeOf = (call: () => Promise<unknown>): Promise<Outcome> => outcomeFor(call, () => true)

/** The same, where something was the matter with the store: an error without a cause would not say what. */
export const outcomeOfFault = (call: () => Promise<unknown>): Promise<Outcome> =>
  outcomeFor(call, (error) => error.cause !== undefined && error.cause !== null)

async function outcomeFor(call: () => Promise<unknown>, isExplained: (error: Error) => boolean): Promise<Outcome> {
  try {
    return { returned: await call() }
  } catch (error) {
    if (!isStoreUnavailable(error)) return { failed: `without the code store-unavailable: ${String(error)}` }
    if (!isExplained(error)) return { failed: `without a cause: ${String(error)}` }
    // As of another copy of the package, which may leave it out.
    const { outcome }: { readonly outcome?: unknown } = error
    return outcome === undefined || outcome === 'unknown'
      ? { failed: unavailable }
      : { failed: `with the claim ${outcome}` }
  }
}

/** What came of each of the operations, done at once. */
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

/** Writes can't be done. */
export const rightWrites: Readonly<Record<string, Outcome>> = Object.fromEntries(
  Object.keys(writes).map((name) => [name, { failed: unavailable }]),
)

/** Reads fail, or return what is stored: a store may have it at hand. */
export const rightReads = (outcomes: Readonly<Record<string, Outcome>>): Readonly<Record<string, Outcome>> =>
  Object.fromEntries(
    Object.entries(filled).map(([name, stored]) => {
      const outcome = outcomes[name]
      return [name, outcome !== undefined && 'failed' in outcome ? { failed: unavailable } : { returned: stored }]
    }),
  )
