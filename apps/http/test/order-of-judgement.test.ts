import { describe, expect, test } from 'vitest'
import { clientOf, newAuction, newCaller, openAuction, pointersOf, problem } from './support/client.ts'
import { serverOfFile, type TestServer } from './support/server.ts'
import { unchanged } from './support/stored.ts'
import { correcting, permissions, tokenOf } from './support/tokens.ts'

// The tests of the domain, in `auction/formats/english/bidding.test.ts`, cover the order of the rules.

const server = await serverOfFile()
const bound = await serverOfFile({ environment: { JWT_SUBJECT_CLAIM: 'uid' } })
const limited = await serverOfFile({ environment: { RATE_LIMIT_MAX: '1', RATE_LIMIT_WINDOW_SECONDS: '1000000' } })

const large = JSON.stringify({ description: 'x'.repeat(70_000) })
const text = { 'content-type': 'text/plain' }
const none = tokenOf('bert', { permissions: [] })
const user = (uid?: number) => newCaller({ uid, permissions: [...permissions, correcting] })

const absent = 9_007_199_254_740_991

/** A body with an invalid field, and a valid one of user 2, for an auction that does not exist. */
const operations = [
  {
    method: 'POST',
    path: '/api/Bids',
    invalid: { auctionId: absent, bidderId: 1, amount: 'much' },
    valid: { auctionId: absent, bidderId: 2, amount: 1 },
  },
  { method: 'POST', path: `/api/Auctions/${absent}/Purchase`, invalid: { buyerId: '1' }, valid: { buyerId: 2 } },
  { method: 'POST', path: `/api/Auctions/${absent}/Cancellation`, invalid: { reason: 1 }, valid: {} },
  { method: 'PATCH', path: `/api/Auctions/${absent}`, invalid: { title: 1 }, valid: { title: 'A' } },
]

type Stage = {
  readonly error: string
  readonly expected: readonly [status: number, code: string]
  readonly token: string
  readonly on: TestServer
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Each request has its own error and all later ones. The first in this order is reported. */
function stagesOf({ method, invalid, valid }: (typeof operations)[number]): readonly Stage[] {
  const isPatch = method === 'PATCH'
  const first = { body: large, headers: text }
  return [
    { error: 'no token', expected: [401, 'unauthenticated'], token: '', on: limited, ...first },
    { error: 'an invalid token', expected: [401, 'unauthenticated'], token: 'x.y.z', on: limited, ...first },
    { error: 'no permission', expected: [403, 'forbidden'], token: none, on: limited, ...first },
    { error: 'too many requests', expected: [429, 'rate-limited'], token: user(1), on: limited, ...first },
    { error: 'a large body', expected: [413, 'payload-too-large'], token: user(1), on: bound, body: large },
    {
      error: 'another media type',
      expected: [415, 'unsupported-media-type'],
      ...{ token: user(1), on: bound, body: '{', headers: text },
    },
    { error: 'malformed JSON', expected: [400, 'malformed-json'], token: user(1), on: bound, body: '{"amount":' },
    { error: 'an invalid field', expected: [400, 'validation-failed'], token: user(1), on: bound, body: invalid },
    isPatch
      ? { error: 'no If-Match', expected: [428, 'precondition-required'], token: user(2), on: bound, body: valid }
      : { error: 'another user', expected: [403, 'forbidden'], token: user(), on: bound, body: valid },
    {
      error: 'the rules',
      expected: [404, 'auction-not-found'],
      ...{ token: user(2), on: bound, body: valid, ...(isPatch && { headers: { 'if-match': '"x"' } }) },
    },
  ]
}

describe.each(operations)('$method $path', (operation) => {
  test.each(stagesOf(operation))(
    '$error is reported before all later errors',
    async ({ expected: [status, code], token, on, body, headers }) => {
      const caller = clientOf(on, token)
      const sent = (given: unknown) =>
        operation.method === 'PATCH'
          ? caller.patch(operation.path, given, headers)
          : caller.post(operation.path, given, headers)
      // The limited server accepts one write of a caller with permissions.
      if (code === 'rate-limited') await sent('{')
      expect(await unchanged(on, () => sent(body))).toMatchObject(problem(status, code))
    },
  )
})

test('another owner is reported before the rules, and after a missing auction', async () => {
  const [owner, other] = [user(1), user(2)]
  expect((await clientOf(bound, other, absent).cancelAuction()).status).toBe(404)
  const auction = await openAuction(bound, {}, owner)
  await auction.as(other).placeBid()
  expect((await auction.as(other).cancelAuction()).status).toBe(403)
  expect((await auction.cancelAuction()).status).toBe(409)
})

test('an amount that is not exact in the currency is reported before the rules, and after a missing auction', async () => {
  const auction = await openAuction(server)
  server.clock.set('2030-02-08T00:00:00Z')
  expect((await auction.placeBid({ amount: 1.001 })).status).toBe(400)
  expect((await auction.placeBid({ auctionId: absent, amount: 1.001 })).status).toBe(404)
})

test('an end in the past is reported with other errors, and alone', async () => {
  const late = { ...newAuction, startTime: '2029-01-01T00:00:00Z', endTime: '2029-01-02T00:00:00Z' }
  const both = await unchanged(server, () => clientOf(server).createAuction({ ...late, currency: 'XXX' }))
  const alone = await unchanged(server, () => clientOf(server).createAuction(late))
  expect(pointersOf(both).toSorted()).toEqual(['/currency', '/endTime'])
  expect(alone.body.errors).toEqual([
    { pointer: '/endTime', message: 'must be in the future; the current time is 2030-01-31T12:00:00.000Z' },
  ])
})
