import type { CommonAuction } from './auction/common-terms.ts'
import type { AuctionResult } from './auction/life-events.ts'
import type { AuctionId, UserId } from './values/ids.ts'
import type { Moment } from './values/moment.ts'
import { type AmountMinor, type Currency, toDecimal } from './values/money.ts'

// What JSON of any format has. `public/json.ts` says more.

/** An auction with a price that not all readers may see. */
type Reserved = Pick<CommonAuction, 'ownerId' | 'currency'> & { readonly reservePriceMinor?: AmountMinor }

/** What one reader sees. The types of ids and secrets let a host check that its responses have no others. */
export type Reader<BidderId extends number = number, Secret extends number = number> = {
  /** Undefined for a reader who is no user. */
  readonly userId: UserId | undefined
  /** The id of a bidder, or what the reader sees instead of it. */
  readonly bidder: (auctionId: AuctionId, bidderId: UserId) => BidderId
  /** The reserve of an auction, if the reader may see it. */
  readonly reserve: (auction: Reserved) => Secret | undefined
  /** The maximum of a bidder, if the reader may see it. */
  readonly maximum: (
    bidderId: UserId | undefined,
    amountMinor: AmountMinor | undefined,
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
  maximum: (bidderId, amountMinor, currency) => (bidderId === userId ? amountJson(amountMinor, currency) : undefined),
})

export const amountJson = (amountMinor: AmountMinor | undefined, currency: Currency): number | undefined =>
  amountMinor === undefined ? undefined : toDecimal(amountMinor, currency)

/** Who may bid on an auction, what it comes from, and its sale. */
export const admittingJson = <BidderId extends number>(
  { id, registerId, registerAdmits, showPaddles, relistOf, offerOf, offeredTo, saleId, lot }: Admitting,
  { bidder }: Pick<Reader<BidderId>, 'bidder'>,
) => ({
  register: registerId && registerAdmits && { id: registerId, admits: registerAdmits },
  showPaddles,
  relistOf,
  offerOf,
  offeredTo: offeredTo && bidder(id, offeredTo),
  saleId,
  lot,
})
type Admitting = Pick<
  CommonAuction,
  'id' | 'registerId' | 'registerAdmits' | 'showPaddles' | 'relistOf' | 'offerOf' | 'offeredTo' | 'saleId' | 'lot'
>

/** Null if no higher bid is possible. */
export const minimumNextBidJson = (amountMinor: AmountMinor | undefined, currency: Currency): number | null =>
  amountJson(amountMinor, currency) ?? null

/**
 * A refusal in JSON: the members ending in `Minor` without that ending, and what `refusalJson` makes of their values.
 */
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
 * A refusal for a response: amounts are exact decimals, or null if no higher bid is possible, a currency is its code,
 * and a moment is its text in UTC. All else stays as it is.
 */
export function refusalJson<Refusal extends { readonly code: string }>(refusal: Refusal): RefusalJson<Refusal> {
  const { currency, ...members }: Partial<Record<string, unknown>> & { readonly currency?: Currency } = refusal
  const shown = Object.entries(members).map(([name, value]) => {
    // The casts: amounts end in `Minor`, and a refusal with amounts has their currency. Only moments have an `iso`.
    if (name.endsWith('Minor') && currency)
      return [name.slice(0, -5), minimumNextBidJson(value as AmountMinor | undefined, currency)]
    return [name, Object(value).iso ?? value ?? null]
  })
  // The members are those of the type.
  return Object.fromEntries(currency === undefined ? shown : [...shown, ['currency', currency.code]])
}

/** How an auction ended. */
export function resultJson<BidderId extends number>(
  result: AuctionResult,
  { id, currency }: Pick<CommonAuction, 'id' | 'currency'>,
  { bidder }: Pick<Reader<BidderId>, 'bidder'>,
) {
  if (result.outcome === 'cancelled') return result
  if (result.outcome === 'unsold') {
    const { outcome, reason, isEndedEarly: endedEarly, bidderCount } = result
    return { outcome, reason, endedEarly, bidderCount }
  }
  const price = toDecimal(result.priceMinor, currency)
  const { outcome } = result
  if (outcome === 'bought') return { outcome, buyerId: bidder(id, result.buyerId), paddle: result.paddle, price }
  const winnerId = bidder(id, result.winnerId)
  const { bidId, paddle, isEndedEarly: endedEarly, bidderCount } = result
  return { outcome, bidId, winnerId, paddle, price, endedEarly, bidderCount }
}
