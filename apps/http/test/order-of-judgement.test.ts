import { describe, expect, test } from 'vitest'
import { clientOf, newAuction, problem } from './support/client.ts'
import { startServer } from './support/server.ts'
import { unchanged } from './support/stored.ts'
import { tokenOf } from './support/tokens.ts'

const large = JSON.stringify({ description: 'x'.repeat(70_000) })
const text = { 'content-type': 'text/plain' }
const none = tokenOf('nobody', { permissions: [] })
const anna = tokenOf('anna')

/** What is sent, of an auction that is not there: a field that is wrong, and right ones of user 2. */
const operations = [
  {
    path: '/api/Bids',
    faulty: { auctionId: 99, bidderId: 1, amount: 'much' },
    right: { auctionId: 99, bidderId: 2, amount: 1 },
  },
  { path: '/api/Auctions/99/Purchase', faulty: { buyerId: '1' }, right: { buyerId: 2 } },
  { path: '/api/Auctions/99/Cancellation', faulty: { reason: 1 }, right: {} },
]

type Stage = readonly [
  fault: string,
  expected: readonly [status: number, code: string],
  token: string,
  isLimited: boolean,
  body: unknown,
  headers: Readonly<Record<string, string>> | undefined,
]

/** Each request has its own fault and all those behind it; the first in the order is the one that is told. */
const stagesOf = ({ faulty, right }: (typeof operations)[number]): readonly Stage[] => [
  ['no token', [401, 'unauthenticated'], '', true, large, text],
  ['a bad token', [401, 'unauthenticated'], 'x.y.z', true, large, text],
  ['no permission', [403, 'forbidden'], none, true, large, text],
  ['too many requests', [429, 'rate-limited'], anna, true, large, text],
  ['a large body', [413, 'payload-too-large'], anna, false, large, undefined],
  ['another media type', [415, 'unsupported-media-type'], anna, false, '{', text],
  ['broken JSON', [400, 'malformed-json'], anna, false, '{"amount":', undefined],
  ['a faulty field', [400, 'validation-failed'], anna, false, faulty, undefined],
  ['another user', [403, 'forbidden'], anna, false, right, undefined],
  ['the rules', [404, 'auction-not-found'], tokenOf('anna', { uid: 2 }), false, right, undefined],
]

describe.each(operations)('POST $path', (operation) => {
  test.each<Stage>(stagesOf(operation))(
    '%s is judged before what stands behind it',
    async (_fault, [status, code], token, isLimited, body, headers) => {
      const environment = { RATE_LIMIT_MAX: isLimited ? '1' : '100', JWT_SUBJECT_CLAIM: 'uid' }
      const server = await startServer({ environment })
      await clientOf(server).get('/api/Auctions')
      const send = () => clientOf(server, token).post(operation.path, body, headers)
      expect(await unchanged(server, send)).toMatchObject(problem(status, code))
    },
  )
})

test('whether the auction is there is judged before whether the caller owns it, and that before the rest', async () => {
  const server = await startServer({ environment: { JWT_SUBJECT_CLAIM: 'uid' } })
  const by = (uid: number) => clientOf(server, tokenOf('anna', { uid }))
  expect(await by(2).cancelAuction()).toMatchObject(problem(404, 'auction-not-found'))
  await by(1).createAuction()
  await by(2).placeBid()
  expect(await by(2).cancelAuction()).toMatchObject(problem(403, 'forbidden'))
  expect(await by(1).cancelAuction()).toMatchObject(problem(409, 'auction-has-bids'))
  server.clock.set('2030-03-01T00:00:00Z')
  expect(await by(2).cancelAuction()).toMatchObject(problem(403, 'forbidden'))
  expect(await by(1).cancelAuction()).toMatchObject(problem(409, 'auction-ended'))
})

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

describe('of the rules, the first in this order is told', () => {
  const owner = { bidderId: 1, buyerId: 1 }
  const others = { bidderId: 2, buyerId: 2 }
  const beforeStart = '2030-01-31T10:00:00Z'
  const active = '2030-01-31T12:00:00Z'
  const afterEnd = '2030-02-08T00:00:00Z'

  test.each([
    ['a cancellation, even before the start', beforeStart, true, owner, 'auction-cancelled', 'auction-cancelled'],
    ['a cancellation, even after the end', afterEnd, true, owner, 'auction-cancelled', 'auction-cancelled'],
    ['the start', beforeStart, false, owner, 'auction-not-started', 'auction-not-started'],
    ['the end', afterEnd, false, owner, 'auction-ended', 'auction-ended'],
    ['the owner', active, false, owner, 'owner-cannot-bid', 'owner-cannot-buy'],
    ['the amount or the offer', active, false, others, 'bid-too-low', 'buy-now-not-offered'],
  ])('%s', async (_what, time, isCancelled, { bidderId, buyerId }, ofBid, ofPurchase) => {
    const { clock, ...server } = await startServer()
    const client = clientOf(server)
    await client.createAuction()
    if (isCancelled) await client.cancelAuction({})
    clock.set(time)
    // In every case the bid is too low, and nothing is offered.
    expect((await client.placeBid({ bidderId, amount: 1 })).body.code).toBe(ofBid)
    expect((await client.post('/api/Auctions/1/Purchase', { buyerId })).body.code).toBe(ofPurchase)
  })

  test('before all of them, an amount that its currency does not have', async () => {
    const { clock, ...server } = await startServer()
    const client = clientOf(server)
    await client.createAuction()
    clock.set(afterEnd)
    expect(await client.placeBid({ amount: 1.001 })).toMatchObject(problem(400, 'validation-failed'))
    expect(await client.placeBid({ amount: 2, maximumAmount: 1 })).toMatchObject(problem(400, 'validation-failed'))
    expect(await client.placeBid({ auctionId: 99, amount: 1.001 })).toMatchObject(problem(404, 'auction-not-found'))
  })
})
