import { sampleAuction } from '@auction/testing/samples'
import { expect, test } from 'vitest'
import { type AuctionClient, bidIn, clientOf, newAuction, openAuction } from './support/client.ts'
import { serverOfFile, startServer } from './support/server.ts'

// What responses contain, field by field. `specification.test.ts` has the fields of the specification.

const server = await serverOfFile()

const endTime = '2030-02-07T12:00:00Z'
const softClose = { windowSeconds: 60, extensionSeconds: 120, latestEndTime: '2030-02-07T12:15:00Z' }
const metadata = { pictureUrl: 'https://shop.example/desk.jpg', 'lot.number': '17', constructor: 'Thonet' }
const increments = {
  incrementSteps: [
    { fromPrice: 99.99, increment: 5 },
    { fromPrice: 1_000, increment: 50.5 },
  ],
  maximumBidIncrement: 900,
}
const formats = { softClose, buyNowPrice: 500, cancellableUntilEnd: false, ...increments, metadata }

test('optional features are echoed as sent, and a read adds their current values', async () => {
  const created = await clientOf(server).createAuction(formats)
  expect(created.body.data).toEqual({ id: expect.any(Number), ...newAuction, ...formats, status: 'Pending' })
  const read = (await clientOf(server).get(created.headers.get('location') ?? '')).body.data
  expect(read).toEqual({
    ...created.body.data,
    status: 'Active',
    currentPrice: 100,
    minimumNextBid: 100,
    maximumNextBid: 1_000,
    bidCount: 0,
    leaderId: null,
    effectiveEndTime: endTime,
    buyNowOffered: true,
    result: null,
    createdAt: expect.stringMatching(/Z$/),
    endedAt: null,
    correctedAt: null,
    repairCount: 0,
  })
})

test('features that an auction does not have are omitted', async () => {
  const auction = await openAuction(server)
  const standing = [
    'status',
    'currentPrice',
    'minimumNextBid',
    'bidCount',
    'leaderId',
    'effectiveEndTime',
    'result',
    'createdAt',
    'endedAt',
    'correctedAt',
    'repairCount',
  ]
  expect(Object.keys(await auction.read())).toEqual(['id', ...Object.keys(newAuction), ...standing])
})

test('a resource can be sent back, and its assigned fields are ignored', async () => {
  const auction = await openAuction(server, formats)
  const read = await auction.read()
  const again = await auction.post('/api/Auctions', { ...read, timestamp: 'never', reserveMet: false })
  expect(again.body.data).toEqual({ id: again.body.data.id, ...newAuction, ...formats, status: 'Pending' })
  expect(again.body.data.id).not.toBe(auction.id)
  const bid = (await auction.placeBid()).body.data
  const sent = { ...bid, amount: 105, automatic: true, raisesMaximum: true, yourPseudonym: -7 }
  expect((await auction.post('/api/Bids', sent)).body.data).toEqual({ ...bid, id: expect.any(Number), amount: 105 })
})

test.each([
  { path: 'Purchase', body: { buyerId: 3 }, message: /^Auction \d+ was bought\.$/ },
  { path: 'Cancellation', body: { reason: 'Lost' }, message: /^Auction \d+ was cancelled\.$/ },
])('a $path is 201 with the auction, as a read has it', async ({ path, body, message }) => {
  const auction = await openAuction(server, { buyNowPrice: 500 })
  const response = await auction.post(`/api/Auctions/${auction.id}/${path}`, body)
  expect(response).toMatchObject({ status: 201, body: { success: true, message: expect.stringMatching(message) } })
  expect(response.headers.get('location')).toBe(`/api/Auctions/${auction.id}`)
  expect(response.body.data).toEqual(await auction.read())
  expect(response.body.data.buyNowOffered).toBe(false)
})

test('each end has its moment and its result', async () => {
  const reserved = { reservePrice: 300, endTime: '2030-01-31T13:00:00Z' }
  const [sold, unsold, bought, cancelled] = [
    await openAuction(server, reserved),
    await openAuction(server, reserved),
    await openAuction(server, { buyNowPrice: 500 }),
    await openAuction(server),
  ]
  const winning = await sold.placeBid({ amount: 300 })
  await unsold.placeBid({ amount: 299.99 })
  server.clock.set('2030-01-31T12:00:01.500Z')
  await bought.buyNow({ buyerId: 3 })
  await cancelled.cancelAuction({ reason: '😀'.repeat(500) })
  server.clock.set('2030-01-31T13:00:02Z')
  expect(await sold.read()).toMatchObject({ status: 'Ended', endedAt: null, result: null, reserveMet: true })
  await server.service.closeDue()
  const endOf = async (auction: AuctionClient) => {
    const { status, createdAt, endedAt, result } = await auction.read()
    expect(createdAt).toBe('2030-01-31T12:00:00.000Z')
    return { status, endedAt, result }
  }
  const [early, late] = ['2030-01-31T12:00:01.500Z', '2030-01-31T13:00:02.000Z']
  const sale = { outcome: 'sold', bidId: winning.body.data.id, winnerId: 2, price: 300 }
  expect(await endOf(sold)).toEqual({ status: 'Ended', endedAt: late, result: sale })
  expect(await unsold.read()).toMatchObject({
    result: { outcome: 'unsold', reason: 'reserve-not-met' },
    reserveMet: false,
  })
  const purchase = { outcome: 'bought', buyerId: 3, price: 500 }
  expect(await endOf(bought)).toEqual({ status: 'Ended', endedAt: early, result: purchase })
  const cancellation = { outcome: 'cancelled', reason: '😀'.repeat(500) }
  expect(await endOf(cancelled)).toEqual({ status: 'Cancelled', endedAt: early, result: cancellation })
})

