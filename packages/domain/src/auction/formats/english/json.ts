import { admittingJson, amountJson, minimumNextBidJson, type Reader, resultJson } from '../../../json.ts'
import { isoOf } from '../../../values/moment.ts'
import { toDecimal } from '../../../values/money.ts'
import type { AuctionStatus } from '../../status.ts'
import type { ListedView } from '../../view.ts'
import type { EnglishBid } from './bids.ts'
import type { EnglishFigures } from './figures.ts'
import { toPercent } from './prices.ts'
import type { EnglishAuction } from './terms.ts'

/** An auction without what changes by bids and time. */
export const auctionJson = <BidderId extends number, Secret extends number>(
  auction: Omit<EnglishAuction, 'description'> & Pick<EnglishAuction, 'description'>,
  status: AuctionStatus,
  reader: Pick<Reader<BidderId, Secret>, 'reserve' | 'bidder'>,
) => ({
  id: auction.id,
  productId: auction.productId,
  ownerId: auction.ownerId,
  title: auction.title,
  description: auction.description,
  startingPrice: toDecimal(auction.startingPriceMinor, auction.currency),
  minimumBidIncrement: toDecimal(auction.minimumBidIncrementMinor, auction.currency),
  currency: auction.currency.code,
  startTime: auction.startTime.iso,
  endTime: auction.endTime.iso,
  softClose: auction.softClose && {
    windowSeconds: auction.softClose.windowSeconds,
    extensionSeconds: auction.softClose.extensionSeconds,
    latestEndTime: auction.softClose.latestEndTime.iso,
  },
  reservePrice: reader.reserve(auction),
  buyNowPrice: amountJson(auction.buyNowPriceMinor, auction.currency),
  cancellableUntilEnd: auction.cancellableUntilEnd,
  incrementSteps: auction.incrementSteps?.map(({ fromPriceMinor, incrementMinor }) => ({
    fromPrice: toDecimal(fromPriceMinor, auction.currency),
    increment: toDecimal(incrementMinor, auction.currency),
  })),
  incrementPercent: auction.incrementBasisPoints && toPercent(auction.incrementBasisPoints),
  maximumBidIncrement: amountJson(auction.maximumBidIncrementMinor, auction.currency),
  bidSteps: auction.bidSteps?.map(({ fromPriceMinor, amountsMinor }) => ({
    fromPrice: toDecimal(fromPriceMinor, auction.currency),
    amounts: amountsMinor.map((amountMinor) => toDecimal(amountMinor, auction.currency)),
  })),
  onlySteps: auction.onlySteps,
  ...admittingJson(auction, reader),
  metadata: auction.metadata,
  status,
})

type Listed = Omit<EnglishAuction, 'description'>
type EnglishView = EnglishFigures & Omit<ListedView, keyof EnglishFigures | 'auction'> & { readonly auction: Listed }

/** An auction as reads return it. */
export const auctionViewJson = <BidderId extends number, Secret extends number>(
  view: EnglishView,
  reader: Reader<BidderId, Secret>,
) => ({
  ...auctionJson(view.auction, view.status, reader),
  currentPrice: toDecimal(view.currentPriceMinor, view.auction.currency),
  minimumNextBid: minimumNextBidJson(view.minimumNextBidMinor, view.auction.currency),
  maximumNextBid: amountJson(view.maximumNextBidMinor, view.auction.currency),
  bidCount: view.bidCount,
  ...leaderJson(view, view.auction, reader),
  effectiveEndTime: view.effectiveEndTime.iso,
  reserveMet: view.isReserveMet,
  buyNowOffered: view.isBuyNowOffered,
  result: view.result === undefined ? null : resultJson(view.result, view.auction, reader),
  createdAt: isoOf(view.auction.createdAtMs),
  endedAt: view.endedAtMs === undefined ? null : isoOf(view.endedAtMs),
  correctedAt: view.correctedAtMs === undefined ? null : isoOf(view.correctedAtMs),
  repairCount: view.repairCount,
})

export const bidJson = <BidderId extends number, Secret extends number>(
  bid: EnglishBid,
  { bidder, maximum }: Pick<Reader<BidderId, Secret>, 'bidder' | 'maximum'>,
) => ({
  id: bid.id,
  auctionId: bid.auctionId,
  bidderId: bidder(bid.auctionId, bid.bidderId),
  amount: toDecimal(bid.amountMinor, bid.currency),
  timestamp: isoOf(bid.timestampMs),
  paddle: bid.paddle,
  maximumAmount: maximum(bid.bidderId, bid.maximumMinor, bid.currency),
  automatic: bid.automatic,
  raisesMaximum: bid.raisesMaximum,
  withdrawn: bid.isWithdrawn,
  purchase: bid.isPurchase,
})

type Leading = Partial<Pick<EnglishFigures, 'leaderId' | 'leaderPaddle' | 'leaderMaximumMinor'>>

/** A bid with who leads after it, unless that is secret. */
export const placedBidJson = <BidderId extends number, Secret extends number>(
  bid: EnglishBid & Leading & { readonly isSealed?: true | undefined },
  reader: Reader<BidderId, Secret>,
) => ({
  ...bidJson(bid, reader),
  ...(bid.isSealed
    ? { yourPseudonym: reader.pseudonym?.(bid.auctionId) }
    : leaderJson(bid, { id: bid.auctionId, currency: bid.currency }, reader)),
})

/** Who leads, and how readers recognise themselves. */
const leaderJson = <BidderId extends number, Secret extends number>(
  { leaderId, leaderPaddle, leaderMaximumMinor }: Leading,
  { id, currency }: Pick<EnglishAuction, 'id' | 'currency'>,
  { userId, bidder, maximum, pseudonym }: Reader<BidderId, Secret>,
) => ({
  leaderId: leaderId === undefined ? null : bidder(id, leaderId),
  leaderPaddle,
  youLead: userId && userId === leaderId,
  yourMaximum: maximum(leaderId, leaderMaximumMinor, currency),
  yourPseudonym: pseudonym?.(id),
})
