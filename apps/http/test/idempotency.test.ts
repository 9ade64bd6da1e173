import { sampleAuction } from '@auction/testing/samples'
import { describe, expect, test } from 'vitest'
import {
  type Answer,
  type AuctionClient,
  newBid,
  newCaller,
  openAuction,
  pointersOf,
  problem,
} from './support/client.ts'
import { serverOfFile, startServer } from './support/server.ts'
import { stored, unchanged } from './support/stored.ts'
import { permissions, signedToken, tokenOf } from './support/tokens.ts'

const server = await serverOfFile()

type KeyHeader = Readonly<Record<string, string>>
type Send = (auction: AuctionClient, fields: object, headers: KeyHeader) => Promise<Answer>

const key = (value: string): KeyHeader => ({ 'idempotency-key': value })
const open = (token?: string) => openAuction(server, { buyNowPrice: 500, reservePrice: 300 }, token)

const operations: readonly (readonly [name: string, send: Send, other: object])[] = [
  ['an auction', (auction, fields, headers) => auction.createAuction(fields, headers), { title: 'Chair' }],
  ['a bid', (auction, fields, headers) => auction.placeBid(fields, headers), { amount: 200 }],
  [
    'a raised maximum',
    (auction, fields, headers) => auction.placeBid({ maximumAmount: 200, ...fields }, headers),
    { maximumAmount: 201 },
  ],
  ['a purchase', (auction, fields, headers) => auction.buyNow(fields, headers), { buyerId: 3 }],
  ['a cancellation', (auction, fields, headers) => auction.cancelAuction(fields, headers), { reason: 'Lost' }],
]

describe.each(operations)('a key of %s', (name, send, other) => {
  /** The auction, with a bid of the user whose maximum is raised. */
  const openFor = async () => {
    const auction = await open()
    if (name === 'a raised maximum') await auction.placeBid()
    return auction
  }

  test('returns the first 201 for a retry, at any later time', async () => {
    const auction = await openFor()
    const first = await send(auction, {}, key('one'))
    expect(first.status).toBe(201)
    expect(first.headers.get('idempotency-replayed')).toBeNull()
    for (const later of ['2030-01-31T12:01:00Z', '2040-01-31T12:00:00Z']) {
      server.clock.set(later)
      const again = await unchanged(server, () => send(auction, {}, key('one')))
      expect([again.status, again.text]).toEqual([201, first.text])
      expect(again.headers.get('location')).toBe(first.headers.get('location'))
      expect(again.headers.get('idempotency-replayed')).toBe('true')
    }
  })

  test('makes one resource of concurrent requests', async () => {
    const auction = await openFor()
    const before = await stored(server)
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(auction, {}, key('twin'))))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(201)
    const after = await stored(server)
    const made = name === 'a purchase' || name === 'a cancellation' ? 0 : 1
    expect(after.auctions + after.bids - before.auctions - before.bids).toBe(made)
  })

  test('is 422 for a different request', async () => {
    const auction = await openFor()
    await send(auction, {}, key('one'))
    expect(await unchanged(server, () => send(auction, other, key('one')))).toMatchObject(
      problem(422, 'idempotency-key-reused'),
    )
  })
})

test.each(operations.slice(1))('a key of %s is 422 for another auction', async (_name, send) => {
  const token = newCaller()
  const [first, second] = [await open(token), await open(token)]
  await send(first, {}, key('one'))
  expect(await unchanged(server, () => send(second, {}, key('one')))).toMatchObject(
    problem(422, 'idempotency-key-reused'),
  )
})

test('a key is specific to its operation', async () => {
  const auction = await open()
  const created = await auction.createAuction({}, key('one'))
  const answers = [created, await auction.placeBid({}, key('one')), await auction.buyNow({}, key('one'))]
  const path = `/api/Auctions/${created.body.data.id}/Cancellation`
  answers.push(await auction.post(path, {}, key('one')))
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
})

test('the same values are the same request, in any JSON form', async () => {
  const { id, placeBid, post } = await open()
  const first = await placeBid({ amount: 100 }, key('one'))
  const written = ` {"amount": 1.0e2, "maximumAmount": null, "id": 7, "bidderId": 2, "auctionId": ${id}}`
  expect((await post('/api/Bids', written, key('one'))).text).toBe(first.text)
})

test('the same moment in another form is a different request', async () => {
  const { createAuction } = await open()
  await createAuction({ endTime: '2030-02-07T12:00:00Z' }, key('one'))
  expect(await createAuction({ endTime: '2030-02-07T12:00:00.000Z' }, key('one'))).toMatchObject(
    problem(422, 'idempotency-key-reused'),
  )
})

test('a key is specific to its caller: the issuer, and the subject or the token', async () => {
  const auction = await open()
  const subject = newCaller()
  const claims = JSON.parse(Buffer.from(subject.split('.')[1] ?? '', 'base64url').toString())
  const callers = [subject, newCaller(), tokenOf(claims.sub, { iss: 'elsewhere' }), signedToken({ permissions })]
  const answers: Answer[] = []
  for (const caller of callers) {
    answers.push(await auction.as(caller).placeBid({ amount: 100 + 5 * answers.length }, key('one')))
  }
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
  const renewed = auction.as(tokenOf(claims.sub, { jti: 'another token' }))
  expect((await renewed.placeBid({}, key('one'))).text).toBe(answers[0]?.text)
})

test('a refused request leaves its key free', async () => {
  const auction = await open()
  expect((await auction.placeBid({ amount: 1 }, key('one'))).status).toBe(409)
  expect((await auction.createAuction({ currency: 'XXX' }, key('two'))).status).toBe(400)
  expect((await auction.placeBid({ amount: 100 }, key('one'))).status).toBe(201)
  expect((await auction.cancelAuction({}, key('two'))).status).toBe(409)
  expect((await auction.createAuction({}, key('two'))).status).toBe(201)
})

test('the store has a hash of the caller, not the caller', async () => {
  const { url, store } = await startServer()
  await (await openAuction({ url }, {}, tokenOf('anna'))).placeBid({}, key('one'))
  const [entry] = await store.findHeads([sampleAuction().id])
  expect(entry?.requestKey).toMatch(/^place-bid [\w-]{43} one$/)
  expect(entry?.requestKey).not.toContain('anna')
})

test.each([['!'], ['~'.repeat(255)], ['"quoted"']])('%s is a valid key', async (value) => {
  expect((await (await open()).placeBid({}, key(value))).status).toBe(201)
})

test.each([[''], ['~'.repeat(256)], ['two words'], ['caf\u00e9']])('%j is not a valid key', async (value) => {
  const auction = await open()
  const refused = await unchanged(server, () => auction.createAuction({ currency: 'XXX' }, key(value)))
  expect(refused).toMatchObject(problem(400, 'validation-failed'))
  expect(pointersOf(refused)).toEqual(['/Idempotency-Key', '/currency'])
})

test('a key, the id of the path and the body are checked together', async () => {
  const refused = await (await open()).post('/api/Auctions/x/Cancellation', { reason: 1 }, key('two words'))
  expect(pointersOf(refused)).toEqual(['/Idempotency-Key', '/id', '/reason'])
})

test('a key that is sent twice is not a valid key', async () => {
  const { send, id } = await open()
  const headers = new Headers({ 'content-type': 'application/json' })
  headers.append('idempotency-key', 'one')
  headers.append('idempotency-key', 'two')
  const body = JSON.stringify({ ...newBid, auctionId: id })
  expect(pointersOf(await unchanged(server, () => send('POST', '/api/Bids', { headers, body })))).toEqual([
    '/Idempotency-Key',
  ])
})
