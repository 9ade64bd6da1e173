import { admittingJson, amountJson, type Reader, resultJson } from '../../../json.ts'
import { isoOf } from '../../../values/moment.ts'
import { toDecimal } from '../../../values/money.ts'
import type { AuctionStatus } from '../../status.ts'
import type { CurrentView } from '../../view.ts'
import type { SealedAuction } from './terms.ts'

type Listed = Omit<SealedAuction, 'description' | 'key'>

/** An auction without what changes by time. The key of its bids is not part of it. */
export const auctionJson = <BidderId extends number, Secret extends number>(
  auction: Listed & Pick<SealedAuction, 'description'>,
  status: AuctionStatus,
  reader: Pick<Reader<BidderId, Secret>, 'reserve' | 'bidder'>,
) => ({
  id: auction.id,
  format: auction.format,
  productId: auction.productId,
  ownerId: auction.ownerId,
  title: auction.title,
  description: auction.description,
  pricing: auction.pricing,
  reveal: auction.reveal ?? ('result' as const),
  startingPrice: toDecimal(auction.startingPriceMinor, auction.currency),
  reservePrice: reader.reserve(auction),
  minimumBidIncrement: amountJson(auction.minimumBidIncrementMinor, auction.currency),
  currency: auction.currency.code,
  startTime: auction.startTime.iso,
  endTime: auction.endTime.iso,
  cancellableUntilEnd: auction.cancellableUntilEnd,
  ...admittingJson(auction, reader),
  metadata: auction.metadata,
  status,
})

type Life = 'status' | 'ownBid' | 'effectiveEndTime' | 'result' | 'endedAtMs' | 'correctedAtMs' | 'repairCount'
type SealedView = Pick<CurrentView, Life> & { readonly auction: Listed }

/** An auction as reads return it. Bids change nothing of it before its result. */
export const auctionViewJson = <BidderId extends number, Secret extends number>(
  view: SealedView,
  reader: Reader<BidderId, Secret>,
) => ({
  ...auctionJson(view.auction, view.status, reader),
  youBid: view.ownBid && reader.maximum(view.ownBid.bidderId, view.ownBid.amountMinor, view.auction.currency),
  yourPseudonym: reader.pseudonym?.(view.auction.id),
  effectiveEndTime: view.effectiveEndTime.iso,
  result: view.result === undefined ? null : resultJson(view.result, view.auction, reader),
  createdAt: isoOf(view.auction.createdAtMs),
  endedAt: view.endedAtMs === undefined ? null : isoOf(view.endedAtMs),
  correctedAt: view.correctedAtMs === undefined ? null : isoOf(view.correctedAtMs),
  repairCount: view.repairCount,
})
