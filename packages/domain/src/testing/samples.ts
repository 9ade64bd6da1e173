import * as v from 'valibot'
import type { Auction } from '../auction.ts'
import type { Bid } from '../bid.ts'
import { AuctionId, BidId, ProductId, UserId } from '../ids.ts'
import { MomentText } from '../moment.ts'
import { type Currency, CurrencyCode, StoredAmountMinor, StoredCurrency } from '../money.ts'

/** When sample auctions start. They are created a day before, and end a week after. */
export const sampleStartTime = '2030-01-31T12:00:00Z'
export const sampleEndTime = '2030-02-07T12:00:00Z'
const sampleStartMs = Date.parse(sampleStartTime)

/** What a test says of an auction, in plain numbers and texts; it is parsed, so a sample is always right. */
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
  readonly createdAtMs?: number
}

/** A new object at each call: auction 1 of user 1, from 100.00 USD in steps of 5.00, without title and description. */
export function sampleAuction(sample: AuctionSample = {}): Auction {
  const { title, description } = sample
  return {
    id: v.parse(AuctionId, sample.id ?? 1),
    productId: v.parse(ProductId, sample.productId ?? 7),
    ownerId: v.parse(UserId, sample.ownerId ?? 1),
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    startingPriceMinor: v.parse(StoredAmountMinor, sample.startingPriceMinor ?? 100_00),
    minimumBidIncrementMinor: v.parse(StoredAmountMinor, sample.minimumBidIncrementMinor ?? 5_00),
    currency: sampleCurrency(sample),
    startTime: v.parse(MomentText, sample.startTime ?? sampleStartTime),
    endTime: v.parse(MomentText, sample.endTime ?? sampleEndTime),
    createdAtMs: sample.createdAtMs ?? sampleStartMs - 24 * 60 * 60 * 1000,
  }
}

function sampleCurrency({ currency: code = 'USD', currencyExponent: exponent }: AuctionSample | BidSample): Currency {
  return exponent === undefined ? v.parse(CurrencyCode, code) : v.parse(StoredCurrency, { code, exponent })
}

/** What a test says of a bid, in plain numbers and texts. */
export type BidSample = {
  readonly id?: number
  readonly auctionId?: number
  readonly sequence?: number
  readonly bidderId?: number
  readonly amountMinor?: number
  readonly currency?: string
  /** Of the currency, when it is not the one that today's table has. */
  readonly currencyExponent?: number
  readonly timestampMs?: number
}

/** A new object at each call: bid 1 of auction 1, by user 2. Amount and time rise with the sequence, as a ledger's do. */
export function sampleBid(sample: BidSample = {}): Bid {
  const sequence = sample.sequence ?? 1
  return {
    id: v.parse(BidId, sample.id ?? 1),
    auctionId: v.parse(AuctionId, sample.auctionId ?? 1),
    sequence,
    bidderId: v.parse(UserId, sample.bidderId ?? 2),
    amountMinor: v.parse(StoredAmountMinor, sample.amountMinor ?? 100_00 + (sequence - 1) * 5_00),
    currency: sampleCurrency(sample),
    timestampMs: sample.timestampMs ?? sampleStartMs + sequence,
  }
}

/** The first bids of an auction, with sequences 1, 2, 3 … and ids that follow on `afterId`. */
export const sampleBids = (count: number, { auctionId = 1, afterId = 0 } = {}): readonly Bid[] =>
  Array.from({ length: count }, (_, index) => sampleBid({ id: afterId + index + 1, auctionId, sequence: index + 1 }))

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
  "'; DROP TABLE auctions; --",
]
