import { type Auction, createAuctionClient } from '@auction/client'

/** The results of two auctions. */
export type Ends = { readonly ofTheFirst: string; readonly ofTheSecond: string }

/** Creates two auctions with a buy-now price; one receives a bid and is bought, the other is cancelled. */
export async function sellAtOnce(baseUrl: string, token: string, now: Date): Promise<Ends> {
  const client = createAuctionClient({ baseUrl, token })
  const inHours = (hours: number) => new Date(now.getTime() + hours * 3_600_000).toISOString()

  async function create(): Promise<number> {
    const created = await client.createAuction({
      productId: 8,
      ownerId: 1,
      startingPrice: 50,
      minimumBidIncrement: 5,
      currency: 'USD',
      startTime: inHours(0),
      endTime: inHours(1),
      softClose: { windowSeconds: 300, extensionSeconds: 300, latestEndTime: inHours(2) },
      reservePrice: 150,
      buyNowPrice: 200,
      cancellableUntilEnd: true,
    })
    if (!created.ok) throw new Error(created.refusal.message)
    return created.data.id
  }

  const first = await create()
  const bid = await client.placeBid({ auctionId: first, bidderId: 2, amount: 50, maximumAmount: 90 })
  if (!bid.ok) throw new Error(bid.refusal.message)
  const bought = await client.buyNow(first, { buyerId: 3 })
  if (!bought.ok) throw new Error(bought.refusal.message)
  const late = await client.buyNow(first, { buyerId: 2 })
  if (late.ok || late.refusal.code !== 'auction-ended') throw new Error('it was sold twice')

  const cancelled = await client.cancelAuction(await create())
  if (!cancelled.ok) throw new Error(cancelled.refusal.message)
  return { ofTheFirst: inWords(bought.data), ofTheSecond: inWords(cancelled.data) }
}

// The outcome identifies the result, and so its members.
function inWords({ result }: Auction): string {
  switch (result?.outcome) {
    case 'sold':
      return `sold to ${result.winnerId} for ${result.price}`
    case 'bought':
      return `bought by ${result.buyerId} for ${result.price}`
    case 'unsold':
      return result.reason
    case 'cancelled':
      return `cancelled: ${result.reason ?? 'without a reason'}`
    default:
      return 'not over'
  }
}
