import { expect, test } from 'vitest'
import { type Receiver, startReceiver } from '../../../tools/vitest/receiver.ts'
import { type ApiResponse, type Client, clientOf } from './support/client.ts'
import { startServer, type TestServer } from './support/server.ts'
import { bidderReader, permissions, reserveReader, tokenOf, webhookSecret } from './support/tokens.ts'

/** A response, with its headers, as one text. */
type Received = { readonly where: string; readonly text: string }

type RecordingClient = { readonly client: Client; readonly received: Received[] }

/** A client that keeps all response bodies and headers. */
function createRecordingClient(server: Pick<TestServer, 'url'>, token: string): RecordingClient {
  const received: Received[] = []
  const own = clientOf(server, token)
  const remember = async (where: string, pending: Promise<ApiResponse>): Promise<ApiResponse> => {
    const response = await pending
    received.push({ where, text: `${response.text} ${JSON.stringify([...response.headers])}` })
    return response
  }
  const send: Client['send'] = (method, path, options) => remember(`${method} ${path}`, own.send(method, path, options))
  const sendBody =
    (method: string, send: Client['post']): Client['post'] =>
    (path, body, headers) =>
      remember(`${method} ${path} ${JSON.stringify(body)}`, send(path, body, headers))
  return {
    received,
    client: {
      send,
      post: sendBody('POST', own.post),
      put: sendBody('PUT', own.put),
      patch: sendBody('PATCH', own.patch),
      get: (path) => send('GET', path),
      createAuction: (...values) => remember('create', own.createAuction(...values)),
      placeBid: (...values) => remember('bid', own.placeBid(...values)),
      buyNow: (...values) => remember('buy', own.buyNow(...values)),
      cancelAuction: (...values) => remember('cancel', own.cancelAuction(...values)),
    },
  }
}

// No other value has these digits, and all prices are lower, so any text with these digits reveals the value.
const reservePrice = 7_654_321.12
const maximumAmount = 6_543_219.87
const raisedMaximum = 6_543_220.98

// No other number has these digits.
const [anna, bert] = [7_310_842_965_127, 7_920_461_358_903] as const

/** An amount as a decimal and in minor units. */
const spellingsOf = (figure: number): readonly string[] => [String(figure), String(Math.round(figure * 100))]

const readings = [
  ...['/api/Auctions/1', '/api/Auctions/2', '/api/Auctions/3', '/api/Auctions/4'],
  ...['/api/Auctions/1?at=0', '/api/Auctions/1?at=1', '/api/Auctions/1?at=2', '/api/Auctions/2?at=1'],
  '/api/Auctions',
  '/api/Auctions?status=Active&sort=endTime',
  '/api/Auctions?status=Ended',
  '/api/Auctions?status=Cancelled',
  '/api/Auctions?ids=3,2,1',
  ...['/api/Auctions/1/Bids', '/api/Auctions/4/Bids', '/api/Auctions/1/Events', '/api/Auctions/2/Events'],
  ...[`/api/Bids?bidderId=${anna}`, `/api/Bids?bidderId=${bert}`],
  '/api/Auctions/1/Bids?limit=1',
  ...Array.from({ length: 8 }, (_, index) => `/api/Bids/${index + 1}`),
]

/** Reads all resources, and again with their entity tags. */
async function readAll(client: Client): Promise<void> {
  for (const path of readings) {
    const { headers } = await client.get(path)
    const tag = headers.get('etag')
    if (tag !== null) await client.send('GET', path, { headers: { 'if-none-match': tag } })
  }
}

type Cast = { readonly owner: Client; readonly bidder: Client; readonly other: Client }

