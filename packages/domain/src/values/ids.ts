import * as v from 'valibot'
import { checkedValue } from './parsing.ts'

const rule = `must be an integer from 1 to ${Number.MAX_SAFE_INTEGER}`

const id = <const Brand extends string>(brand: Brand) =>
  v.pipe(
    v.number(rule),
    v.integer(rule),
    v.minValue(1, rule),
    v.maxValue(Number.MAX_SAFE_INTEGER, rule),
    v.brand(brand),
  )

/** A stored id: any safe integer from 1, regardless of the current rule for requests. */
const storedId = <const Brand extends string>(brand: Brand) =>
  v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.brand(brand))

/** Ids are integers from 1 to 2^53 - 1, so that every JSON implementation represents them exactly. */
export const AuctionId = id('AuctionId')
export type AuctionId = v.InferOutput<typeof AuctionId>
export const StoredAuctionId = storedId('AuctionId')
/** @throws InvalidValueError if it is not a valid id, as the others of these functions do */
export const toAuctionId = (id: number): AuctionId => checkedValue(AuctionId, id, 'an auction id')

/** A register of bidders. Its ledger has the same id, of the same blocks as the ids of auctions. */
export const RegisterId = id('RegisterId')
export type RegisterId = v.InferOutput<typeof RegisterId>
export const StoredRegisterId = storedId('RegisterId')
export const toRegisterId = (id: number): RegisterId => checkedValue(RegisterId, id, 'a register id')
/** A sale of lots. Its ledger has the same id, of the same blocks as the ids of auctions. */
export const SaleId = id('SaleId')
export type SaleId = v.InferOutput<typeof SaleId>
export const StoredSaleId = storedId('SaleId')
export const toSaleId = (id: number): SaleId => checkedValue(SaleId, id, 'a sale id')

/** The id of the ledger of a register or of a sale. */
export const ledgerIdOf = (id: RegisterId | SaleId): AuctionId => id as number as AuctionId

export const EntryId = id('EntryId')
export type EntryId = v.InferOutput<typeof EntryId>
export const StoredEntryId = storedId('EntryId')
export const toEntryId = (id: number): EntryId => checkedValue(EntryId, id, 'an entry id')

export const BidId = id('BidId')
export type BidId = v.InferOutput<typeof BidId>
export const StoredBidId = storedId('BidId')
export const toBidId = (id: number): BidId => checkedValue(BidId, id, 'a bid id')

// Bids have the ids of their entries, so these functions convert one brand to the other.

/** The id of the bid that an entry records. */
export const bidIdOf = (entryId: EntryId): BidId => entryId as number as BidId

/** The id of the automatic bid in the entry with this id. Such an entry uses both ids: `nextPair` returns them. */
export const automaticBidId = (entryId: EntryId): BidId => (entryId + 1) as BidId

/** The entry with the id of a bid, and the one that may have it as its automatic bid. */
export const entryIdsOf = (bidId: BidId): readonly [EntryId] | readonly [EntryId, EntryId] => {
  const own = bidId as number as EntryId
  return own > 1 ? [own, (own - 1) as EntryId] : [own]
}

export const ProductId = id('ProductId')
export type ProductId = v.InferOutput<typeof ProductId>
export const StoredProductId = storedId('ProductId')
export const toProductId = (id: number): ProductId => checkedValue(ProductId, id, 'a product id')

/** A user, who may own auctions and bid. Owner ids and bidder ids are comparable. */
export const UserId = id('UserId')
export type UserId = v.InferOutput<typeof UserId>
export const StoredUserId = storedId('UserId')
export const toUserId = (id: number): UserId => checkedValue(UserId, id, 'a user id')

/**
 * How many ids each claimed block has. Bids are far more frequent than auctions. A restart loses the rest of a block,
 * so blocks are small enough to keep ids short, and large enough to last until the next block is claimed.
 */
export const idsPerBlock = { auctions: 100, entries: 10_000 } as const
