import { createAuctionClient, orThrow, pages, type SaleEvent } from '@auction/client'
import { expect, test } from 'vitest'
import { operations } from '../../../src/api/operations/table.ts'
import { startServer } from '../../support/server.ts'
import { correcting, permissions, saleManaging, tokenOf } from '../../support/tokens.ts'
import { sellAndBid } from './sell-and-bid.ts'

const sellerToken = tokenOf('anna', { permissions: [...permissions, correcting] })

test.each(operations.map(({ route }) => route))(
  'the client has a method $name, which sends $method $path',
  async (route) => {
    const sent: string[] = []
    const client = createAuctionClient({
      baseUrl: 'http://service',
      fetch: async (url, { method }) => {
        sent.push(`${method} ${new URL(url).pathname}`)
        return Response.json({ success: true, data: {} })
      },
    })
    const method: unknown = Reflect.get(client, route.name)
    if (typeof method !== 'function') throw new Error('the client has no such method')
    const ids = [...route.path.matchAll(/\{\w+\}/g)].map((_, index) => 7 + index)
    const called = ids.length > 0 ? method(...ids, {}, { ifMatch: '*' }) : method([7])
    // A stream is opened when its first event is read, and this is none.
    await (Symbol.asyncIterator in called ? expect(called.next()).rejects.toThrow() : called)
    const path = route.path.replaceAll(/\{\w+\}/g, () => String(ids.shift()))
    expect(sent).toEqual([`${route.method} ${path}`])
  },
)

test('the client creates an auction, corrects it, and places bids', async () => {
  const { url, clock } = await startServer()
  const outcome = await sellAndBid(url, sellerToken, new Date(clock.nowMs()))
  expect(outcome).toEqual({
    ...{ auctionId: 1, title: 'Walnut desk', metadata: { lotNumber: '17', color: 'brown' } },
    ...{ bids: [100, 110], currentPrice: 110 },
  })
})

test('the client buys, cancels, reads in every way, and corrects only what it has read', async () => {
  const { url, clock } = await startServer()
  const client = createAuctionClient({ baseUrl: url, token: sellerToken })
  const { now } = client
  await client.readLiveness()
  await client.listAuctions()
  expect(Math.abs(now() - clock.nowMs())).toBeLessThan(10_000)
  // The clock of the client runs on, and that of the server does not.
  const times = { startTime: new Date(now() - 60_000).toISOString(), endTime: new Date(now() + 60_000).toISOString() }
  const terms = { title: 'Desk', startingPrice: 100, minimumBidIncrement: 5, currency: 'USD', ...times }
  for (const more of [{ reservePrice: 150, buyNowPrice: 200 }, {}, {}]) {
    expect(await client.createAuction({ productId: 7, ownerId: 1, ...terms, ...more })).toMatchObject({ ok: true })
  }
  expect(await client.placeBid({ auctionId: 1, bidderId: 2, amount: 100 })).toMatchObject({ ok: true })
  const bought = await client.buyNow(1, { buyerId: 3 })
  expect(bought).toMatchObject({ data: { result: { outcome: 'bought', buyerId: 3, price: 200 } } })
  expect(await client.buyNow(1, { buyerId: 2 })).toMatchObject({ refusal: { code: 'auction-ended' } })
  expect(await client.cancelAuction(2)).toMatchObject({ data: { result: { outcome: 'cancelled' } } })

  const read = await client.readAuction(3)
  if (!read.ok) throw new Error(read.refusal.message)
  const correct = (title: string) => client.correctAuction(3, { title }, { ifMatch: read.etag })
  expect(await correct('Oak desk')).toMatchObject({ ok: true, data: { title: 'Oak desk' } })
  expect(await correct('Elm desk')).toMatchObject({ ok: false, refusal: { code: 'precondition-failed', status: 412 } })

  expect(await client.placeBidOnAuction(3, { bidderId: 2, amount: 100 })).toMatchObject({ ok: true })
  const bids = await client.listBids(3, { limit: 1 })
  if (!bids.ok) throw new Error(bids.refusal.message)
  const [{ id = 0 } = {}] = bids.data.items
  expect(await client.readBid(id)).toMatchObject({ data: { auctionId: 3, amount: 100 } })
  expect(await client.listBidsOfBidder({ bidderId: 2 })).toMatchObject({
    data: { items: [{ standing: 'leading' }, { standing: 'lost' }] },
  })
  expect(await client.listAuctions({ ids: [2, 3] })).toMatchObject({ data: { items: [{ id: 2 }, { id: 3 }] } })
  expect(await client.followAuctions([3, 9])).toMatchObject({ data: { items: [{ auction: { id: 3 } }], missing: [9] } })
  expect(await client.listEvents(3, { after: 1 })).toMatchObject({ data: { items: [{ type: 'bid' }], isAtHead: true } })
  expect(await client.readReadiness()).toEqual({ ok: true, data: {} })
})

