import type { Store } from '../../store.ts'
import { isStoreUnavailable } from '../../store-unavailable.ts'
import { sampleAuction, sampleEntries, sampleEntry, sampleKey } from '../samples.ts'
import { auctionIdOf, auctionIdsOf, creationKey, entryIdsOf, keyedAuction } from './helpers.ts'

const entries = () => sampleEntries(3).map((entry) => ({ ...entry, requestKey: sampleKey(`key-${entry.sequence}`) }))

/** Stores what `reads` look for. */
export async function fill(store: Store): Promise<void> {
  await store.insertAuction(keyedAuction({ id: 1 }, creationKey('a')))
  await store.append(entries())
  await store.claimIdBlock('auctions', 5)
}

export type Call = (store: Store) => Promise<unknown>

/** Every write that promises something, of what nobody has stored before. */
export const writes = {
  insertAuction: (store) => store.insertAuction(keyedAuction({ id: 91 }, creationKey('new'))),
  append: (store) => store.append([sampleEntry({ id: 91, auctionId: 91 })]),
  claimIdBlock: (store) => store.claimIdBlock('entries', 91),
} satisfies Partial<Record<keyof Store, Call>>

/** Everything else that can be asked of a store. */
export const reads: Readonly<Record<Exclude<keyof Store, keyof typeof writes | 'partitions' | 'partitionOf'>, Call>> = {
  findAuction: (store) => store.findAuction(auctionIdOf(1)),
  findAuctionByKey: (store) => store.findAuctionByKey(creationKey('a')),
  listAuctions: (store) => store.listAuctions({ order: 'newest', limit: 3 }),
  findHeads: (store) => store.findHeads(auctionIdsOf([1])),
  findEntries: (store) => store.findEntries(entryIdsOf([2])),
  findEntriesByKey: (store) => store.findEntriesByKey([sampleKey('key-1')]),
  listEntries: (store) => store.listEntries(auctionIdOf(1), { limit: 3 }),
  highestIdBlock: (store) => store.highestIdBlock('auctions'),
}

/** What the reads return when `fill` has stored what they ask for. */
const filled: Readonly<Record<keyof typeof reads, unknown>> = {
  findAuction: sampleAuction(),
  findAuctionByKey: sampleAuction(),
  listAuctions: { auctions: [sampleAuction()], next: undefined },
  findHeads: entries().slice(2),
  findEntries: entries().slice(1, 2),
  findEntriesByKey: entries().slice(0, 1),
  listEntries: entries().toReversed(),
  highestIdBlock: 5,
}

export type Outcome = { readonly returned: unknown } | { readonly failed: string }

/** The only way in which an operation may fail: whoever called it can tell what the failure means, and nobody else. */
const unavailable: Outcome = { failed: 'with the code store-unavailable, and no claim of its outcome' }

export async function outcomeOf(call: () => Promise<unknown>): Promise<Outcome> {
  try {
    return { returned: await call() }
  } catch (error) {
    if (!isStoreUnavailable(error)) return { failed: `without the code store-unavailable: ${String(error)}` }
    // As of another copy of the package, which may leave it out.
    const { outcome }: { readonly outcome?: unknown } = error
    return outcome === undefined || outcome === 'unknown' ? unavailable : { failed: `with the claim ${outcome}` }
  }
}

/** What came of each of the operations, done at once. */
export async function outcomesOf(calls: Readonly<Record<string, Call>>, store: Store) {
  const outcomes = Object.entries(calls).map(
    async ([name, call]) => [name, await outcomeOf(() => call(store))] as const,
  )
  return Object.fromEntries(await Promise.all(outcomes))
}

/** Writes can't be done. */
export const rightWrites: Readonly<Record<string, Outcome>> = Object.fromEntries(
  Object.keys(writes).map((name) => [name, unavailable]),
)

/** Reads fail, or return what is stored: a store may have it at hand. */
export const rightReads = (outcomes: Readonly<Record<string, Outcome>>): Readonly<Record<string, Outcome>> =>
  Object.fromEntries(
    Object.entries(filled).map(([name, stored]) => {
      const outcome = outcomes[name]
      return [name, outcome !== undefined && 'failed' in outcome ? unavailable : { returned: stored }]
    }),
  )
