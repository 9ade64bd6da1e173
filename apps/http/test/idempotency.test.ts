import { sampleAuction } from '@auction/domain/testing/samples'
import { expect, test } from 'vitest'
import { type Client, clientOf, newBid, pointersOf, problem } from './support/client.ts'
import { startServer } from './support/server.ts'
import { stored, unchanged } from './support/stored.ts'
import { permissions, signedToken, tokenOf } from './support/tokens.ts'

const key = (value: string) => ({ 'idempotency-key': value })

const operations: readonly {
  readonly name: string
  readonly send: (
    client: Client,
    fields?: object,
    headers?: Record<string, string>,
  ) => Promise<Awaited<ReturnType<Client['post']>>>
  readonly other: object
}[] = [
  {
    name: 'an auction',
    send: (client, fields, headers) => client.createAuction(fields, headers),
    other: { title: 'Chair' },
  },
  { name: 'a bid', send: (client, fields, headers) => client.placeBid(fields, headers), other: { amount: 200 } },
]

async function serverWithAuction() {
  const server = await startServer()
  await clientOf(server, tokenOf('setup')).createAuction({ title: 'Set up' })
  return { server, anna: clientOf(server) }
}

test.each(operations)('a retry of $name with its key gets the first 201 again', async ({ send }) => {
  const { server, anna } = await serverWithAuction()
  const first = await send(anna, {}, key('one'))
  expect(first.status).toBe(201)
  server.clock.advance(60_000)
  const again = await unchanged(server, () => send(anna, {}, key('one')))
  expect(again).toMatchObject({ status: 201, body: first.body })
  expect(again.headers.get('location')).toBe(first.headers.get('location'))
})

test.each(operations)('twins of $name at once are one resource', async ({ send }) => {
  const { server, anna } = await serverWithAuction()
  const before = await stored(server)
  const answers = await Promise.all(Array.from({ length: 8 }, () => send(anna, {}, key('twin'))))
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect(answers[0]?.status).toBe(201)
  const after = await stored(server)
  expect(after.auctions + after.bids).toBe(before.auctions + before.bids + 1)
})

test('the same values are the same request, however the JSON is written', async () => {
  const { anna } = await serverWithAuction()
  const first = await anna.placeBid({ amount: 100 }, key('one'))
  const written = ' {"amount": 1.0e2, "maximumAmount": null, "id": 7, "bidderId": 2, "auctionId": 1}'
  expect((await anna.post('/api/Bids', written, key('one'))).text).toBe(first.text)
})

test('another text of the same moment is another request', async () => {
  const { anna } = await serverWithAuction()
  const [endTime, same] = ['2030-02-07T12:00:00Z', '2030-02-07T12:00:00.000Z']
  await anna.createAuction({ endTime }, key('one'))
  expect(await anna.createAuction({ endTime: same }, key('one'))).toMatchObject(problem(422, 'idempotency-key-reused'))
})

test.each(operations)('the key of $name with another request is 422', async ({ send, other }) => {
  const { server, anna } = await serverWithAuction()
  await send(anna, {}, key('one'))
  expect(await unchanged(server, () => send(anna, other, key('one')))).toMatchObject(
    problem(422, 'idempotency-key-reused'),
  )
})

test.each(operations)('the key of $name is its caller’s own', async ({ send, other }) => {
  const { server, anna } = await serverWithAuction()
  const callers = [
    anna,
    clientOf(server, tokenOf('bert')),
    clientOf(server, tokenOf('anna', { iss: 'elsewhere' })),
    clientOf(server, signedToken({ permissions })),
  ]
  const ids = new Set<number>()
  let amount = 100
  for (const caller of callers) {
    const answer = await send(caller, { ...('amount' in other && { amount }) }, key('one'))
    expect(answer.status).toBe(201)
    ids.add(answer.body.data.id)
    amount += 5
  }
  expect(ids.size).toBe(callers.length)
})

test('a caller’s key counts with each token of the same subject', async () => {
  const { server, anna } = await serverWithAuction()
  const first = await anna.createAuction({}, key('one'))
  const renewed = clientOf(server, tokenOf('anna', { jti: 'another token' }))
  expect((await renewed.createAuction({}, key('one'))).text).toBe(first.text)
})

test('one key serves each operation on its own', async () => {
  const { anna } = await serverWithAuction()
  expect((await anna.createAuction({}, key('one'))).status).toBe(201)
  expect((await anna.placeBid({}, key('one'))).status).toBe(201)
})

test('a refusal is not remembered: the key may be used for what is accepted', async () => {
  const { server, anna } = await serverWithAuction()
  expect((await anna.placeBid({ amount: 1 }, key('one'))).status).toBe(409)
  expect((await anna.createAuction({ currency: 'XXX' }, key('two'))).status).toBe(400)
  expect((await anna.placeBid({ amount: 100 }, key('one'))).status).toBe(201)
  expect((await anna.createAuction({}, key('two'))).status).toBe(201)
  expect(await stored(server)).toMatchObject({ auctions: 2 })
})

test('the first 201 is answered to a retry after the end as well', async () => {
  const { server, anna } = await serverWithAuction()
  const auction = await anna.createAuction({ endTime: '2030-01-31T13:00:00Z' }, key('one'))
  const bid = await anna.placeBid({}, key('one'))
  server.clock.set('2030-01-31T14:00:00Z')
  expect((await anna.createAuction({ endTime: '2030-01-31T13:00:00Z' }, key('one'))).text).toBe(auction.text)
  expect((await anna.placeBid({}, key('one'))).text).toBe(bid.text)
})

test.each(operations)('a key of $name lives as long as what it made', async ({ send, other }) => {
  const { server, anna } = await serverWithAuction()
  const first = await send(anna, {}, key('one'))
  server.clock.set('2040-01-31T12:00:00Z')
  expect((await send(anna, {}, key('one'))).text).toBe(first.text)
  expect(await send(anna, other, key('one'))).toMatchObject(problem(422, 'idempotency-key-reused'))
})

test('of the caller a hash is stored, and nothing else', async () => {
  const { server, anna } = await serverWithAuction()
  await anna.placeBid({}, key('one'))
  const [entry] = await server.store.findHeads([sampleAuction().id])
  expect(entry?.requestKey).toMatch(/^place-bid [\w-]{43} one$/)
  expect(entry?.requestKey).not.toContain('anna')
})

test.each([['!'], ['~'.repeat(255)], ['"quoted-as-the-draft-says"']])('%s is a key', async (value) => {
  const { anna } = await serverWithAuction()
  expect((await anna.createAuction({}, key(value))).status).toBe(201)
})

test.each([[''], ['~'.repeat(256)], ['two words'], ['caf\u00e9']])('%j is no key', async (value) => {
  const { server, anna } = await serverWithAuction()
  const refused = await unchanged(server, () => anna.createAuction({ currency: 'XXX' }, key(value)))
  expect(refused).toMatchObject(problem(400, 'validation-failed'))
  expect(pointersOf(refused)).toEqual(['/Idempotency-Key', '/currency'])
})

test('a key that is sent twice is no key', async () => {
  const { server, anna } = await serverWithAuction()
  const headers = new Headers({ 'content-type': 'application/json' })
  headers.append('idempotency-key', 'one')
  headers.append('idempotency-key', 'two')
  const send = () => anna.send('POST', '/api/Bids', { headers, body: JSON.stringify(newBid) })
  expect(pointersOf(await unchanged(server, send))).toEqual(['/Idempotency-Key'])
})
