import { expect, test } from 'vitest'
import { type Client, clientOf, newAuction, problem } from './support/client.ts'
import { startServer } from './support/server.ts'
import { unchanged } from './support/stored.ts'
import { tokenOf } from './support/tokens.ts'

// Each request has its own fault and all those behind it; the first in the order is the one that is told.
const large = JSON.stringify({ description: 'x'.repeat(70_000) })
const text = { 'content-type': 'text/plain' }
const none = tokenOf('nobody', { permissions: [] })

const stages: readonly [
  fault: string,
  expected: readonly [status: number, code: string],
  token: string,
  isLimited: boolean,
  send: (client: Client) => Promise<unknown>,
][] = [
  ['no token', [401, 'unauthenticated'], '', true, (client) => client.post('/api/Bids', large, text)],
  ['a bad token', [401, 'unauthenticated'], 'x.y.z', true, (client) => client.post('/api/Bids', large, text)],
  ['no permission', [403, 'forbidden'], none, true, (client) => client.post('/api/Bids', large, text)],
  [
    'too many requests',
    [429, 'rate-limited'],
    tokenOf('anna'),
    true,
    (client) => client.post('/api/Bids', large, text),
  ],
  ['a large body', [413, 'payload-too-large'], tokenOf('anna'), false, (client) => client.post('/api/Bids', large)],
  [
    'another media type',
    [415, 'unsupported-media-type'],
    tokenOf('anna'),
    false,
    (client) => client.post('/api/Bids', '{', text),
  ],
  ['broken JSON', [400, 'malformed-json'], tokenOf('anna'), false, (client) => client.post('/api/Bids', '{"amount":')],
  [
    'a faulty field',
    [400, 'validation-failed'],
    tokenOf('anna'),
    false,
    (client) => client.post('/api/Bids', { auctionId: 99, bidderId: 1, amount: 'much' }),
  ],
  [
    'another user',
    [403, 'forbidden'],
    tokenOf('anna'),
    false,
    (client) => client.post('/api/Bids', { auctionId: 99, bidderId: 1, amount: 1 }),
  ],
  [
    'the rules of bidding',
    [404, 'auction-not-found'],
    tokenOf('anna', { uid: 2 }),
    false,
    (client) => client.post('/api/Bids', { auctionId: 99, bidderId: 2, amount: 1 }),
  ],
]

test.each(stages)(
  '%s is judged before what stands behind it',
  async (_fault, [status, code], token, isLimited, send) => {
    const environment = { RATE_LIMIT_MAX: isLimited ? '1' : '100', JWT_SUBJECT_CLAIM: 'uid' }
    const server = await startServer({ environment })
    await clientOf(server).get('/api/Auctions')
    expect(await unchanged(server, () => send(clientOf(server, token)))).toMatchObject(problem(status, code))
  },
)

test('an end in the past is told beside other faults, and alone', async () => {
  const server = await startServer()
  const late = { ...newAuction, startTime: '2029-01-01T00:00:00Z', endTime: '2029-01-02T00:00:00Z' }
  const both = await unchanged(server, () => clientOf(server).createAuction({ ...late, currency: 'XXX' }))
  const alone = await unchanged(server, () => clientOf(server).createAuction(late))
  expect(both.body.errors.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual(['/currency', '/endTime'])
  expect(alone.body.errors).toEqual([
    { pointer: '/endTime', message: 'must be in the future; it is now 2030-01-31T12:00:00.000Z' },
  ])
})
