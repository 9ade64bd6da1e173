import type { AuctionClient, Body } from '@auction/client'

/** Bids with a maximum. If others are faster, bids their minimum next bid, up to that maximum. Returns the last result. */
export async function bidUpTo(client: AuctionClient, bid: Body<'placeBid'> & { readonly maximumAmount: number }) {
  for (let { amount } = bid; ; ) {
    const placed = await client.placeBid({ ...bid, amount })
    if (placed.ok || placed.refusal.code !== 'bid-too-low') return placed
    const { minimumNextBid } = placed.refusal
    if (minimumNextBid === null || minimumNextBid > bid.maximumAmount) return placed
    amount = minimumNextBid
  }
}
