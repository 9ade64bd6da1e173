import { describe, expect, test } from 'vitest'
import { type Receiver, startReceiver } from '../../../tools/vitest/receiver.ts'
import type { Client } from './support/client.ts'
import { createRecordingClient, type Received } from './support/recording-client.ts'
import { startServer, type TestServer } from './support/server.ts'
import { permissions, reserveReader, tokenOf, webhookSecret } from './support/tokens.ts'

// No other value has these digits, and all prices are lower, so any text with these digits reveals the value.
const reservePrice = 7_654_321.12
const maximumAmount = 6_543_219.87
const raisedMaximum = 6_543_220.98

/** An amount as a decimal and in minor units. */
const spellingsOf = (figure: number): readonly string[] => [String(figure), String(Math.round(figure * 100))]

const readings = [
  ...['/api/Auctions/1', '/api/Auctions/2', '/api/Auctions/3'],
  '/api/Auctions',
  '/api/Auctions?status=Active&sort=endTime',
  '/api/Auctions?status=Ended',
  '/api/Auctions?status=Cancelled',
  '/api/Auctions?ids=3,2,1',
  '/api/Auctions/1/Bids',
  ...['/api/Bids?bidderId=2', '/api/Bids?bidderId=3'],
  '/api/Auctions/1/Bids?limit=1',
  ...Array.from({ length: 8 }, (_, index) => `/api/Bids/${index + 1}`),
]

/** Reads all resources by GET, by HEAD, and with their entity tags. */
async function readAll(client: Client): Promise<void> {
  for (const path of readings) {
    const { headers } = await client.get(path)
    await client.send('HEAD', path)
    const tag = headers.get('etag')
    if (tag !== null) await client.send('GET', path, { headers: { 'if-none-match': tag } })
  }
}

type Cast = { readonly owner: Client; readonly bidder: Client; readonly other: Client }

/** Collects each response of each operation, for active, bought, cancelled and ended auctions. */
async function play(server: TestServer, { owner, bidder, other }: Cast, everybody: readonly Client[]): Promise<void> {
  const readByAll = async () => {
    for (const client of everybody) await readAll(client)
  }
  const key = { 'idempotency-key': 'one' }
  const formats = {
    reservePrice,
    buyNowPrice: 9_000_000,
    softClose: { windowSeconds: 60, extensionSeconds: 60, latestEndTime: '2030-02-07T13:00:00Z' },
  }
  const create = (fields: object, headers?: Readonly<Record<string, string>>) =>
    owner.createAuction({ ...formats, ...fields }, headers)
  await create({}, key)
  await create({ cancellableUntilEnd: true })
  await create({ title: 'A third' })
  await create({}, key)
  await create({ title: 'Another' }, key)
  // Invalid secrets, together with other invalid fields.
  await create({ currency: 'JPY' })
  await create({ startingPrice: 9_000_000 })
  await create({ buyNowPrice: 6_000_000 })
  await create({ softClose: { ...formats.softClose, latestEndTime: '2031-01-01T00:00:00Z', colour: 1 } })
  await create({ currency: 'JPY', endTime: '2029-01-01T00:00:00Z' })
  await readByAll()

  for (let times = 0; times < 2; times++) await bidder.placeBid({ maximumAmount }, key)
  await bidder.placeBid({ maximumAmount: raisedMaximum }, key)
  await bidder.placeBid({ amount: 1, maximumAmount })
  await bidder.placeBid({ amount: maximumAmount, maximumAmount: 1 })
  await bidder.placeBid({ auctionId: 99, maximumAmount })
  await bidder.placeBid({ maximumAmount: maximumAmount + 0.005 })
  await bidder.placeBid({ amount: 'x', maximumAmount })
  await other.placeBid({ bidderId: 3, amount: 500 })
  await other.placeBid({ bidderId: 3, amount: 501 })
  await other.placeBid({ bidderId: 3, amount: 510.005 })
  await other.placeBid({ bidderId: 3, amount: 600, maximumAmount: 700 })
  await owner.placeBid({ bidderId: 1, amount: 5_000 })
  await other.placeBid({ bidderId: 2, amount: 5_000 })
  await bidder.placeBid({ amount: 1, maximumAmount: raisedMaximum })
  await other.cancelAuction()
  await owner.cancelAuction()
  await owner.buyNow({ buyerId: 1 })
  await readByAll()

  const bought = await other.post('/api/Auctions/2/Purchase', { buyerId: 3 })
  expect(bought.status).toBe(201)
  await owner.post('/api/Auctions/2/Purchase', { buyerId: 1 })
  const cancelled = await owner.post('/api/Auctions/3/Cancellation', { reason: 'Lost' })
  expect(cancelled.status).toBe(201)
  await other.post('/api/Auctions/3/Cancellation', {})
  await other.placeBid({ auctionId: 3, bidderId: 3 })
  await readByAll()

  server.clock.set('2030-02-07T11:59:30Z')
  await other.placeBid({ bidderId: 3, amount: 1_000 })
  server.clock.set('2030-02-07T12:01:00Z')
  await server.service.closeDue()
  await other.placeBid({ bidderId: 3, amount: 5_000_000 })
  await other.buyNow({ buyerId: 3 })
  await owner.cancelAuction()
  await readByAll()
  expect((await other.get('/api/Auctions/1')).body.data.result).toEqual({
    outcome: 'unsold',
    reason: 'reserve-not-met',
  })
}

