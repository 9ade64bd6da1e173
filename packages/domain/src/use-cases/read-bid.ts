import type { Bid } from '../auction/bid.ts'
import { type AuctionEntry, apartOf, bidderOf, bidIn, bidOf, bidsOf } from '../auction/entry.ts'
import { isHiddenFrom } from '../auction/privacy.ts'
import { termsIn } from '../auction/state.ts'
import type { Overloaded } from '../ledger/pending-command.ts'
import type { Store } from '../store/store.ts'
import { type BidId, type EntryId, entryIdsOf, type UserId } from '../values/ids.ts'
import { accepted, type Result, refused } from '../values/result.ts'
import { type ApartParts, isOwnWithdrawal, ownBidIn } from './bids-apart.ts'

export type BidNotFound = { readonly code: 'bid-not-found'; readonly bidId: BidId }
export type ReadBid = (
  id: BidId,
  /** The user who reads, and sees their own sealed bids. */
  viewerId?: UserId,
  /** As that of a `Viewer`. */
  seesPrivate?: boolean,
) => Promise<Result<Bid, BidNotFound | Overloaded>>

type BidStore = Pick<Store, 'findEntries' | 'findHeads'>
type ReadBidParts = ApartParts & { readonly store: BidStore & Pick<Store, 'findAuction'> }

export function readBidUseCase(parts: ReadBidParts): ReadBid {
  const { store } = parts
  return async (id, viewerId, seesPrivate) => {
    const notFound = refused({ code: 'bid-not-found', bidId: id } as const)
    const found = await findBid(store, id, viewerId)
    if (found === undefined) return notFound
    const { entry, bid } = found
    const { auctionId } = entry
    // No bid is of a private auction, but its purchase is.
    const isPurchase = bid?.isPurchase === true
    const [[head], ofPurchase] = await Promise.all([
      store.findHeads([auctionId]),
      isPurchase ? store.findAuction(auctionId) : undefined,
    ])
    if (isPurchase && (ofPurchase === undefined || isHiddenFrom(ofPurchase, { viewerId, seesPrivate }))) return notFound
    const state = head?.state ?? entry.state
    if (bid !== undefined) return accepted(bidIn(state.repairs?.withdrawn, entry, bid, state))
    const auction = await store.findAuction(auctionId)
    if (auction === undefined || viewerId === undefined) return notFound
    return accepted(await ownBidIn(parts, termsIn(auction, state), state, entry, viewerId))
  }
}

/** An entry with its bid, which is undefined if it is a sealed one of the viewer. */
type FoundBid = { readonly entry: AuctionEntry; readonly bid: Bid | undefined }

async function findBid(store: BidStore, id: BidId, viewerId: UserId | undefined): Promise<FoundBid | undefined> {
  const [own, before] = entryIdsOf(id)
  const [entry] = await findAuctionEntries(store, own)
  const bid = entry && bidOf(entry)
  const isOwn = entry !== undefined && viewerId !== undefined && bidderOf(entry) === apartOf(viewerId)
  if (entry !== undefined && (bid !== undefined || (isOwn && !isOwnWithdrawal(entry)))) return { entry, bid }
  // A sealed bid of another user takes as many reads as an id without an entry.
  const [placed] = before === undefined ? [] : await findAuctionEntries(store, before)
  const reply = placed && bidsOf(placed).find((each) => each.id === id)
  return reply && { entry: placed, bid: reply }
}

/** An id may be that of an entry of another kind of ledger. */
const findAuctionEntries = async (store: BidStore, id: EntryId): Promise<readonly AuctionEntry[]> =>
  (await store.findEntries([id])).filter(({ kind }) => kind === undefined)
