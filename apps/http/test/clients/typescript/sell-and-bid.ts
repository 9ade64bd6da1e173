import createClient, { type Client } from 'openapi-fetch'
import { createPatientFetch } from './patient-fetch.ts'
import type { paths } from './types.ts'

/** The result of selling a desk and bidding on it. */
export type Outcome = {
  readonly auctionId: number
  readonly title: string | undefined
  readonly metadata: Readonly<Record<string, string>> | undefined
  readonly bids: readonly number[]
  readonly currentPrice: number
}

/**
 * Creates an auction with a misspelled title, and corrects it. A user bids 10, which is too low, and then the amount in
 * the refusal. Another bids 1,100 instead of 110, which is too high, and then without the zero.
 */
export async function sellAndBid(baseUrl: string, token: string, now: Date): Promise<Outcome> {
  const headers = { authorization: `Bearer ${token}` }
  const client = createClient<paths>({ baseUrl, headers, fetch: createPatientFetch() })
  const inAnHour = new Date(now.getTime() + 3_600_000)
  const created = await client.POST('/api/Auctions', {
    params: { header: { 'Idempotency-Key': crypto.randomUUID() } },
    body: {
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
    },
  })
  if (created.error) throw new Error(created.error.message)
  const { id: auctionId } = created.data.data
  await correct(client, auctionId)

  async function bid(bidderId: number, amount: number): Promise<number> {
    const placed = await client.POST('/api/Bids', {
      params: { header: { 'Idempotency-Key': crypto.randomUUID() } },
      body: { auctionId, bidderId, amount },
    })
    if (placed.data) return placed.data.data.amount
    // The code identifies the problem, and so its members.
    if (placed.error.code === 'bid-too-low' && placed.error.minimumNextBid !== null)
      return bid(bidderId, placed.error.minimumNextBid)
    if (placed.error.code === 'bid-too-high' && amount / 10 <= placed.error.maximumNextBid)
      return bid(bidderId, amount / 10)
    throw new Error(placed.error.message)
  }
  const bids = [await bid(2, 10), await bid(3, 1100)]

  const read = await client.GET('/api/Auctions/{id}', { params: { path: { id: auctionId } } })
  if (read.error) throw new Error(read.error.message)
  const { title, metadata, currentPrice } = read.data.data
  return { auctionId, title, metadata, bids, currentPrice }
}

/** Corrects the title and adds to the metadata, unless the auction changes after it is read. */
async function correct(client: Client<paths>, auctionId: number): Promise<void> {
  const path = { id: auctionId }
  const { response } = await client.GET('/api/Auctions/{id}', { params: { path } })
  const corrected = await client.PATCH('/api/Auctions/{id}', {
    params: { path, header: { 'If-Match': response.headers.get('etag') ?? '' } },
    headers: { 'content-type': 'application/merge-patch+json' },
    body: { title: 'Walnut desk', metadata: { color: 'brown' } },
  })
  if (corrected.error) throw new Error(corrected.error.message)
}
