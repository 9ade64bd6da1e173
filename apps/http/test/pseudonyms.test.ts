import { createHmac } from 'node:crypto'
import { toUserId } from '@auction/domain/ids'
import { describe, expect, test } from 'vitest'
import { createViewers, maySeeBids } from '../src/api/callers/viewer.ts'
import { clientOf, openAuction } from './support/client.ts'
import { createRecordingClient, type Received } from './support/recording-client.ts'
import { startServer, type TestServer } from './support/server.ts'
import { bidderReader, permissions, tokenOf } from './support/tokens.ts'

const PSEUDONYM_SECRET = 'a secret for pseudonyms, of 32 bytes and more'
const environment = { PSEUDONYM_SECRET, JWT_SUBJECT_CLAIM: 'uid', RATE_LIMIT_MAX: '100000' }

// No other number has these digits.
const owner = 11
const [anna, bert, carl] = [7_310_842_965_127, 7_920_461_358_903, 7_586_013_497_242] as const

const as = (server: TestServer, uid: number | null, claims: object = {}) =>
  createRecordingClient(server, tokenOf(`user ${(uid ?? 0) % 100}`, { uid, ...claims }))

type Cast = Readonly<Record<'owner' | 'anna' | 'bert' | 'carl' | 'other' | 'unnamed' | 'reader', ReturnType<typeof as>>>

const castOf = (server: TestServer): Cast => ({
  owner: as(server, owner),
  anna: as(server, anna),
  bert: as(server, bert),
  carl: as(server, carl),
  other: as(server, 12),
  unnamed: as(server, null),
  reader: as(server, 13, { permissions: [...permissions, bidderReader] }),
})

const paths = [
  ...['/api/Auctions/1', '/api/Auctions/2', '/api/Auctions/3', '/api/Auctions'],
  ...['/api/Auctions?status=Active&sort=endTime', '/api/Auctions?status=Ended'],
  ...['/api/Auctions/1/Bids', '/api/Auctions/1/Bids?limit=1', '/api/Auctions/2/Bids'],
  ...Array.from({ length: 9 }, (_, index) => `/api/Bids/${index + 1}`),
]

/** Three auctions with all kinds of entries: one is sold, one is bought, and one is open. */
async function play(server: TestServer, cast: Cast): Promise<void> {
  const readByAll = async () => {
    for (const { client } of Object.values(cast)) for (const path of paths) await client.get(path)
  }
  for (const title of ['sold', 'bought', 'open']) {
    const endTime = title === 'open' ? '2030-03-07T12:00:00Z' : '2030-02-07T12:00:00Z'
    await cast.owner.client.createAuction({ ownerId: owner, title, endTime, buyNowPrice: 900, reservePrice: 800 })
  }
  const key = { 'idempotency-key': 'one' }
  for (let times = 0; times < 2; times++) {
    await cast.anna.client.placeBid({ bidderId: anna, maximumAmount: 300 }, key)
    await cast.bert.client.placeBid({ bidderId: bert, amount: 200 }, key)
    await cast.bert.client.placeBid({ auctionId: 3, bidderId: bert, amount: 150 }, { 'idempotency-key': 'two' })
    await cast.anna.client.placeBid({ bidderId: anna, maximumAmount: 850 }, { 'idempotency-key': 'three' })
  }
  await cast.bert.client.placeBid({ bidderId: bert, amount: 1 })
  await cast.bert.client.placeBid({ bidderId: anna, amount: 1_000 })
  await cast.anna.client.placeBid({ auctionId: 3, bidderId: anna, amount: 155 })
  await readByAll()
  for (let times = 0; times < 2; times++) {
    await cast.carl.client.post('/api/Auctions/2/Purchase', { buyerId: carl }, key)
  }
  await cast.anna.client.post('/api/Auctions/2/Purchase', { buyerId: anna })
  await cast.other.client.placeBid({ auctionId: 2, bidderId: 12, amount: 900 })
  server.clock.set('2030-02-07T12:01:00Z')
  await server.service.closeDue()
  await readByAll()
}

const idsIn = (received: readonly Received[]): ReadonlySet<number> =>
  new Set([anna, bert, carl].filter((id) => received.some(({ text }) => text.includes(String(id)))))

test('no response shows the id of another bidder, and every bidder sees their own', async () => {
  const server = await startServer({ environment })
  const cast = castOf(server)
  await play(server, cast)
  expect(idsIn(cast.owner.received)).toEqual(new Set())
  expect(idsIn(cast.other.received)).toEqual(new Set())
  expect(idsIn(cast.unnamed.received)).toEqual(new Set())
  expect(idsIn(cast.anna.received)).toEqual(new Set([anna]))
  expect(idsIn(cast.bert.received)).toEqual(new Set([bert]))
  expect(idsIn(cast.carl.received)).toEqual(new Set([carl]))
  expect(idsIn(cast.reader.received)).toEqual(new Set([anna, bert, carl]))
  // What the search covers: each of these has a bidder.
  const all = (path: string) => cast.other.client.get(path).then(({ body }) => body.data)
  expect(await all('/api/Auctions/1')).toMatchObject({
    leaderId: hidden,
    result: { outcome: 'sold', winnerId: hidden },
  })
  expect(await all('/api/Auctions/2')).toMatchObject({ leaderId: null, result: { outcome: 'bought', buyerId: hidden } })
  const { items } = await all('/api/Auctions/1/Bids')
  expect(items).toHaveLength(4)
  for (const { bidderId } of items) expect(bidderId).toEqual(hidden)
})

