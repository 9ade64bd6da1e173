import { type AuctionClient, createAuctionClient } from '@auction/client'

/** The result of selling a desk and bidding on it. */
export type Outcome = {
  readonly auctionId: number
  readonly title: string | undefined
  readonly metadata: Readonly<Record<string, string>> | undefined
  readonly bids: readonly number[]
  readonly currentPrice: number | undefined
}

/**
 * Creates an auction with a misspelled title, and corrects it. A user bids 10, which is too low, and then the amount in
 * the refusal. Another bids 1,100 instead of 110, which is too high, and then without the zero.
 */
export async function sellAndBid(baseUrl: string, token: string, now: Date): Promise<Outcome> {
  const client = createAuctionClient({ baseUrl, token })
  const inAnHour = new Date(now.getTime() + 3_600_000)
  const created = await client.createAuction({
    productId: 7,
    ownerId: 1,
    title: 'Walnut desc',
    metadata: { lotNumber: '17' },
    startingPrice: 100,
    minimumBidIncrement: 5,
    incrementSteps: [{ fromPrice: 100, increment: 10 }],
    maximumBidIncrement: 500,
    currency: 'USD',
    startTime: now.toISOString(),
    endTime: inAnHour.toISOString(),
  })
  if (!created.ok) throw new Error(created.refusal.message)
  const { id: auctionId } = created.data
  await correct(client, auctionId)

  async function bid(bidderId: number, amount: number): Promise<number> {
    const placed = await client.placeBid({ auctionId, bidderId, amount })
    if (placed.ok) return placed.data.amount
    // The code identifies the refusal, and so its members.
    const { refusal } = placed
    if (refusal.code === 'bid-too-low' && refusal.minimumNextBid !== null) return bid(bidderId, refusal.minimumNextBid)
    if (refusal.code === 'bid-too-high' && amount / 10 <= refusal.maximumNextBid) return bid(bidderId, amount / 10)
    throw new Error(refusal.message)
  }
  const bids = [await bid(2, 10), await bid(3, 1100)]

  const read = await client.readAuction(auctionId)
  if (!read.ok) throw new Error(read.refusal.message)
  const { title, metadata, currentPrice } = read.data
  return { auctionId, title, metadata, bids, currentPrice }
}

/** Corrects the title and adds to the metadata, unless the auction changes after it is read. */
async function correct(client: AuctionClient, auctionId: number): Promise<void> {
  const read = await client.readAuction(auctionId)
  if (!read.ok || read.etag === undefined) throw new Error('the auction has an entity tag')
  const correction = { title: 'Walnut desk', metadata: { color: 'brown' } }
  const corrected = await client.correctAuction(auctionId, correction, { ifMatch: read.etag })
  if (!corrected.ok) throw new Error(corrected.refusal.message)
}
