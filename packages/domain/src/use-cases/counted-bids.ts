import type { Terms } from '../auction/auction.ts'
import type { Bid } from '../auction/bid.ts'
import type { AuctionEntry } from '../auction/entry.ts'
import { formatOf } from '../auction/formats/formats.ts'
import type { AuctionState } from '../auction/state.ts'
import type { Sealer } from '../sealer.ts'
import { StoreUnavailableError } from '../store/errors.ts'
import type { Store } from '../store/store.ts'
import type { AuctionId, EntryId, UserId } from '../values/ids.ts'
import { type Page, pageOf } from '../values/page.ts'
import { type ApartQuery, isOwnWithdrawal, openedBid } from './bids-apart.ts'

/** Whether everyone may see the bids that counted. */
export const isRevealed = (terms: Terms, state: AuctionState): boolean =>
  state.phase === 'closed' && state.result.outcome !== 'cancelled' && formatOf(terms).isRevealed?.(terms) === true

type CountedBids = (head: Pick<AuctionEntry, 'auctionId' | 'sequence'>, query: ApartQuery) => Promise<Page<Bid, number>>

type Parts = { readonly store: Pick<Store, 'listEntries' | 'findEntries'>; readonly sealer: Sealer }

const entriesPerRead = 500
/** The maximum number of ids in memory, of 8 bytes each. An auction with more is read for each page. */
const maxIds = 1_000_000

/**
 * The bids that counted of auctions with a result, newest first. Whether a bid counted is known only from all entries
 * that follow it, and never changes after the result, so a process reads a ledger once, and one ledger at a time.
 */
export function createCountedBids({ store, sealer }: Parts): CountedBids {
  // The least recently used one is first.
  const known = new Map<AuctionId, readonly EntryId[]>()
  let ids = 0
  let reading: Promise<unknown> = Promise.resolve()

  function keep(auctionId: AuctionId, counted: readonly EntryId[]): void {
    known.set(auctionId, counted)
    ids += counted.length
    for (const [id, { length }] of known) {
      if (ids <= maxIds) return
      known.delete(id)
      ids -= length
    }
  }

  async function countedIn({ auctionId, sequence }: Parameters<CountedBids>[0]): Promise<readonly EntryId[]> {
    const found = known.get(auctionId)
    if (found !== undefined) {
      known.delete(auctionId)
      known.set(auctionId, found)
      return found
    }
    const counted: EntryId[] = []
    for await (const { id } of countedEntries(store, auctionId, sequence)) counted.push(id)
    keep(auctionId, counted)
    return counted
  }

  return async (head, { limit, before, signal }) => {
    const { auctionId } = head
    const counting = reading.then(() => countedIn(head))
    reading = counting.catch(() => undefined)
    const counted = known.get(auctionId) ?? (await counting)
    const from = before === undefined ? 0 : counted.findIndex((id) => Number(id) === before) + 1
    if (before !== undefined && from === 0) return { items: [], next: undefined }
    const page = pageOf(counted.slice(from, from + limit + 1), limit, Number)
    const entries = await store.findEntries(page.items, { auctionIds: [auctionId], signal })
    const byId = new Map(entries.map((entry) => [entry.id, entry]))
    const items = page.items.map((id) => {
      const entry = byId.get(id)
      if (entry === undefined) throw new StoreUnavailableError(`the store did not find entry ${id}`)
      return openedBid(entry, sealer)
    })
    return { items, next: page.next }
  }
}

/** The entries of the bids that counted, one for each bidder, newest first. */
async function* countedEntries(
  store: Pick<Store, 'listEntries'>,
  auctionId: AuctionId,
  through: number,
): AsyncGenerator<AuctionEntry> {
  const bidders = new Set<UserId>()
  for (let before = through + 1; before > 1; ) {
    const entries = await store.listEntries(auctionId, { before, limit: entriesPerRead })
    for (const entry of entries) {
      const { event, state } = entry
      const bidderId = event.type === 'withdrawn' ? event.bidderId : formatOf(state).actorOf(event)
      if (bidderId === undefined || bidders.has(bidderId)) continue
      bidders.add(bidderId)
      if (event.type !== 'withdrawn' && !isOwnWithdrawal(entry)) yield entry
    }
    const last = entries.at(-1)
    if (last === undefined)
      throw new StoreUnavailableError(`the store did not list all entries of auction ${auctionId}`)
    before = last.sequence
  }
}