const hidden = expect.toSatisfy((id: unknown) => Number.isSafeInteger(id) && Number(id) < 0)

/** The pseudonym by its definition. The service must not change it: pages link by it. */
function pseudonymOf(auctionId: number, bidderId: number, secret = PSEUDONYM_SECRET): number {
  const digest = createHmac('sha256', secret).update(`${auctionId}/${bidderId}`).digest('hex')
  return -1 - Number(BigInt(`0x${digest.slice(0, 16)}`) % (2n ** 53n - 1n))
}

test('a pseudonym is the same in all responses about an auction, to all viewers and from all servers', async () => {
  for (let servers = 0; servers < 2; servers++) {
    const server = await startServer({ environment })
    const cast = castOf(server)
    await play(server, cast)
    for (const { client } of [cast.other, cast.unnamed, cast.carl]) {
      const { leaderId, result } = (await client.get('/api/Auctions/1')).body.data
      const [newest, , second] = (await client.get('/api/Auctions/1/Bids')).body.data.items
      const names = [leaderId, result.winnerId, newest.bidderId, second.bidderId]
      const [a, b] = [pseudonymOf(1, anna), pseudonymOf(1, bert)]
      expect(names).toEqual([a, a, a, b])
      expect((await client.get('/api/Auctions/3')).body.data.leaderId).toBe(pseudonymOf(3, anna))
    }
  }
  const names = [pseudonymOf(1, anna), pseudonymOf(3, anna), pseudonymOf(1, anna, 'another secret')]
  expect(new Set(names).size).toBe(3)
})

test('the 201 of an outbid bidder shows the leader by pseudonym', async () => {
  const server = await startServer({ environment })
  const auction = await openAuction(server, { ownerId: owner }, tokenOf('owner', { uid: owner }))
  const first = await auction.as(tokenOf('anna', { uid: anna })).placeBid({ bidderId: anna, maximumAmount: 300 })
  expect(first.body.data).toMatchObject({ bidderId: anna, leaderId: anna, youLead: true, yourMaximum: 300 })
  const second = await auction.as(tokenOf('bert', { uid: bert })).placeBid({ bidderId: bert, amount: 200 })
  expect(second.body.data).toMatchObject({ bidderId: bert, leaderId: pseudonymOf(auction.id, anna), youLead: false })
})

test('callers that are not bound to users see pseudonyms only, and those with the permission ids', async () => {
  const server = await startServer({ environment: { PSEUDONYM_SECRET } })
  const auction = await openAuction(server)
  const placed = await auction.placeBid({ bidderId: anna })
  expect(placed.body.data).toMatchObject({ bidderId: pseudonymOf(1, anna), leaderId: pseudonymOf(1, anna) })
  const reader = clientOf(server, tokenOf('settlement', { permissions: [bidderReader] }))
  expect((await reader.get('/api/Auctions/1')).body.data.leaderId).toBe(anna)
  expect((await reader.get('/api/Bids/1')).body.data.bidderId).toBe(anna)
})

describe('the bids of a user may be asked for', () => {
  const [hiding, open] = [createViewers(PSEUDONYM_SECRET).viewerOf, createViewers(undefined).viewerOf]
  const [user, stranger] = [toUserId(anna), toUserId(bert)]
  const caller = (userId: number | undefined, ...granted: string[]) => ({
    key: 'a caller',
    storedAs: 'a hash',
    permissions: new Set(granted),
    userId: userId === undefined ? undefined : toUserId(userId),
  })

  test.each([
    ['by the user', hiding(caller(anna)), true],
    ['not by another user', hiding(caller(bert)), false],
    ['not by a caller without a user', hiding(caller(undefined)), false],
    ['not by a reader of reserves', hiding(caller(bert, 'Auctions.Reserve.Read', 'Bids.Read')), false],
    ['by a reader of bidders', hiding(caller(undefined, 'Bidders.Read')), true],
    ['by everybody without pseudonyms', open(caller(undefined)), true],
  ])('%s', (_who, viewer, expected) => {
    expect(maySeeBids(viewer, user)).toBe(expected)
  })

  test('for each user separately', () => {
    const viewer = hiding(caller(bert))
    expect([user, stranger].map((id) => maySeeBids(viewer, id))).toEqual([false, true])
  })
})
