import * as v from 'valibot'

const id = v.pipe(v.number(), v.safeInteger(), v.minValue(1))

export const Bid = v.strictObject({ auctionId: id, bidderId: id, amount: v.pipe(v.number(), v.minValue(0.01)) })
type Bid = v.InferOutput<typeof Bid>

export const permission = 'auction-service:Bids:Create'

/** What a token says; its permissions are a list of texts. */
export const Claims = v.object({ sub: v.string(), permissions: v.array(v.string()) })

/** A bid as it is answered, or undefined when it is not above the one before. */
export type PlaceBid = (bid: Bid) => (Bid & { readonly id: number; readonly timestamp: string }) | undefined

/** Bids on any auctions there may be, of which each one's highest is remembered. */
export function createHighestBids(): PlaceBid {
  const highest = new Map<number, number>()
  let lastId = 0
  return (bid) => {
    if (bid.amount <= (highest.get(bid.auctionId) ?? 0)) return undefined
    highest.set(bid.auctionId, bid.amount)
    lastId += 1
    return { id: lastId, ...bid, timestamp: new Date().toISOString() }
  }
}
