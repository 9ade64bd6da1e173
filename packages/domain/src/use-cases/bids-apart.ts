import type { Terms } from '../auction/auction.ts'
import type { Bid } from '../auction/bid.ts'
import { type AuctionEntry, apartOf, bidOf } from '../auction/entry.ts'
import { formatOf } from '../auction/formats/formats.ts'
import { openedForRequest } from '../auction/sealed-entry.ts'
import type { AuctionState } from '../auction/state.ts'
import type { Clock } from '../clock.ts'
import type { Limits } from '../limits.ts'
import type { Sealer } from '../sealer.ts'
import { StoreUnavailableError, UnsupportedByStoreError } from '../store/errors.ts'
import type { CallSignal, EntryPosition, Store } from '../store/store.ts'
import { createListTime } from '../time-limit.ts'
import type { AuctionId, UserId } from '../values/ids.ts'
import { type Page, pageOf } from '../values/page.ts'

// The bids of formats that keep them apart from states. A bidder finds their own by the index of bidders, never by a
// position in the ledger, which would tell how many bids there are.

export type ApartParts = {
  readonly store: Pick<Store, 'listBidderEntries'>
  readonly sealer: Sealer
  readonly clock: Pick<Clock, 'nowMs'>
  readonly limits: Pick<Limits, 'deadlineMs'>
}
/** What finds the entries of a bidder. Without a clock, the caller ends it by a signal. */
type Finding = Pick<ApartParts, 'store'> & Partial<Pick<ApartParts, 'clock' | 'limits'>>

/** The `limit` of a page, and the id of the bid after which it continues. */
export type ApartQuery = {
  readonly limit: number
  readonly before?: number | undefined
  readonly signal?: CallSignal | undefined
}

/** The maximum number of entries in memory. Few bidders have more than the first ones. */
const firstEntries = 100
const entriesPerRead = 500

/**
 * The secret bids and withdrawals of a bidder in all auctions, newest first; those of the same time in any order.
 * @throws StoreUnavailableError if they take longer than a list may
 */
async function* entriesOfBidder(
  { store: { listBidderEntries }, clock, limits }: Finding,
  bidderId: UserId,
  signal: CallSignal | undefined,
): AsyncGenerator<AuctionEntry> {
  if (listBidderEntries === undefined)
    throw new UnsupportedByStoreError('the store cannot find the bids of a bidder: it has no listBidderEntries')
  const isLate = clock && limits && createListTime(clock, limits.deadlineMs)
  let limit = firstEntries
  for (let after: EntryPosition | undefined; ; limit = entriesPerRead) {
    const entries = await listBidderEntries(apartOf(bidderId), { limit, after, signal })
    yield* entries
    const last = entries.at(-1)
    if (last === undefined || entries.length < limit) return
    if (isLate?.()) throw new StoreUnavailableError(`the bids of user ${bidderId} could not be found in time`)
    after = { timeMs: last.atMs, id: last.id }
  }
}

/** The bids and withdrawals of a bidder in an auction, the last one first. None is earlier than its start. */
export async function* ownEntries(
  parts: Finding,
  { id, startTime }: Terms,
  bidderId: UserId,
  signal?: CallSignal,
): AsyncGenerator<AuctionEntry> {
  let same: AuctionEntry[] = []
  const inOrder = () => same.toSorted((one, other) => other.sequence - one.sequence)
  for await (const entry of entriesOfBidder(parts, bidderId, signal)) {
    if (entry.atMs < startTime.epochMs) break
    if (entry.atMs !== same[0]?.atMs) {
      yield* inOrder()
      same = []
    }
    if (entry.auctionId === id) same.push(entry)
  }
  yield* inOrder()
}

/** The sequence through which staff have withdrawn the bids of a user. */
export const withdrawnThrough = (
  { repairs }: { readonly repairs?: AuctionState['repairs'] | undefined },
  userId: UserId,
): number => repairs?.withdrawn?.find(({ bidderId }) => bidderId === userId)?.throughSequence ?? 0

export const isOwnWithdrawal = ({ event, state }: AuctionEntry): boolean =>
  formatOf(state).isOwnWithdrawal?.(event) === true

/** The bid of an entry, opened for who may see it. */
export function openedBid(entry: AuctionEntry, sealer: Sealer, isWithdrawn = false): Bid {
  const bid = bidOf(openedForRequest(entry, sealer))
  if (bid === undefined) throw new Error(`entry ${entry.id} has no bid`)
  return isWithdrawn ? { ...bid, isWithdrawn: true } : bid
}

/** The bid of a bidder that counts. */
export async function ownBid(
  parts: ApartParts,
  terms: Terms,
  state: AuctionState,
  bidderId: UserId,
): Promise<Bid | undefined> {
  for await (const entry of ownEntries(parts, terms, bidderId)) {
    const isWithdrawn = isOwnWithdrawal(entry) || entry.sequence <= withdrawnThrough(state, bidderId)
    return isWithdrawn ? undefined : openedBid(entry, parts.sealer)
  }
  return undefined
}

/** The bids of a bidder in an auction, newest first. */
export async function ownBids(
  parts: ApartParts,
  terms: Terms,
  state: AuctionState,
  bidderId: UserId,
  { limit, before, signal }: ApartQuery,
): Promise<Page<Bid, number>> {
  const bids: Bid[] = []
  let isBefore = before === undefined
  let isWithdrawn = false
  for await (const entry of ownEntries(parts, terms, bidderId, signal)) {
    isWithdrawn ||= entry.sequence <= withdrawnThrough(state, bidderId) || isOwnWithdrawal(entry)
    if (isBefore && !isOwnWithdrawal(entry)) bids.push(openedBid(entry, parts.sealer, isWithdrawn))
    if (bids.length > limit) break
    isBefore ||= entry.id === before
  }
  return pageOf(bids, limit, ({ id }) => id)
}

/** The bid of an entry, for its bidder. */
export async function ownBidIn(
  parts: ApartParts,
  terms: Terms,
  state: AuctionState,
  entry: AuctionEntry,
  bidderId: UserId,
): Promise<Bid> {
  let isWithdrawn = entry.sequence <= withdrawnThrough(state, bidderId)
  for await (const later of ownEntries(parts, terms, bidderId)) {
    if (isWithdrawn || later.sequence <= entry.sequence) break
    isWithdrawn = isOwnWithdrawal(later)
  }
  return openedBid(entry, parts.sealer, isWithdrawn)
}

/** How to find out whether own bids, which are in any auctions, were withdrawn by their bidder. */
export async function ownWithdrawals(
  parts: Finding,
  bidderId: UserId,
  bids: readonly AuctionEntry[],
  signal?: CallSignal,
): Promise<(entry: AuctionEntry) => boolean> {
  const through = new Map<AuctionId, number>()
  const oldestMs = Math.min(...bids.map(({ atMs }) => atMs))
  if (bids.length > 0)
    for await (const entry of entriesOfBidder(parts, bidderId, signal)) {
      if (entry.atMs < oldestMs) break
      if (isOwnWithdrawal(entry))
        through.set(entry.auctionId, Math.max(entry.sequence, through.get(entry.auctionId) ?? 0))
    }
  return ({ auctionId, sequence }) => sequence < (through.get(auctionId) ?? 0)
}
