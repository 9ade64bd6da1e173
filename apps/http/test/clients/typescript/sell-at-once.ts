import createClient from 'openapi-fetch'
import { createPatientFetch } from './patient-fetch.ts'
import type { components, paths } from './types.ts'

type Result = NonNullable<components['schemas']['AuctionResult']>

/** The results of two auctions. */
export type Ends = { readonly ofTheFirst: string; readonly ofTheSecond: string }

/** Creates two auctions with a buy-now price; one receives a bid and is bought, the other is cancelled. */
export async function sellAtOnce(baseUrl: string, token: string, now: Date): Promise<Ends> {
  const headers = { authorization: `Bearer ${token}` }
  const client = createClient<paths>({ baseUrl, headers, fetch: createPatientFetch() })
  const inHours = (hours: number) => new Date(now.getTime() + hours * 3_600_000).toISOString()

  async function create(): Promise<number> {
    const created = await client.POST('/api/Auctions', {
      params: { header: { 'Idempotency-Key': crypto.randomUUID() } },
      body: {
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
      },
    })
    if (created.error) throw new Error(created.error.message)
    return created.data.data.id
  }

  const first = await create()
  const bid = await client.POST('/api/Bids', { body: { auctionId: first, bidderId: 2, amount: 50, maximumAmount: 90 } })
  if (bid.error) throw new Error(bid.error.message)
  const path = { id: first }
  const bought = await client.POST('/api/Auctions/{id}/Purchase', { params: { path }, body: { buyerId: 3 } })
  if (bought.error) throw new Error(bought.error.message)
  const late = await client.POST('/api/Auctions/{id}/Purchase', { params: { path }, body: { buyerId: 2 } })
  if (late.error?.code !== 'auction-ended') throw new Error('it was sold twice')

  const second = { id: await create() }
  const cancelled = await client.POST('/api/Auctions/{id}/Cancellation', { params: { path: second } })
  if (cancelled.error) throw new Error(cancelled.error.message)
  return { ofTheFirst: inWords(bought.data.data.result), ofTheSecond: inWords(cancelled.data.data.result) }
}

// The outcome identifies the result, and so its members.
function inWords(result: Result | null): string {
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