/** Collects each response of each operation, for active, bought, cancelled, sold and unsold auctions. Anna and Bert bid. */
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
  await owner.createAuction({ title: 'A fourth' })
  await create({}, key)
  await create({ title: 'Another' }, key)
  // Invalid secrets, together with other invalid fields.
  await create({ currency: 'JPY' })
  await create({ startingPrice: 9_000_000 })
  await create({ buyNowPrice: 6_000_000 })
  await create({ softClose: { ...formats.softClose, latestEndTime: '2031-01-01T00:00:00Z', colour: 1 } })
  await create({ currency: 'JPY', endTime: '2029-01-01T00:00:00Z' })
  await readByAll()

  for (let times = 0; times < 2; times++) await bidder.placeBid({ bidderId: anna, maximumAmount }, key)
  await bidder.placeBid({ bidderId: anna, maximumAmount: raisedMaximum }, key)
  await bidder.placeBid({ bidderId: anna, amount: 1, maximumAmount })
  await bidder.placeBid({ bidderId: anna, amount: maximumAmount, maximumAmount: 1 })
  await bidder.placeBid({ bidderId: anna, auctionId: 99, maximumAmount })
  await bidder.placeBid({ bidderId: anna, maximumAmount: maximumAmount + 0.005 })
  await bidder.placeBid({ bidderId: anna, amount: 'x', maximumAmount })
  await other.placeBid({ bidderId: bert, amount: 500 })
  await other.placeBid({ bidderId: bert, amount: 501 })
  await other.placeBid({ bidderId: bert, amount: 510.005 })
  await other.placeBid({ bidderId: bert, amount: 600, maximumAmount: 700 })
  await owner.placeBid({ bidderId: 1, amount: 5_000 })
  await other.placeBid({ bidderId: anna, amount: 5_000 })
  await bidder.placeBid({ bidderId: anna, amount: 1, maximumAmount: raisedMaximum })
  await other.cancelAuction()
  await owner.cancelAuction()
  await owner.buyNow({ buyerId: 1 })
  await readByAll()

  const bought = await other.post('/api/Auctions/2/Purchase', { buyerId: bert })
  expect(bought.status).toBe(201)
  await owner.post('/api/Auctions/2/Purchase', { buyerId: 1 })
  const cancelled = await owner.post('/api/Auctions/3/Cancellation', { reason: 'Lost' })
  expect(cancelled.status).toBe(201)
  await other.post('/api/Auctions/3/Cancellation', {})
  await other.placeBid({ auctionId: 3, bidderId: bert })

  expect((await bidder.placeBid({ auctionId: 4, bidderId: anna })).status).toBe(201)
  server.clock.set('2030-02-07T11:59:30Z')
  await other.placeBid({ bidderId: bert, amount: 1_000 })
  server.clock.set('2030-02-07T12:01:00Z')
  await server.service.closeDue()
  await other.placeBid({ bidderId: bert, amount: 5_000_000 })
  await other.buyNow({ buyerId: bert })
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
  while (messages.filter(({ body }) => body.includes('auction.ended')).length < 4) await received(messages.length + 1)
  return messages.map(({ headers, body }) => ({ where: body, text: JSON.stringify(headers) + body }))
}

const idsIn = (received: readonly Received[]): readonly number[] =>
  [anna, bert].filter((id) => received.some(({ text }) => text.includes(String(id))))

test('with users, each sees only what concerns them, and the log and webhooks have neither reserves nor maximums', async () => {
  const receiver = await startReceiver()
  const server = await startServer({
    environment: {
      JWT_SUBJECT_CLAIM: 'uid',
      PSEUDONYM_SECRET: 'a secret for pseudonyms, of 32 bytes and more',
      LOG_LEVEL: 'trace',
      RATE_LIMIT_MAX: '100000',
      WEBHOOK_URL: receiver.url,
      WEBHOOK_SECRET: webhookSecret,
    },
  })
  const as = (uid: number | null, claims: object = {}) =>
    createRecordingClient(server, tokenOf(`user ${(uid ?? 0) % 100}`, { uid, ...claims }))
  const [owner, bidder, other, unnamed] = [as(1), as(anna), as(bert), as(null)]
  const reader = as(9, { permissions: [...permissions, reserveReader, bidderReader] })
  const cast = { owner: owner.client, bidder: bidder.client, other: other.client }
  await play(
    server,
    cast,
    [owner, bidder, other, unnamed, reader].map(({ client }) => client),
  )

  const [reserves, maximums] = [[reservePrice], [maximumAmount, raisedMaximum]]
  expect(placesOf([...reserves, ...maximums], [...other.received, ...unnamed.received, ...linesOf(server)])).toEqual([])
  expect(placesOf(maximums, [...owner.received, ...reader.received])).toEqual([])
  expect(placesOf(reserves, bidder.received)).toEqual([])
  expect(placesOf([...reserves, ...maximums], await allMessages(receiver))).toEqual([])
  expect([idsIn(owner.received), idsIn(unnamed.received)]).toEqual([[], []])
  expect([idsIn(bidder.received), idsIn(other.received)]).toEqual([[anna], [bert]])
  // The search finds all of them where they are visible.
  expect(new Set(placesOf(reserves, owner.received)).size).toBeGreaterThan(7)
  expect(placesOf(reserves, reader.received)).toContain('GET /api/Auctions/1')
  expect(placesOf([maximumAmount], bidder.received)).toContain('GET /api/Bids/1')
  expect(placesOf([raisedMaximum], bidder.received)).not.toEqual([])
  expect(idsIn(reader.received)).toEqual([anna, bert])
  expect(server.log.length).toBeGreaterThan(100)
})

test('without users, no caller sees a maximum, and only callers with the permission see a reserve', async () => {
  const server = await startServer({ environment: { LOG_LEVEL: 'trace', RATE_LIMIT_MAX: '100000' } })
  const caller = createRecordingClient(server, tokenOf('anna'))
  const reader = createRecordingClient(server, tokenOf('carl', { permissions: [reserveReader] }))
  const { client } = caller
  await play(server, { owner: client, bidder: client, other: client }, [client, reader.client])
  expect(placesOf([reservePrice, maximumAmount, raisedMaximum], [...caller.received, ...linesOf(server)])).toEqual([])
  expect(placesOf([maximumAmount, raisedMaximum], reader.received)).toEqual([])
  expect(placesOf([reservePrice], reader.received)).toContain('GET /api/Auctions/1')
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
