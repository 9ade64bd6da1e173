import { createAuctionClient, formatAmount } from '@auction/client'

const { AUCTIONS_URL: baseUrl = 'http://127.0.0.1:3000', AUCTIONS_TOKEN: token } = process.env
const client = createAuctionClient({ baseUrl, token })

for (const amount of [90, 100]) {
  const placed = await client.placeBid({ auctionId: 1, bidderId: 2, amount })
  if (placed.ok) console.log(`bid ${placed.data.id} was placed`)
  else if (placed.refusal.code === 'bid-too-low') {
    const { minimumNextBid, currency } = placed.refusal
    if (minimumNextBid !== null) console.log(`bid at least ${formatAmount(minimumNextBid, currency, 'en')}`)
  } else console.log(placed.refusal.message)
}
