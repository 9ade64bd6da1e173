import { describe, expect, test } from 'vitest'
import { type AuctionClient, newCaller, openAuction, problem } from './support/client.ts'
import { serverOfFile } from './support/server.ts'
import { unchanged } from './support/stored.ts'
import { forcing, permissions, tokenOf } from './support/tokens.ts'

const server = await serverOfFile()
const bound = await serverOfFile({ environment: { JWT_SUBJECT_CLAIM: 'uid' } })

const reason = 'A fake.'
const staff = (claims: object = {}) => newCaller({ permissions: [forcing], ...claims })
const openBound = async (): Promise<AuctionClient> => {
  const auction = await openAuction(bound, {}, tokenOf('anna', { uid: 1 }))
  return auction
}
const bidOn = async (auction: AuctionClient): Promise<void> => {
  expect((await auction.as(tokenOf('ben', { uid: 2 })).placeBid()).status).toBe(201)
}
const cancelled = { status: 201, body: { data: { status: 'Cancelled', result: { outcome: 'cancelled', reason } } } }
const advice = 'without a reason. Send a reason to cancel it with the permission Auctions.Cancel.Any.'

describe('with Auctions.Cancel.Any and a reason, an auction is cancelled', () => {
  test.each([
    ['by its owner', { uid: 1 }],
    ['by another user', { uid: 9 }],
    ['by a caller without a user', {}],
    ['by a caller with both permissions', { uid: 9, permissions: [...permissions, forcing] }],
  ])('%s, without bids and with bids', async (_, claims) => {
    for (const hasBids of [false, true]) {
      const auction = await openBound()
      if (hasBids) await bidOn(auction)
      expect(await auction.as(staff(claims)).cancelAuction({ reason })).toMatchObject(cancelled)
    }
  })

  test('where callers are not bound to users', async () => {
    const auction = await openAuction(server)
    await auction.placeBid()
    expect(await auction.as(staff()).cancelAuction({ reason })).toMatchObject(cancelled)
  })

  test('until its end', async () => {
    const auction = await openAuction(server, { endTime: '2030-01-31T13:00:00Z' })
    await auction.placeBid()
    server.clock.set('2030-01-31T13:00:00Z')
    expect(await auction.as(staff()).cancelAuction({ reason })).toMatchObject(problem(409, 'auction-ended'))
    server.clock.set('2030-01-31T12:00:00Z')
  })

  test('once per key', async () => {
    const auction = await openAuction(server)
    await auction.placeBid()
    const send = (text: string) => moderator.cancelAuction({ reason: text }, { 'idempotency-key': 'k' })
    const moderator = auction.as(staff())
    const first = await send(reason)
    const again = await unchanged(server, () => send(reason))
    expect(again.text).toBe(first.text)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(await send('Another.')).toMatchObject(problem(422, 'idempotency-key-reused'))
  })

  test('and the result does not show how', async () => {
    const auction = await openAuction(server)
    await auction.placeBid()
    await auction.as(staff()).cancelAuction({ reason })
    expect((await auction.read()).result).toEqual({ outcome: 'cancelled', reason })
  })
})

describe('with Auctions.Cancel.Any and no reason,', () => {
  test('an auction that any caller can cancel is cancelled', async () => {
    const auction = await openAuction(server)
    expect((await auction.as(staff()).cancelAuction()).status).toBe(201)
    const own = await openBound()
    expect((await own.as(staff({ uid: 1 })).cancelAuction({ reason: null })).status).toBe(201)
  })

  test('an auction with bids is refused, with advice', async () => {
    const auction = await openAuction(server)
    await auction.placeBid()
    const refused = await unchanged(server, () => auction.as(staff()).cancelAuction({}))
    const message = `The auction has bids and was created without cancellableUntilEnd, so it cannot be cancelled ${advice}`
    expect(refused).toMatchObject(problem(409, 'auction-has-bids', { message }))
  })

  test.each([
    ['another user', { uid: 9 }, `This token identifies another user; only the owner can cancel the auction ${advice}`],
    [
      'no user',
      {},
      'This token identifies no user; its claim "uid" must be a user id. Send a reason to cancel it with the permission Auctions.Cancel.Any.',
    ],
  ])('%s is refused, with advice', async (_, claims, message) => {
    const auction = await openBound()
    const refused = await unchanged(bound, () => auction.as(staff(claims)).cancelAuction())
    expect(refused).toMatchObject(problem(403, 'forbidden', { message }))
    expect(refused.headers.get('www-authenticate')).toBeNull()
  })
})

test('without Auctions.Cancel.Any, a reason changes nothing', async () => {
  const auction = await openBound()
  await bidOn(auction)
  const message = 'This token identifies another user; only the owner can cancel the auction.'
  expect(await auction.as(tokenOf('eve', { uid: 9 })).cancelAuction({ reason })).toMatchObject(
    problem(403, 'forbidden', { message }),
  )
  expect(await auction.cancelAuction({ reason })).toMatchObject(
    problem(409, 'auction-has-bids', {
      message: 'The auction has bids and was created without cancellableUntilEnd, so it cannot be cancelled.',
    }),
  )
})

test('a token without either permission is 403, with the scope of the usual one', async () => {
  const auction = await openAuction(server)
  const refused = await auction.as(newCaller({ permissions: [] })).cancelAuction({ reason })
  const scope = 'auction-service:Auctions:Cancel'
  const message = `This operation requires a token with the permission Auctions.Cancel (${scope}).`
  expect(refused).toMatchObject(problem(403, 'forbidden', { message }))
  expect(refused.headers.get('www-authenticate')).toBe(`Bearer error="insufficient_scope", scope="${scope}"`)
})
