import { setTimeout } from 'node:timers/promises'
import { createAuctionClient } from '@auction/client'

const { AUCTIONS_URL: baseUrl = 'http://127.0.0.1:3000', AUCTIONS_TOKEN: token } = process.env
const client = createAuctionClient({ baseUrl, token })
const [auctionId, bidderId, limit] = [1, 3, 120]

for await (const event of client.follow([auctionId])) {
  if (event.type === 'missing') throw new Error(`auction ${auctionId} does not exist`)
  const { status, leaderId, minimumNextBid, result } = event.auction
  if (result !== null) console.log(result)
  if (status !== 'Active' || leaderId === bidderId || minimumNextBid === null || minimumNextBid > limit) continue
  for (;;) {
    const placed = await client.placeBid({ auctionId, bidderId, amount: minimumNextBid })
    if (placed.ok) console.log(`bid ${minimumNextBid}`)
    // Another bid was faster: the next state has it.
    else if (placed.refusal.code !== 'bid-too-low') console.log(placed.refusal.message)
    // The clock of this device may be fast.
    if (placed.ok || placed.refusal.code !== 'auction-not-started') break
    await setTimeout(1_000)
  }
}
