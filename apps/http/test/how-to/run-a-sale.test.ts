import { createMemoryStore } from '@auction/adapters/memory'
import { type AuctionClient, createAuctionClient, orThrow } from '@auction/client'
import { expect, test } from 'vitest'
import { clientOf } from '../support/client.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { managing, permissions, saleManaging, tokenOf } from '../support/tokens.ts'
// @ts-expect-error: plain JavaScript, as the page has it
import { bidInSale as untypedBidding } from './scripts/bid-in-a-sale.js'
// @ts-expect-error: plain JavaScript, as the page has it
import { keepDistance as untypedKeeping } from './scripts/keep-distance.js'

type Bidder = { readonly bidderId: number; readonly token: string }
type Counts = Readonly<Record<string, number>>
const bidInSale: (saleId: number, urls: readonly string[], bidders: readonly Bidder[]) => Promise<Counts> =
  untypedBidding
const keepDistance: (client: AuctionClient, saleId: number) => Promise<void> = untypedKeeping

const clerkToken = tokenOf('clerk', { permissions: [...permissions, saleManaging, managing] })

/** A sale of lots that end one after another, from an hour after the start of the test. */
async function openSale(server: Pick<TestServer, 'url'>, count: number, intervalSeconds: number, softSeconds: number) {
  const client = createAuctionClient({ baseUrl: server.url, token: clerkToken })
  const { data: sale } = orThrow(
    await client.createSale({
      ...{ title: 'Estate', currency: 'USD', startTime: '2030-01-31T11:00:00Z', firstEndTime: '2030-01-31T13:00:00Z' },
      intervalSeconds,
      lotDefaults: {
        ...{ productId: 1, ownerId: 1, startingPrice: 10, minimumBidIncrement: 5 },
        softClose: { windowSeconds: softSeconds, extensionSeconds: softSeconds, latestEndTime: '2030-01-31T15:00:00Z' },
      },
    }),
  )
  const lots = Array.from({ length: count }, (_, index) => ({ lot: String(index + 1), title: 'Clock' }))
  const { data } = orThrow(await client.addLots(sale.id, { lots }))
  return { client, id: sale.id, ids: data.lots.map(({ auctionId = 0 }) => auctionId) }
}

test('lots wait for those before them, and an extension of the sale moves each once', async () => {
  const server = await startServer()
  const { client, id, ids } = await openSale(server, 3, 30, 60)
  const kept = keepDistance(client, id)
  /** Waits until a lot has this end, in the stream that the program follows, too. */
  const endsAt = async (auctionId: number | undefined, time: string) => {
    for await (const event of client.followSale(id)) {
      if (event.type !== 'lots') continue
      if (event.lots.some((lot) => lot.id === auctionId && lot.effectiveEndTime === time)) return
    }
  }
  server.clock.set('2030-01-31T12:59:50Z')
  orThrow(await client.placeBid({ auctionId: ids[0] ?? 0, bidderId: 2, amount: 10 }))
  await endsAt(ids[1], '2030-01-31T13:01:20.000Z')
  orThrow(await client.extendSale(id, { seconds: 600, reason: 'Outage' }))
  await endsAt(ids[1], '2030-01-31T13:11:20.000Z')
  // Lot 2 ends 50 seconds later than by its number, and lot 3 waits once lot 2 is the current one.
  await endsAt(ids[2], '2030-01-31T13:11:00.000Z')
  orThrow(await client.cancelLots(id, { lots: ['1'], reason: 'Withdrawn' }))
  await endsAt(ids[2], '2030-01-31T13:11:50.000Z')
  orThrow(await client.cancelLots(id, { lots: ['2', '3'], reason: 'Withdrawn' }))
  await kept
})

test('bids on several servers, while lots end every second, are counted as the results have them', async () => {
  const store = createMemoryStore()
  const environment = { RATE_LIMIT_MAX: '1000000' }
  const servers = [await startServer({ store, environment }), await startServer({ store, environment })] as const
  const [first] = servers
  const { client, id } = await openSale(first, 20, 1, 5)
  for (const { clock } of servers) clock.set('2030-01-31T12:59:55Z')
  const bidders = [2, 3, 4, 5, 6, 7].map((bidderId) => ({ bidderId, token: tokenOf(`bidder ${bidderId}`) }))
  let isOver = false
  const bidding = bidInSale(
    id,
    servers.map(({ url }) => url),
    bidders,
  ).finally(() => {
    isOver = true
  })
  while (!isOver) {
    for (const { clock } of servers) clock.advance(250)
    for (const { service } of servers) await service.closeDue()
    await clientOf(first).get('/livez')
  }
  const counts = await bidding
  const { data } = orThrow(await client.listLots(id, { limit: 100 }))
  const bids = data.items.map(({ bidCount = 0 }) => bidCount)
  expect(counts['placed']).toBe(bids.reduce((sum, count) => sum + count, 0))
  expect(counts['placed']).toBeGreaterThan(0)
  expect(orThrow(await client.readSale(id)).data).toMatchObject({ status: 'Ended', counts: { open: 0, lots: 20 } })
})
