import type { Auction, ListedAuction } from './auction/auction.ts'
import type { Bid } from './auction/bid.ts'
import { toPercent } from './auction/increments.ts'
import type { AuctionResult } from './auction/state.ts'
import type { AuctionStatus } from './auction/status.ts'
import type { AuctionView, ListedView } from './auction/view.ts'
import type { PlacedBid } from './use-cases/place-bid.ts'
import type { AuctionId, UserId } from './values/ids.ts'
import { isoOf, type Moment } from './values/moment.ts'
import { type AmountMinor, type Currency, toDecimal } from './values/money.ts'

// `@auction/domain/json`: auctions and bids as JSON, with the names and values of the HTTP service. Amounts are exact
// decimals, and times are texts in UTC. A field that is not set, or that the reader may not see, is undefined, and
// `JSON.stringify` omits it.

/** What one reader sees. The types of ids and secrets let a host check that its responses have no others. */
export type Reader<BidderId extends number = number, Secret extends number = number> = {
  /** Undefined for a reader who is no user. */
  readonly userId: UserId | undefined
  /** The id of a bidder, or what the reader sees instead of it. */
  readonly bidder: (auctionId: AuctionId, bidderId: UserId) => BidderId
  /** The reserve of an auction, if the reader may see it. */
  readonly reserve: (auction: Pick<Auction, 'ownerId' | 'reservePriceMinor' | 'currency'>) => Secret | undefined
  /** The maximum of a bidder, if the reader may see it. */
  readonly maximum: (
    bidderId: UserId | undefined,
    maximumMinor: AmountMinor | undefined,
    currency: Currency,
  ) => Secret | undefined
  /** What other readers see instead of the id of the reader; absent, or undefined, if they see the id. */
  readonly pseudonym?: (auctionId: AuctionId) => BidderId | undefined
}

/** Sees the ids of bidders, but no reserves and no maximums. */
export const everyone: Reader<UserId, never> = {
  userId: undefined,
  bidder: (_, bidderId) => bidderId,
  reserve: () => undefined,
  maximum: () => undefined,
}

/** Sees the ids of bidders, the reserves of the auctions that the user owns, and the maximums of the user. */
export const asUser = (userId: UserId): Reader<UserId, number> => ({
  userId,
  bidder: everyone.bidder,
  reserve: ({ ownerId, reservePriceMinor, currency }) =>
    ownerId === userId ? amountJson(reservePriceMinor, currency) : undefined,
  maximum: (bidderId, maximumMinor, currency) => (bidderId === userId ? amountJson(maximumMinor, currency) : undefined),
})

export const amountJson = (amountMinor: AmountMinor | undefined, currency: Currency): number | undefined =>
  amountMinor === undefined ? undefined : toDecimal(amountMinor, currency)

/** Null if no higher bid is possible. */
export const minimumNextBidJson = (amountMinor: AmountMinor | undefined, currency: Currency): number | null =>
  amountJson(amountMinor, currency) ?? null

/** A refusal in JSON: the members ending in `Minor` without that ending, and what `refusalJson` makes of their values. */
export type RefusalJson<Refusal> = Refusal extends unknown
  ? { readonly [Name in keyof Refusal as Name extends `${infer Amount}Minor` ? Amount : Name]: JsonOf<Refusal[Name]> }
  : never

type JsonOf<Value> = Value extends AmountMinor
  ? number
  : Value extends Moment | Currency
    ? string
    : Value extends undefined
      ? null
      : Value

/**
 * A refusal for a response: amounts are exact decimals, or null if no higher bid is possible, a currency is its code, and
 * a moment is its text in UTC. All else stays as it is.
 */
export function refusalJson<Refusal extends { readonly code: string }>(refusal: Refusal): RefusalJson<Refusal> {
  const { currency, ...members }: Partial<Record<string, unknown>> & { readonly currency?: Currency } = refusal
  const shown = Object.entries(members).map(([name, value]) => {
    // The casts: amounts end in `Minor`, and a refusal with amounts has their currency. Only moments have an `iso`.
    if (name.endsWith('Minor') && currency)
      return [name.slice(0, -5), minimumNextBidJson(value as AmountMinor | undefined, currency)]
    return [name, Object(value).iso ?? value]
  })
  return Object.fromEntries(currency === undefined ? shown : [...shown, ['currency', currency.code]]) // As the type says.
}

/** An auction without what changes by bids and time. */
export const auctionJson = <BidderId extends number, Secret extends number>(
  auction: ListedAuction & Pick<Auction, 'description'>,
  status: AuctionStatus,
  reader: Pick<Reader<BidderId, Secret>, 'reserve'>,
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
  metadata: auction.metadata,
  status,
})

/** An auction as reads return it. */
export const auctionViewJson = <BidderId extends number, Secret extends number>(
  view: ListedView,
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

/** How an auction ended. */
export function resultJson<BidderId extends number>(
  result: AuctionResult,
  { id, currency }: Pick<Auction, 'id' | 'currency'>,
  { bidder }: Pick<Reader<BidderId>, 'bidder'>,
) {
  if (result.outcome === 'cancelled') return result
  if (result.outcome === 'unsold') {
    return { outcome: result.outcome, reason: result.reason, endedEarly: result.isEndedEarly }
  }
  const price = toDecimal(result.priceMinor, currency)
  const { outcome } = result
  if (outcome === 'bought') return { outcome, buyerId: bidder(id, result.buyerId), price }
  const winnerId = bidder(id, result.winnerId)
  return { outcome, bidId: result.bidId, winnerId, price, endedEarly: result.isEndedEarly }
}

export const bidJson = <BidderId extends number, Secret extends number>(
  bid: Bid,
  { bidder, maximum }: Pick<Reader<BidderId, Secret>, 'bidder' | 'maximum'>,
) => ({
  id: bid.id,
  auctionId: bid.auctionId,
  bidderId: bidder(bid.auctionId, bid.bidderId),
  amount: toDecimal(bid.amountMinor, bid.currency),
  timestamp: isoOf(bid.timestampMs),
  maximumAmount: maximum(bid.bidderId, bid.maximumMinor, bid.currency),
  automatic: bid.automatic,
  raisesMaximum: bid.raisesMaximum,
  withdrawn: bid.isWithdrawn,
  purchase: bid.isPurchase,
})

/** A bid with who leads after it. */
export const placedBidJson = <BidderId extends number, Secret extends number>(
  bid: PlacedBid,
  reader: Reader<BidderId, Secret>,
) => ({
  ...bidJson(bid, reader),
  ...leaderJson(bid, { id: bid.auctionId, currency: bid.currency }, reader),
})

/** Who leads, and how readers recognise themselves. */
const leaderJson = <BidderId extends number, Secret extends number>(
  { leaderId, leaderMaximumMinor }: Pick<AuctionView, 'leaderId' | 'leaderMaximumMinor'>,
  { id, currency }: Pick<Auction, 'id' | 'currency'>,
  { userId, bidder, maximum, pseudonym }: Reader<BidderId, Secret>,
) => ({
  leaderId: leaderId === undefined ? null : bidder(id, leaderId),
  youLead: userId && userId === leaderId,
  yourMaximum: maximum(leaderId, leaderMaximumMinor, currency),
  yourPseudonym: pseudonym?.(id),
})
