import type { components } from './types.ts'

type Schemas = components['schemas']
type Bid = { auctionId: number; bidderId: number; amount: number; maximumAmount: number }

/** Bids with a maximum. If others are faster, bids their minimum next bid, up to that maximum. Returns the last response. */
export async function bidUpTo(url: string, token: string, bid: Bid, send: (request: Request) => Promise<Response>) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  for (let amount = bid.amount; ; ) {
    // Each amount is another request, so it has another key.
    const init = { method: 'POST', headers: { ...headers, 'idempotency-key': crypto.randomUUID() } }
    const response = await send(new Request(`${url}/api/Bids`, { ...init, body: JSON.stringify({ ...bid, amount }) }))
    // The cast: other failures have a code and a message, too.
    const answer = (await response.json()) as Schemas['PlaceBidSuccess'] | Schemas['BidTooLowProblem']
    if (answer.success || answer.code !== 'bid-too-low') return answer
    if (answer.minimumNextBid === null || answer.minimumNextBid > bid.maximumAmount) return answer
    amount = answer.minimumNextBid
  }
}
