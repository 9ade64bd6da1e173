import { createAuctionClient } from '@auction/client'

const maxBidsOfLot = 20

/** Bids on the lots that end next, each bidder at one of several servers, until each lot has a result. Counts the responses. */
export async function bidInSale(saleId, baseUrls, bidders) {
  const counts = {}

  async function place(client, bid) {
    const placed = await client.placeBid(bid)
    const code = placed.ok ? 'placed' : placed.refusal.code
    counts[code] = (counts[code] ?? 0) + 1
    return placed
  }

  async function follow({ bidderId, token }, index) {
    const client = createAuctionClient({ baseUrl: baseUrls[index % baseUrls.length], token })
    const lots = new Map()
    for await (const event of client.followSale(saleId)) {
      if (event.type !== 'lots') continue
      for (const lot of event.lots) lots.set(lot.id, lot)
      const next = [...lots.values()]
        .filter(({ status, bidCount }) => status === 'Active' && bidCount < maxBidsOfLot)
        .sort((one, other) => Date.parse(one.effectiveEndTime) - Date.parse(other.effectiveEndTime))
      // The bidders are spread over the next three lots.
      const lot = next[index % 3]
      if (lot === undefined) continue
      const bid = { auctionId: lot.id, bidderId, amount: lot.currentPrice }
      const { refusal } = await place(client, bid)
      if (refusal?.code === 'bid-too-low') await place(client, { ...bid, amount: refusal.minimumNextBid })
    }
  }

  await Promise.all(bidders.map(follow))
  return counts
}