test('the client creates a sale, adds more lots than one request may have, and follows and changes them', async () => {
  const { url, clock } = await startServer()
  const client = createAuctionClient({
    baseUrl: url,
    token: tokenOf('clerk', { permissions: [...permissions, saleManaging] }),
  })
  const { id } = orThrow(
    await client.createSale({
      ...{ title: 'Spring sale', currency: 'USD', intervalSeconds: 60 },
      startTime: new Date(clock.nowMs()).toISOString(),
      firstEndTime: new Date(clock.nowMs() + 3_600_000).toISOString(),
      lotDefaults: { productId: 1, ownerId: 1, minimumBidIncrement: 5 },
    }),
  ).data
  const rows = Array.from({ length: 150 }, (_, at) => `${at + 1};"A lot\nof ""two"" lines; and more";10`)
  const csv = (changed: readonly string[]) => ['\uFEFFlot;title;startingPrice', '', ...changed, ';;', ''].join('\r\n')
  const wrong = csv(rows.map((row, at) => (at === 1 || at === 149 ? `${row},5` : row)))
  const refused = await client.addLots(id, wrong, { check: true })
  expect(refused).toMatchObject({
    refusal: {
      errors: [
        { pointer: '/lots/1/startingPrice', message: expect.stringMatching(/^line 5, column startingPrice: /) },
        { pointer: '/lots/149/startingPrice', message: expect.stringMatching(/^line 301, column startingPrice: /) },
      ],
    },
  })
  const added = orThrow(await client.addLots(id, csv(rows), { key: 'catalogue' })).data.lots
  expect(added.map(({ lot }) => lot)).toEqual(rows.map((_, at) => `${at + 1}`))
  expect(orThrow(await client.addLots(id, csv(rows), { key: 'catalogue' })).data.lots).toEqual(added)
  const more = Array.from({ length: 101 }, (_, at) => ({ lot: `${at + 200}`, startingPrice: 10 }))
  expect(orThrow(await client.addLots(id, { lots: more })).data.lots).toHaveLength(101)
  const listed: number[] = []
  for await (const lots of pages((cursor) => client.listLots(id, { limit: 100, cursor }))) listed.push(lots.length)
  expect(listed).toEqual([100, 100, 51])
  expect(await client.listSales()).toMatchObject({ data: { items: [{ id }] } })

  const events: SaleEvent[] = []
  for await (const event of client.followSale(id)) {
    events.push(event)
    if (event.type !== 'ready') continue
    expect(events.map(({ type }) => type)).toEqual(['sale', 'lots', 'lots', 'lots', 'ready'])
    break
  }
  expect(await client.extendSale(id, { seconds: 60, reason: 'Outage' })).toMatchObject({ ok: true })
  const cancelled = await client.cancelLots(id, { lots: ['1'], reason: 'Damaged' })
  expect(cancelled).toMatchObject({ data: { lots: [{ lot: '1', outcome: 'cancelled' }] } })
  expect(await client.readSale(id)).toMatchObject({
    data: { extendedSeconds: 60, counts: { lots: 251, cancelled: 1 } },
  })
})
