import * as v from 'valibot'
import { StoredAmountMinor } from '../values/amount.ts'
import { StoredCurrency } from '../values/currency.ts'
import { StoredAuctionId, StoredProductId, StoredRegisterId, StoredSaleId, StoredUserId } from '../values/ids.ts'
import { StoredMoment } from '../values/moment.ts'
import { type AmountMinor, type Currency, type Decimal, exactMinor, toDecimal } from '../values/money.ts'
import { StoredInteger } from '../values/primitives.ts'
import { StoredMetadata } from './metadata.ts'

// The fields of an auction of any format as they are stored. A format adds its own among them.

export const storedNames = { id: StoredAuctionId, productId: StoredProductId, ownerId: StoredUserId }

export const storedTexts = { title: v.exactOptional(v.string()), description: v.exactOptional(v.string()) }

export const startingPriceMinor = StoredAmountMinor

export const storedCurrency = StoredCurrency

export const storedTimes = { startTime: StoredMoment, endTime: StoredMoment }

/** Whether the auction can be cancelled after bids. */
export const storedCancellable = v.exactOptional(v.boolean())

/**
 * Who may bid, what the auction comes from, and its sale. Programs of the first version do not know it, and refuse it.
 */
const admitting = {
  /** The register that says who may bid. It never changes. */
  registerId: v.exactOptional(StoredRegisterId),
  /** Who may bid by default, a copy of the register's. Set if there is a register. */
  registerAdmits: v.exactOptional(v.picklist(['listed', 'everyone'])),
  /** Whether bids record and show the paddles of the register. */
  showPaddles: v.exactOptional(v.boolean()),
  /** The auction of the same product of which this is a repetition. */
  relistOf: v.exactOptional(StoredAuctionId),
  /** The auction whose next bidder this is an offer to, and that bidder. */
  offerOf: v.exactOptional(StoredAuctionId),
  offeredTo: v.exactOptional(StoredUserId),
  /** The bidders that the offer passed over, in ascending order. No response has them. */
  excludedBidderIds: v.exactOptional(v.array(StoredUserId)),
  /** Set if only staff and `offeredTo` may know of the auction. */
  isPrivate: v.exactOptional(v.literal(true)),
  /** The sale of which the auction is a lot, and its number in the sale. They never change. */
  saleId: v.exactOptional(StoredSaleId),
  lot: v.exactOptional(v.string()),
  /** The entry of the sale's ledger up to which the end includes the extensions of the sale. No response has it. */
  saleSequence: v.exactOptional(StoredInteger),
}
const admittingNames = Object.keys(admitting)

/** Whether terms have members that the first version of stored auctions does not know. */
export const hasAdmittingTerms = (terms: object): boolean => admittingNames.some((name) => Object.hasOwn(terms, name))

export const storedRest = {
  /** Data of clients, without a meaning for the service. */
  metadata: v.exactOptional(StoredMetadata),
  createdAtMs: StoredInteger,
  ...admitting,
}

const correctable = v.object({ startingPriceMinor, ...storedTimes, cancellableUntilEnd: storedCancellable })
const common = v.object({
  ...storedNames,
  ...storedTexts,
  ...correctable.entries,
  currency: storedCurrency,
  ...storedRest,
})

/** The name of the format. Absent: English, which was the only one. */
type Named = { readonly format?: string }

/** An auction of any format, as far as every auction has it. */
export type CommonAuction = Readonly<v.InferOutput<typeof common>> & Named

/** The terms of any format that can be corrected. */
export type CommonCorrectableTerms = Readonly<v.InferOutput<typeof correctable>>

/** What decisions need of an auction. */
export type TermsOf<Auction> = Omit<Auction, 'productId' | 'title' | 'description' | 'createdAtMs'>
export type CommonTerms = TermsOf<CommonAuction>

/** Converts fields to those of an auction: amounts in minor units, without missing ones. */
export function storedFrom(
  fields: Readonly<Record<string, unknown>> & { readonly currency: Currency },
  amounts: readonly string[],
): Readonly<Record<string, unknown>> {
  const present = Object.entries(fields).filter(([, value]) => value != null)
  const converted = present.map(([name, value]) => {
    if (!amounts.includes(name)) return [name, value]
    return [`${name}Minor`, exactMinor(value as Decimal, fields.currency)] // An amount, by its name.
  })
  return Object.fromEntries(converted)
}

/** The fields from which `storedFrom` makes terms. */
export function fieldsFrom(
  terms: Readonly<Record<string, unknown>> & { readonly currency: Currency },
  amounts: readonly string[],
): Readonly<Record<string, unknown>> {
  const converted = Object.entries(terms).map(([name, value]) => {
    const field = name.replace(/Minor$/, '')
    // An amount, by its name.
    return amounts.includes(field) ? [field, toDecimal(value as AmountMinor, terms.currency)] : [name, value]
  })
  return Object.fromEntries(converted)
}
