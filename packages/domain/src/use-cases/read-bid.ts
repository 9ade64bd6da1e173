import type { Bid } from '../auction/bid.ts'
import { type AuctionEntry, bidIn, bidOf, bidsOf } from '../auction/entry.ts'
import { formatOf } from '../auction/formats/formats.ts'
import { termsIn } from '../auction/state.ts'
import type { Overloaded } from '../ledger/pending-command.ts'
import type { Store } from '../store/store.ts'
import { type BidId, bidIdOf, entryIdsOf, type UserId } from '../values/ids.ts'
import { accepted, type Result, refused } from '../values/result.ts'
import { type ApartParts, isOwnWithdrawal, isRevealed, ownBid, ownBidIn } from './bids-apart.ts'

export type BidNotFound = { readonly code: 'bid-not-found'; readonly bidId: BidId }
export type ReadBid = (
  id: BidId,
  /** The user who reads, and sees their own sealed bids. */
  viewerId?: UserId,
) => Promise<Result<Bid, BidNotFound | Overloaded>>

type BidStore = Pick<Store, 'findEntries' | 'findHeads'>
type ReadBidParts = ApartParts & { readonly store: BidStore & Pick<Store, 'findAuction'> }

export function readBidUseCase(parts: ReadBidParts): ReadBid {
  const { store } = parts
  return async (id, viewerId) => {
    const found = await findBid(store, id)
    const [head] = found === undefined ? [] : await store.findHeads([found.entry.auctionId])
    const shown = found && head && (await shownBid(parts, found, head, viewerId))
    return shown === undefined ? refused({ code: 'bid-not-found', bidId: id }) : accepted(shown)
  }
}

/** An entry with its bid, which is undefined as long as it is sealed. */
type FoundBid = { readonly entry: AuctionEntry; readonly bid: Bid | undefined }

async function shownBid(
  parts: ReadBidParts,
  { entry, bid }: FoundBid,
  head: AuctionEntry,
  viewerId: UserId | undefined,
): Promise<Bid | undefined> {
  const { state } = head
  const { actorOf, isListed, keepsBidsApart } = formatOf(state)
  if (!keepsBidsApart) return bid && bidIn(state.repairs?.withdrawn, entry, bid, state)
  if (!isListed(entry.event) || isOwnWithdrawal(entry)) return undefined
  const auction = await parts.store.findAuction(entry.auctionId)
  if (auction === undefined) return undefined
  const bidderId = actorOf(entry.event)
  if (bidderId === undefined) return undefined
  const terms = termsIn(auction, state)
  if (bidderId === viewerId) return ownBidIn(parts, terms, state, entry, bidderId)
  const counted = isRevealed(auction, state) ? await ownBid(parts, terms, state, bidderId) : undefined
  return counted?.id === bidIdOf(entry.id) ? counted : undefined
}

async function findBid(store: BidStore, id: BidId): Promise<FoundBid | undefined> {
  const [own, before] = entryIdsOf(id)
  const [entry] = await store.findEntries([own])
  if (entry !== undefined) return { entry, bid: bidOf(entry) }
  const [placed] = before === undefined ? [] : await store.findEntries([before])
  const reply = placed && bidsOf(placed).find((each) => each.id === id)
  return reply && { entry: placed, bid: reply }
}