test('an automatic bid has its own id, and the response to the lower bid reports it', async () => {
  const auction = await openAuction(server)
  await auction.placeBid({ maximumAmount: 200 })
  const outbid = await auction.placeBid({ bidderId: 3, amount: 120 })
  const { id } = outbid.body.data
  expect(outbid).toMatchObject({ status: 201, body: { data: { bidderId: 3, amount: 120 } } })
  expect(outbid.body.message).toBe(`Bid ${id} was placed and outbid by the leader's maximum, which leads at 125 USD.`)
  expect(outbid.headers.get('location')).toBe(`/api/Bids/${id}`)
  const automatic = await auction.get(`/api/Bids/${id + 1}`)
  expect(automatic.body.message).toBe(`Bid ${id + 1} was placed.`)
  const { timestamp } = outbid.body.data
  expect(automatic.body.data).toEqual({
    id: id + 1,
    auctionId: auction.id,
    bidderId: 2,
    amount: 125,
    timestamp,
    automatic: true,
  })
  expect((await auction.bids()).map((bid) => [bid.amount, bid.automatic])).toEqual([
    [125, true],
    [120, undefined],
    [100, undefined],
  ])
})

test('a raised maximum has an id, and lists omit it', async () => {
  const auction = await openAuction(server, { reservePrice: 150 })
  await auction.placeBid({ maximumAmount: 120 })
  const lifted = await auction.placeBid({ amount: 100, maximumAmount: 150 })
  const { id } = lifted.body.data
  expect(lifted.body).toMatchObject({
    message: `The maximum was raised (id ${id}); the bidder leads at 150 USD.`,
    data: { amount: 150, raisesMaximum: true },
  })
  const raised = await auction.placeBid({ amount: 100, maximumAmount: 300 })
  const message = `The maximum was raised (id ${raised.body.data.id}`
  expect(raised.body.message).toBe(`${message}); the bidder leads.`)
  expect(raised.headers.get('location')).toBe(`/api/Bids/${raised.body.data.id}`)
  const bid = bidIn(raised)
  const read = (await auction.get(`/api/Bids/${bid.id}`)).body
  expect(read.message).toBe(`${message}).`)
  expect(read.data).toEqual(bid)
  expect(await auction.bids()).toHaveLength(2)
})

test.each([
  { currency: 'JPY', amount: 12_345, minimumBidIncrement: 1 },
  { currency: 'USD', amount: 0.1, minimumBidIncrement: 0.01 },
  { currency: 'KWD', amount: 1.005, minimumBidIncrement: 0.001 },
  { currency: 'USD', amount: 9_999_999_999_999.99, minimumBidIncrement: 0.01 },
  { currency: 'JPY', amount: 999_999_999_999_999, minimumBidIncrement: 1 },
])('an amount of $amount $currency is exact', async ({ currency, amount, minimumBidIncrement }) => {
  const auction = await openAuction(server, { currency, startingPrice: amount, minimumBidIncrement })
  expect((await auction.placeBid({ amount })).text).toContain(`"amount":${amount},`)
  expect((await auction.get(`/api/Auctions/${auction.id}`)).text).toContain(`"currentPrice":${amount},`)
})

test.each(['DEM', 'USD'])('an auction in %s keeps the decimals that it was created with', async (currency) => {
  const old = await startServer()
  const decimals = { currency, currencyExponent: 3, startingPriceMinor: 100_000, minimumBidIncrementMinor: 5 }
  await old.store.insertAuction(sampleAuction(decimals))
  const anna = clientOf(old)
  const priced = { startingPrice: 100, minimumBidIncrement: 0.005, currency }
  expect((await anna.get('/api/Auctions')).body.data.items).toMatchObject([priced])
  const placed = await anna.placeBid({ amount: 100.005 })
  expect((await anna.get('/api/Auctions/1/Bids')).body.data.items).toEqual([bidIn(placed)])
  expect((await anna.placeBid({ amount: 100.009 })).body).toMatchObject({ minimumNextBid: 100.01 })
})

test('a lot and its events have the sale and its number, and nothing else of the sale', async () => {
  const own = await startServer()
  await own.store.insertAuction(sampleAuction({ saleId: 7, lot: '12A', saleSequence: 3 }))
  const anna = clientOf(own)
  await anna.placeBid({ amount: 100 })
  const read = (await anna.get('/api/Auctions/1')).body.data
  const [event] = (await anna.get('/api/Auctions/1/Events')).body.data.items
  expect([read, event]).toMatchObject([
    { id: 1, saleId: 7, lot: '12A' },
    { type: 'bid', saleId: 7, lot: '12A' },
  ])
  expect([read, event].flatMap(Object.keys)).not.toContain('saleSequence')
})
