import { createAuctionClient } from '@auction/client'

const { AUCTIONS_URL: baseUrl = 'http://127.0.0.1:3000', AUCTIONS_TOKEN: token } = process.env
const client = createAuctionClient({ baseUrl, token })
const [auctionId, bidderId, limit] = [1, 3, 120]

for await (const event of client.events(auctionId)) {
  if (event.type === 'ended') console.log(event.result)
  const state = event.type === 'snapshot' ? event.auction : event
  if (!('minimumNextBid' in state) || state.leaderId === bidderId) continue
  const amount = state.minimumNextBid
  if (amount === null || amount > limit) continue
  const placed = await client.placeBid({ auctionId, bidderId, amount })
  if (placed.ok) console.log(`bid ${amount}`)
  // Another bid was faster: its event follows.
  else if (placed.refusal.code !== 'bid-too-low') console.log(placed.refusal.message)
}