/** The responses that contain one of the amounts. */
const placesOf = (figures: readonly number[], received: readonly Received[]): readonly string[] => {
  const spellings = figures.flatMap(spellingsOf)
  return received.filter(({ text }) => spellings.some((spelling) => text.includes(spelling))).map(({ where }) => where)
}

const linesOf = ({ log }: TestServer): readonly Received[] => log.map((text) => ({ where: text, text }))

/** The messages of all auctions, each of which has ended. */
async function allMessages(receiver: Receiver): Promise<readonly Received[]> {
  const { messages, received } = receiver
  while (messages.filter(({ body }) => body.includes('auction.ended')).length < 3) await received(messages.length + 1)
  return messages.map(({ headers, body }) => ({ where: body, text: JSON.stringify(headers) + body }))
}

describe('with callers bound to users', () => {
  test('only the owner and readers see a reserve, only its bidder sees a maximum, and the log and webhooks have neither', async () => {
    const receiver = await startReceiver()
    const webhook = { WEBHOOK_URL: receiver.url, WEBHOOK_SECRET: webhookSecret }
    const server = await startServer({
      environment: { JWT_SUBJECT_CLAIM: 'uid', LOG_LEVEL: 'trace', RATE_LIMIT_MAX: '100000', ...webhook },
    })
    const as = (uid: number | null, claims: object = {}) =>
      createRecordingClient(server, tokenOf(`user-${uid}`, { uid, ...claims }))
    const [owner, bidder, other, unnamed] = [as(1), as(2), as(3), as(null)]
    const reader = as(9, { permissions: [...permissions, reserveReader] })
    const cast = { owner: owner.client, bidder: bidder.client, other: other.client }
    await play(
      server,
      cast,
      [owner, bidder, other, unnamed, reader].map(({ client }) => client),
    )

    const [reserves, maximums] = [[reservePrice], [maximumAmount, raisedMaximum]]
    expect(placesOf([...reserves, ...maximums], [...other.received, ...unnamed.received, ...linesOf(server)])).toEqual(
      [],
    )
    expect(placesOf(maximums, [...owner.received, ...reader.received])).toEqual([])
    expect(placesOf(reserves, bidder.received)).toEqual([])
    // The search finds the amounts where they are visible.
    expect(new Set(placesOf(reserves, owner.received)).size).toBeGreaterThan(7)
    expect(placesOf(reserves, reader.received)).toContain('GET /api/Auctions/1')
    expect(placesOf([maximumAmount], bidder.received)).toContain('GET /api/Bids/1')
    expect(placesOf([raisedMaximum], bidder.received)).not.toEqual([])
    expect(server.log.length).toBeGreaterThan(100)
    expect(placesOf([...reserves, ...maximums], await allMessages(receiver))).toEqual([])
  })
})

describe('with callers not bound to users', () => {
  test('no caller sees a maximum, and only callers with the permission see a reserve', async () => {
    const server = await startServer({ environment: { LOG_LEVEL: 'trace', RATE_LIMIT_MAX: '100000' } })
    const [anna, reader] = [
      createRecordingClient(server, tokenOf('anna')),
      createRecordingClient(server, tokenOf('carl', { permissions: [reserveReader] })),
    ]
    const { client } = anna
    await play(server, { owner: client, bidder: client, other: client }, [client, reader.client])
    expect(placesOf([reservePrice, maximumAmount, raisedMaximum], [...anna.received, ...linesOf(server)])).toEqual([])
    expect(placesOf([maximumAmount, raisedMaximum], reader.received)).toEqual([])
    expect(placesOf([reservePrice], reader.received)).toContain('GET /api/Auctions/1')
  })
})

test('internal errors are logged without reserves and maximums', async () => {
  const failing = new Set<string>()
  const server = await startServer({
    environment: { LOG_LEVEL: 'trace', JWT_SUBJECT_CLAIM: 'uid' },
    replaceInStore: (store) => ({
      async insertAuction(auction) {
        if (failing.has('insert')) throw new Error('the disk is full')
        return store.insertAuction(auction)
      },
      async append(entries) {
        if (failing.has('append')) throw new Error('the disk is full')
        return store.append(entries)
      },
    }),
  })
  const owner = createRecordingClient(server, tokenOf('anna', { uid: 1 }))
  const bidder = createRecordingClient(server, tokenOf('bert', { uid: 2 }))
  await owner.client.createAuction({ reservePrice })
  failing.add('insert').add('append')
  expect((await owner.client.createAuction({ reservePrice })).status).toBe(503)
  expect((await bidder.client.placeBid({ maximumAmount })).status).toBe(503)
  expect(server.log.join('')).toContain('the disk is full')
  expect(
    placesOf([reservePrice, maximumAmount], [...linesOf(server), ...bidder.received, ...owner.received.slice(1)]),
  ).toEqual([])
})
