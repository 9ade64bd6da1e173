import * as v from 'valibot'
import { checkedValue } from './validation.ts'

const rule = `must be an integer from 1 to ${Number.MAX_SAFE_INTEGER}`

const id = <const Brand extends string>(brand: Brand) =>
  v.pipe(
    v.number(rule),
    v.integer(rule),
    v.minValue(1, rule),
    v.maxValue(Number.MAX_SAFE_INTEGER, rule),
    v.brand(brand),
  )

/** An id from a store: any that there can be, whatever the rule for those that are offered is by now. */
const storedId = <const Brand extends string>(brand: Brand) =>
  v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.brand(brand))

/** Ids are integers from 1 to 2^53 - 1, so that every JSON implementation holds them exactly. */
export const AuctionId = id('AuctionId')
export type AuctionId = v.InferOutput<typeof AuctionId>
export const StoredAuctionId = storedId('AuctionId')
/** @throws InvalidValueError when it is no id, as the three below do */
export const toAuctionId = (id: number): AuctionId => checkedValue(AuctionId, id, 'an auction id')

export const BidId = id('BidId')
export type BidId = v.InferOutput<typeof BidId>
export const StoredBidId = storedId('BidId')
export const toBidId = (id: number): BidId => checkedValue(BidId, id, 'a bid id')

/** The id of the bid that the service makes in reply to another, or behind it: an entry that has one takes both ids. */
export const automaticBidId = (bidId: BidId): BidId => (bidId + 1) as BidId // Taken together with the one before.

/** The id of which `automaticBidId` makes this one; undefined where there is none. */
export const idBefore = (bidId: BidId): BidId | undefined => (bidId > 1 ? ((bidId - 1) as BidId) : undefined)

export const ProductId = id('ProductId')
export type ProductId = v.InferOutput<typeof ProductId>
export const StoredProductId = storedId('ProductId')
export const toProductId = (id: number): ProductId => checkedValue(ProductId, id, 'a product id')

/** A person, who owns auctions in one place and bids in another: the two can be compared. */
export const UserId = id('UserId')
export type UserId = v.InferOutput<typeof UserId>
export const StoredUserId = storedId('UserId')
export const toUserId = (id: number): UserId => checkedValue(UserId, id, 'a user id')
