import { createAuctionClient, formatAmount, pages } from '@auction/client'

const { AUCTIONS_URL: baseUrl = 'http://127.0.0.1:3000', AUCTIONS_TOKEN: token } = process.env
const client = createAuctionClient({ baseUrl, token })
const [owner, rival, me, limit] = [1, 2, 3, 130]

// A desk that is for sale for ten seconds. The rival bids 100, and up to 110 when others bid.
const created = await client.createAuction({
  productId: 7,
  ownerId: owner,
  startingPrice: 100,
  minimumBidIncrement: 5,
  currency: 'USD',
  startTime: new Date(client.now() - 60_000).toISOString(),
  endTime: new Date(client.now() + 10_000).toISOString(),
})
if (!created.ok) throw new Error(created.refusal.message)
const { id: auctionId, currency } = created.data
await client.placeBid({ auctionId, bidderId: rival, amount: 100, maximumAmount: 110 })

for await (const event of client.events(auctionId)) {
  if (event.type === 'ended') console.log(event.result)
  const state = event.type === 'snapshot' ? event.auction : event
  if (!('minimumNextBid' in state) || state.leaderId === me) continue
  const amount = state.minimumNextBid
  if (amount === null || amount > limit) continue
  const placed = await client.placeBid({ auctionId, bidderId: me, amount })
  console.log(placed.ok ? `user ${me} bids ${formatAmount(amount, currency, 'en')}` : placed.refusal.message)
}

for await (const bids of pages((cursor) => client.listBids(auctionId, { cursor, limit: 2 }))) {
  for (const { bidderId, amount } of bids) console.log(`user ${bidderId}: ${amount}`)
}
