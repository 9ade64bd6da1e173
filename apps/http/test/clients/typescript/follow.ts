import { createAuctionClient, formatAmount } from '@auction/client'

const { AUCTIONS_URL: baseUrl = 'http://127.0.0.1:3000', AUCTIONS_TOKEN: token } = process.env
const client = createAuctionClient({ baseUrl, token })

for await (const event of client.follow([1, 99])) {
  if (event.type === 'missing') {
    console.log(`not found: ${event.ids}`)
    continue
  }
  const { id, status, currentPrice, currency, effectiveEndTime } = event.auction
  const leftMinutes = Math.round((Date.parse(effectiveEndTime) - client.now()) / 60_000)
  // An auction with sealed bids has no price before its result.
  const price = currentPrice === undefined ? 'sealed bids' : formatAmount(currentPrice, currency, 'en')
  console.log(`auction ${id}: ${status}, ${price}, ${leftMinutes} minutes left`)
}
