import { sampleAuction } from '@auction/testing/samples'
import { describe, expect, test } from 'vitest'
import { type ApiResponse, type AuctionClient, newBid, newCaller, openAuction, pointersOf } from './support/client.ts'
import { serverOfFile, startServer } from './support/server.ts'
import { unchanged } from './support/stored.ts'
import { correcting, permissions, signedToken, tokenOf } from './support/tokens.ts'

// The tests of the domain, in `use-cases/keys.test.ts`, cover which requests are the same.

const server = await serverOfFile()

type KeyHeader = Readonly<Record<string, string>>

const key = (value: string): KeyHeader => ({ 'idempotency-key': value })
const open = (token = newCaller({ permissions: [...permissions, correcting] })) =>
  openAuction(server, { buyNowPrice: 500, reservePrice: 300 }, token)

type Operation = {
  readonly name: string
  readonly status: number
  send(auction: AuctionClient, headers: KeyHeader): Promise<ApiResponse>
}

const operations: readonly Operation[] = [
  { name: 'an auction', status: 201, send: (auction, headers) => auction.createAuction({}, headers) },
  { name: 'a bid', status: 201, send: (auction, headers) => auction.placeBid({}, headers) },
  { name: 'a purchase', status: 201, send: (auction, headers) => auction.buyNow({}, headers) },
  { name: 'a cancellation', status: 201, send: (auction, headers) => auction.cancelAuction({}, headers) },
  {
    name: 'a correction',
    status: 200,
    send: (auction, headers) =>
      auction.patch(`/api/Auctions/${auction.id}`, { title: 'Oak desk' }, { 'if-match': '*', ...headers }),
  },
]

describe.each(operations)('a key of $name', ({ status, send }) => {
  test('returns the first response for a retry, at any later time', async () => {
    const auction = await open()
    const first = await send(auction, key('one'))
    expect(first.status).toBe(status)
    expect(first.headers.get('idempotency-replayed')).toBeNull()
    for (const later of ['2030-01-31T12:01:00Z', '2040-01-31T12:00:00Z']) {
      server.clock.set(later)
      const again = await unchanged(server, () => send(auction, key('one')))
      expect([again.status, again.text]).toEqual([status, first.text])
      for (const name of ['location', 'etag']) expect(again.headers.get(name)).toBe(first.headers.get(name))
      expect(again.headers.get('idempotency-replayed')).toBe('true')
    }
  })
})

test('a key is specific to its caller: the issuer, and the subject or the token', async () => {
  const auction = await open()
  const subject = newCaller()
  const claims = JSON.parse(Buffer.from(subject.split('.')[1] ?? '', 'base64url').toString())
  const callers = [subject, newCaller(), tokenOf(claims.sub, { iss: 'elsewhere' }), signedToken({ permissions })]
  const responses: ApiResponse[] = []
  for (const caller of callers) {
    responses.push(await auction.as(caller).placeBid({ amount: 100 + 5 * responses.length }, key('one')))
  }
  expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201])
  const renewed = auction.as(tokenOf(claims.sub, { jti: 'another token' }))
  expect((await renewed.placeBid({}, key('one'))).text).toBe(responses[0]?.text)
})

test('the store has a hash of the caller, not the caller', async () => {
  const { url, store } = await startServer()
  await (await openAuction({ url }, {}, tokenOf('anna'))).placeBid({}, key('one'))
  const [entry] = await store.findHeads([sampleAuction().id])
  expect(entry?.requestKey).toMatch(/^place-bid [\w-]{43} one$/)
  expect(entry?.requestKey).not.toContain('anna')
})

test.each(['!', '~'.repeat(255), '"quoted"'])('%s is a valid key', async (value) => {
  expect((await (await open()).placeBid({}, key(value))).status).toBe(201)
})

test.each(['', '~'.repeat(256), 'two words', 'caf\u00e9'])(
  '%j is not a valid key, which is reported with other errors',
  async (value) => {
    const auction = await open()
    const refused = await unchanged(server, () =>
      auction.post('/api/Auctions/x/Cancellation', { reason: 1 }, key(value)),
    )
    expect(refused.status).toBe(400)
    expect(pointersOf(refused)).toEqual(['/Idempotency-Key', '/id', '/reason'])
  },
)

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
