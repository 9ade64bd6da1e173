import type { Auction, NewAuction } from '../auction/auction.ts'
import { type NewBid, parseNewBid } from '../auction/bid.ts'
import type { BidPlaced, Closed } from '../auction/events.ts'
import { parseNewAuction } from '../auction/new-auction.ts'
import { type AuctionResult, initialState } from '../auction/state.ts'
import { StoredCurrency, toCurrency } from '../currency.ts'
import { type BidId, toAuctionId, toBidId, toProductId, toUserId } from '../ids.ts'
import type { Entry } from '../ledger/entry.ts'
import { toMoment } from '../moment.ts'
import { type Currency, toAmountMinor } from '../money.ts'
import { type RequestKey, requestKeyOf } from '../request-key.ts'
import { unwrap } from '../result.ts'
import { checkedValue } from '../validation.ts'

/** When sample auctions start. They are created a day before, and end a week after. */
export const sampleStartTime = '2030-01-31T12:00:00Z'
export const sampleEndTime = '2030-02-07T12:00:00Z'
const sampleStartMs = Date.parse(sampleStartTime)

/** What a test says of an auction that somebody wants to create, as JSON has it. */
export type NewAuctionSample = {
  readonly productId?: number
  readonly ownerId?: number
  readonly title?: string
  readonly description?: string
  readonly startingPrice?: number
  readonly minimumBidIncrement?: number
  readonly currency?: string
  readonly startTime?: string
  readonly endTime?: string
  readonly softClose?: SoftCloseSample
  readonly reservePrice?: number
  readonly buyNowPrice?: number
  readonly cancellableUntilEnd?: boolean
}

/** What a test says of how late bids move the end. */
export type SoftCloseSample = {
  readonly windowSeconds: number
  readonly extensionSeconds: number
  readonly latestEndTime: string
}

/**
 * For `createAuction`: user 1 offers product 7 from 100.00 USD in steps of 5.00, without title and description.
 * @throws Error that shows the faults of a sample that is not right
 */
export function sampleNewAuction(sample: NewAuctionSample = {}): NewAuction {
  const right = {
    productId: 7,
    ownerId: 1,
    startingPrice: 100,
    minimumBidIncrement: 5,
    currency: 'USD',
    startTime: sampleStartTime,
    endTime: sampleEndTime,
  }
  return unwrap(parseNewAuction({ ...right, ...sample }, 0))
}

/** What a test says of a bid that somebody wants to place, as JSON has it. */
export type NewBidSample = {
  readonly auctionId?: number
  readonly bidderId?: number
  readonly amount?: number
  readonly maximumAmount?: number
}

/** For `placeBid`: user 2 offers 100 on auction 1. @throws Error that shows the faults of a sample that is not right */
export const sampleNewBid = (sample: NewBidSample = {}): NewBid =>
  unwrap(parseNewBid({ auctionId: 1, bidderId: 2, amount: 100, ...sample }))

/** What a test says of an auction that is stored, in plain numbers and texts; it is parsed, so a sample is always right. */
export type AuctionSample = {
  readonly id?: number
  readonly productId?: number
  readonly ownerId?: number
  readonly title?: string
  readonly description?: string
  readonly startingPriceMinor?: number
  readonly minimumBidIncrementMinor?: number
  readonly currency?: string
  /** Of the currency, when it is not the one that today's table has. */
  readonly currencyExponent?: number
  readonly startTime?: string
  readonly endTime?: string
  readonly softClose?: SoftCloseSample
  readonly reservePriceMinor?: number
  readonly buyNowPriceMinor?: number
  readonly cancellableUntilEnd?: boolean
  readonly createdAtMs?: number
}

/** A new object at each call: auction 1 of user 1, from 100.00 USD in steps of 5.00, without title and description. */
export function sampleAuction(sample: AuctionSample = {}): Auction {
  const { title, description, softClose, reservePriceMinor, buyNowPriceMinor, cancellableUntilEnd } = sample
  return {
    id: toAuctionId(sample.id ?? 1),
    productId: toProductId(sample.productId ?? 7),
    ownerId: toUserId(sample.ownerId ?? 1),
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    startingPriceMinor: toAmountMinor(sample.startingPriceMinor ?? 100_00),
    minimumBidIncrementMinor: toAmountMinor(sample.minimumBidIncrementMinor ?? 5_00),
    currency: sampleCurrency(sample),
    startTime: toMoment(sample.startTime ?? sampleStartTime),
    endTime: toMoment(sample.endTime ?? sampleEndTime),
    ...(softClose && { softClose: { ...softClose, latestEndTime: toMoment(softClose.latestEndTime) } }),
    ...(reservePriceMinor !== undefined && { reservePriceMinor: toAmountMinor(reservePriceMinor) }),
    ...(buyNowPriceMinor !== undefined && { buyNowPriceMinor: toAmountMinor(buyNowPriceMinor) }),
    ...(cancellableUntilEnd !== undefined && { cancellableUntilEnd }),
    createdAtMs: sample.createdAtMs ?? sampleStartMs - 24 * 60 * 60 * 1000,
  }
}

