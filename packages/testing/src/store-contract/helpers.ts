import type { Auction, ListedAuction } from '@auction/domain/auction'
import type { AuctionId, EntryId } from '@auction/domain/ids'
import { type RequestKey, requestKeyOf } from '@auction/domain/request-key'
import type {
  AgendaUpdate,
  AuctionPosition,
  AuctionQuery,
  EndStage,
  Entry,
  IdKind,
  Store,
  StoredAuction,
} from '@auction/domain/store'
import { type AuctionSample, sampleAuction, sampleEntry } from '../samples.ts'
import type { Suite } from './suite.ts'

export const orders: readonly AuctionPosition['order'][] = ['newest', 'agenda', 'ended']
/** The orders in the names of tests. */
export const orderNames = {
  newest: 'the newest first',
  agenda: 'by the agenda',
  ended: 'the latest end first',
} as const

/** The time limit of a command in the domain, which abandons calls earlier. */
export const maxHangMs = 10_000

export const idKinds: readonly IdKind[] = ['auctions', 'entries']

export const auctionIdOf = (id: number): AuctionId => sampleAuction({ id }).id
export const auctionIdsOf = (ids: readonly number[]): readonly AuctionId[] => ids.map(auctionIdOf)
export const entryIdsOf = (ids: readonly number[]): readonly EntryId[] => ids.map((id) => sampleEntry({ id }).id)
export const idsOf = (items: readonly { readonly id: number }[]): readonly number[] => items.map(({ id }) => id)
export const sequencesOf = (entries: readonly Entry[]): readonly number[] => entries.map(({ sequence }) => sequence)

/** The numbers from `first` to `last`. */
export const range = (first: number, last: number): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)

export const creationKey = (key: string, caller = 'caller'): RequestKey =>
  requestKeyOf('create-auction', { caller, key })
export const keyedAuction = (sample: AuctionSample, requestKey: RequestKey) =>
  ({ ...sampleAuction(sample), requestKey }) satisfies StoredAuction

export const inOrderOfIds = <Item extends { readonly id: number }>(items: readonly Item[]): readonly Item[] =>
  items.toSorted((a, b) => a.id - b.id)

/** The whole stored ledger of an auction, oldest first. */
export const ledgerOf = async (store: Store, auctionId = 1): Promise<readonly Entry[]> =>
  (await store.listEntries(auctionIdOf(auctionId), { limit: 1_000 })).toReversed()

export const headOf = async (store: Store, auctionId = 1): Promise<Entry | undefined> =>
  (await store.findHeads([auctionIdOf(auctionId)]))[0]

export const findByIds = async (store: Store, ids: readonly AuctionId[]): Promise<readonly ListedAuction[]> =>
  (await store.findAuctions({ ids })).map(({ auction }) => auction)

/** The auction that a request with this key created. The store must return it with the key. */
export async function findByKey(store: Store, requestKey: RequestKey) {
  const [found] = await store.findAuctions({ keys: [requestKey] })
  return found?.requestKey === requestKey ? found.auction : found
}

/** Whether the store searches titles. The suite checks that one without a search has a reason. */
export const canSearch = ({ addTitleWords }: Store): boolean => addTitleWords !== undefined

/** An auction as lists return it. */
export const withoutDescription = ({ description: _, ...listed }: Auction): ListedAuction => listed

/** The auctions of the first page. */
export const listed = async (store: Store, query: Partial<AuctionQuery> = {}): Promise<readonly ListedAuction[]> =>
  (await store.listAuctions({ limit: 100, order: 'newest', ...query })).items.map(({ auction }) => auction)

/** All pages of a list of a few auctions, each with the position that it follows. */
export async function* pagesOf(store: Store, query: AuctionQuery) {
  let after: AuctionPosition | undefined
  for (let page = 1; page <= 100; page++) {
    const listing = await store.listAuctions({ ...query, ...(after && { after }) })
    yield { ...listing, after }
    if (listing.next === undefined) return
    after = listing.next
  }
  throw new Error('a list of a few auctions did not end after 100 pages')
}

/** The ids of all pages. `between` runs after each page, like the writes of other clients. */
export async function walk(
  store: Store,
  query: AuctionQuery,
  between: (page: number) => Promise<unknown> = async () => undefined,
): Promise<readonly number[]> {
  const seen: number[] = []
  let page = 0
  for await (const { items, next } of pagesOf(store, query)) {
    seen.push(...idsOf(items.map(({ auction }) => auction)))
    page += 1
    if (next !== undefined) await between(page)
  }
  return seen
}

/** The agenda as ids of auctions with the times of their positions. */
export const agendaOf = async (store: Store, query: Partial<AuctionQuery> = {}) =>
  (await store.listAuctions({ limit: 1_000, ...query, order: 'agenda' })).items.map(
    ({ auction: { id }, position: { timeMs } }) => [Number(id), timeMs] as const,
  )

export const due = (auctionId: number, dueMs: number, changeCount?: number): AgendaUpdate => ({
  auctionId: auctionIdOf(auctionId),
  dueMs,
  ...(changeCount !== undefined && { changeCount }),
})
export const check = (auctionId: number, checkMs: number): AgendaUpdate => ({
  auctionId: auctionIdOf(auctionId),
  checkMs,
})
export const ended = (auctionId: number, endedMs: number, outcome: EndStage = 'sold'): AgendaUpdate => ({
  auctionId: auctionIdOf(auctionId),
  endedMs,
  outcome,
})

export const insertAll = (store: Store, samples: readonly AuctionSample[]): Promise<readonly string[]> =>
  inBatches(samples, (sample) => store.insertAuction(sampleAuction(sample)), 25)

/** Inserts many at once, because each insert may be slow, but not all at once. */
export async function inBatches<Item, Value>(
  items: readonly Item[],
  call: (item: Item) => Promise<Value>,
  size = 100,
): Promise<readonly Value[]> {
  const values: Value[] = []
  for (let start = 0; start < items.length; start += size) {
    values.push(...(await Promise.all(items.slice(start, start + size).map(call))))
  }
  return values
}

/** Repeats a check until a call ends. It is bounded, because a store in memory leaves other operations no turn. */
export async function whileInFlight<Value>(call: Promise<Value>, check: () => Promise<void>): Promise<Value> {
  let isOver = false
  const ending = call.finally(() => {
    isOver = true
  })
  for (let round = 0; !isOver && round < 50; round++) await check()
  return ending
}

/** Overwrites every writable field of an object, at every level, as a careless caller may. */
export function tamper(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const key of Object.keys(value)) {
    tamper(Reflect.get(value, key))
    Reflect.set(value, key, 'tampered')
  }
  if (Array.isArray(value)) Reflect.set(value, 'length', 0)
}

/** Declares tests of what every read returns of entries, each of a separate auction, from the first sequence on. */
export const keepingEntries =
  ({ test, expect }: Suite) =>
  (name: string, entries: readonly Entry[]): void =>
    test(name, async ({ store }) => {
      for (const entry of entries) {
        expect(await store.append([entry])).toBe(1)
        expect(await store.findHeads([entry.auctionId])).toStrictEqual([entry])
        expect(await store.findEntries([entry.id])).toStrictEqual([entry])
        expect(await store.listEntries(entry.auctionId, { limit: 1 })).toStrictEqual([entry])
        const { requestKey } = entry
        if (requestKey !== undefined) expect(await store.findEntriesByKey([requestKey])).toStrictEqual([entry])
      }
    })
