import type { SeenAuction, SeenTexts } from '@auction/testing/history'
import type { Auction } from '../../src/auction/auction.ts'
import type { AuctionView, ListedView } from '../../src/auction/view.ts'
import type { AuctionId, UserId } from '../../src/values/ids.ts'
import { type KnownAuction, knownAs, type World } from './world.ts'

export const seenOf = ({ auction, effectiveEndTime, ...view }: ListedView): SeenAuction => ({
  ...view,
  id: auction.id,
  title: auction.title,
  metadata: auction.metadata,
  effectiveEndMs: effectiveEndTime.epochMs,
})

export function learn({ known }: World, auction: Auction): void {
  if (known.some(({ auction: { id } }) => id === auction.id)) return
  known.push(knownAs(auction))
}

export const textsOf = ({ title, metadata, correctedAtMs }: SeenAuction): SeenTexts => ({
  title,
  metadata,
  correctedAtMs,
})

/** What bids need to know of an auction after a correction. */
export function learnTerms({ known }: World, { auction, bidCount, currentPriceMinor }: AuctionView): void {
  const found = known.find(({ auction: { id } }) => id === auction.id)
  if (found === undefined) return
  found.auction = auction as KnownAuction['auction'] // The cast: see `isFalling`.
  if (bidCount === 0) found.priceMinor = currentPriceMinor
}

/** A view after a repair replaces what clients knew: a price may have fallen. */
export function learnView(world: World, seen: SeenAuction): void {
  const found = world.known.find(({ auction }) => auction.id === seen.id)
  if (found === undefined) return
  found.texts = textsOf(seen)
  if (seen.repairCount > found.repairCount) {
    found.repairCount = seen.repairCount
    found.priceMinor = seen.currentPriceMinor ?? 0
  } else learnPrice(world, seen.id, seen.currentPriceMinor ?? 0)
  if (seen.repairCount >= found.repairCount) {
    found.endMs = seen.effectiveEndMs
    found.leaderId = seen.leaderId
  }
}

export function learnPrice({ known }: World, auctionId: AuctionId, priceMinor: number | undefined): void {
  const found = known.find(({ auction }) => auction.id === auctionId)
  if (found !== undefined && priceMinor !== undefined) found.priceMinor = Math.max(found.priceMinor, priceMinor)
}

export function learnMaximum({ known }: World, auctionId: AuctionId, maximumMinor: number | undefined): void {
  const found = known.find(({ auction }) => auction.id === auctionId)
  if (found !== undefined && maximumMinor !== undefined) found.maximumMinor = maximumMinor
}

export function learnLeader({ known }: World, auctionId: AuctionId, leaderId: UserId | undefined): void {
  const found = known.find(({ auction }) => auction.id === auctionId)
  if (found !== undefined) found.leaderId = leaderId
}