function sampleCurrency({ currency: code = 'USD', currencyExponent: exponent }: AuctionSample | EntrySample): Currency {
  return exponent === undefined ? toCurrency(code) : checkedValue(StoredCurrency, { code, exponent }, 'a currency')
}

/** What a test says of an entry, in plain numbers and texts. */
export type EntrySample = {
  readonly id?: number
  readonly auctionId?: number
  readonly sequence?: number
  readonly bidderId?: number
  readonly amountMinor?: number
  readonly currency?: string
  /** Of the currency, when it is not the one that today's table has. */
  readonly currencyExponent?: number
  readonly atMs?: number
  readonly requestKey?: string
}

/**
 * A new object at each call: the entry of bid 1 on auction 1, by user 2. Amount, time and the number of bids rise with the
 * sequence, as a ledger's do.
 */
export function sampleEntry(sample: EntrySample = {}): Entry<BidPlaced> {
  const sequence = sample.sequence ?? 1
  const id = toBidId(sample.id ?? 1)
  const bidderId = toUserId(sample.bidderId ?? 2)
  const amountMinor = toAmountMinor(sample.amountMinor ?? 100_00 + (sequence - 1) * 5_00)
  const atMs = sample.atMs ?? sampleStartMs + sequence
  return {
    ...header(sample, id, sequence, atMs),
    event: { type: 'bid-placed', bidderId, amountMinor },
    state: { phase: 'open', bidCount: sequence, leader: { bidId: id, bidderId, amountMinor }, atMs },
  }
}

/** The end of an auction, as the entry behind its bids: sold to the bidder of the last of them, or unsold. */
export function sampleClosed(sample: EntrySample = {}): Entry<Closed> {
  const sequence = sample.sequence ?? 1
  const atMs = sample.atMs ?? Date.parse(sampleEndTime) + sequence
  const { leader, bidCount } =
    sequence === 1 ? initialState : sampleEntry({ ...sample, id: 1, sequence: sequence - 1 }).state
  const result: AuctionResult =
    leader === null
      ? { outcome: 'unsold', reason: 'no-bids' }
      : { outcome: 'sold', bidId: leader.bidId, winnerId: leader.bidderId, priceMinor: leader.amountMinor }
  return {
    ...header(sample, toBidId(sample.id ?? 1), sequence, atMs),
    event: { type: 'closed', result },
    state: { phase: 'closed', bidCount, leader, atMs, result: { ...result } },
  }
}

const header = (sample: EntrySample, id: BidId, sequence: number, atMs: number) => ({
  id,
  auctionId: toAuctionId(sample.auctionId ?? 1),
  sequence,
  atMs,
  ...(sample.requestKey === undefined ? {} : { requestKey: sampleKey(sample.requestKey) }),
  currency: sampleCurrency(sample),
})

/** A request's key of a made-up caller. */
export const sampleKey = (key: string): RequestKey => requestKeyOf('place-bid', { caller: 'caller', key })

/** The first entries of an auction, with sequences 1, 2, 3 … and ids that follow on `afterId`. */
export const sampleEntries = (count: number, { auctionId = 1, afterId = 0 } = {}): readonly Entry<BidPlaced>[] =>
  Array.from({ length: count }, (_, index) => sampleEntry({ id: afterId + index + 1, auctionId, sequence: index + 1 }))

/** Well-formed texts that stores have been known to change. */
export const strangeTexts: readonly string[] = [
  'Vase 🏺 of the “Ming” – 明, שלום, Ωμέγα',
  'family 👨‍👩‍👧‍👦 and flag 🏴󠁧󠁢󠁳󠁣󠁴󠁿',
  'composed é and decomposed e\u0301',
  '  spaces around, a\ttab, a\nline and a trailing\r\n',
  'quotes \' " ` and slashes \\ / and \u2028 lines \u2029',
  '$set',
  '{"$ne":null}',
  'a.b.$.c',
  '__proto__',
  'null',
  '0',
  '\u{10FFFF}\uFEFF',
  '\uFEFFa byte order mark at the beginning',
  'a nul \u0000 within, and other controls \u0001\u001B\u007F\u0085',
  '\u0000',
  '007',
  '1e3',
  '\uFFFD\uFFFF',
  "'; DROP TABLE auctions; --",
]
