const url = process.env['AUCTIONS_URL'] ?? 'http://127.0.0.1:3000'
const token = process.env['AUCTIONS_TOKEN'] ?? ''

type Auction = { readonly id: number; readonly currency: string }
type Bid = { readonly id: number; readonly amount: number }
type Page<Item> = { readonly items: readonly Item[]; readonly nextCursor: string | null }

/** The envelope of every response: the data, or a stable `code` with its fields. */
type Answer<Data> =
  | { readonly success: true; readonly data: Data }
  | { readonly success: false; readonly code: string; readonly message: string; readonly minimumNextBid?: number }

/** Sends a request, and retries it until its outcome is known. The key ensures that it takes effect once. */
async function send<Data>(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer<Data>> {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body && { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() }),
  }
  for (let tries = 1; ; tries++) {
    try {
      const response = await fetch(`${url}${path}`, { method, headers, body: body ? JSON.stringify(body) : null })
      // 429 and 503 have the seconds to wait. Every other response is final.
      if (![429, 503].includes(response.status) || tries === 5) return (await response.json()) as Answer<Data>
      await seconds(Number(response.headers.get('retry-after') ?? 1))
    } catch (error) {
      if (tries === 5) throw error
      await seconds(tries)
    }
  }
}

const seconds = (count: number) => new Promise((resolve) => setTimeout(resolve, count * 1000))

function dataOf<Data>(answer: Answer<Data>): Data {
  if (answer.success) return answer.data
  throw new Error(`${answer.code}: ${answer.message}`)
}

const fromNow = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
const desk = { productId: 7, ownerId: 1, startingPrice: 100, minimumBidIncrement: 5, currency: 'USD' }
const times = { startTime: fromNow(-1), endTime: fromNow(60) }
const auction = dataOf(await send<Auction>('POST', '/api/Auctions', { ...desk, ...times }))
console.log(`auction ${auction.id} takes bids in ${auction.currency}`)

for (const bidderId of [2, 3]) {
  const offer = { auctionId: auction.id, bidderId, amount: 100 }
  let placed = await send<Bid>('POST', '/api/Bids', offer)
  if (!placed.success && placed.minimumNextBid !== undefined) {
    console.log(`${placed.code}: the next bid must be ${placed.minimumNextBid} at least`)
    placed = await send<Bid>('POST', '/api/Bids', { ...offer, amount: placed.minimumNextBid })
  }
  console.log(`user ${bidderId} bids ${dataOf(placed).amount}`)
}

let cursor: string | null = ''
while (cursor !== null) {
  const after: string = cursor && `&cursor=${cursor}`
  const page: Page<Bid> = dataOf(await send<Page<Bid>>('GET', `/api/Auctions/${auction.id}/Bids?limit=1${after}`))
  for (const { id, amount } of page.items) console.log(`bid ${id}: ${amount}`)
  cursor = page.nextCursor
}
