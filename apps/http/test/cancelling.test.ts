import { describe, expect, test } from 'vitest'
import { type AuctionClient, newCaller, openAuction, problem } from './support/client.ts'
import { serverOfFile } from './support/server.ts'
import { unchanged } from './support/stored.ts'
import { forcing, permissions, tokenOf } from './support/tokens.ts'

const server = await serverOfFile()
const bound = await serverOfFile({ environment: { JWT_SUBJECT_CLAIM: 'uid' } })

const reason = 'A fake.'
const staff = (claims: object = {}) => newCaller({ permissions: [forcing], ...claims })
/** An auction of user 1. */
const openBound = (): Promise<AuctionClient> => openAuction(bound, {}, tokenOf('anna', { uid: 1 }))
const hasBids = 'The auction has had bids and was created without cancellableUntilEnd, so it cannot be cancelled'
const advice = 'Send a reason to cancel it with the permission Auctions.Cancel.Any.'

describe('with Auctions.Cancel.Any and a reason, an auction is cancelled', () => {
  test.each([
    { by: 'its owner', claims: { uid: 1 } },
    { by: 'another user', claims: { uid: 9 } },
    { by: 'a caller without a user', claims: {} },
    { by: 'a caller with both permissions', claims: { uid: 9, permissions: [...permissions, forcing] } },
  ])('by $by, and the result does not show how', async ({ claims }) => {
    const auction = await openBound()
    await auction.as(tokenOf('ben', { uid: 2 })).placeBid()
    expect((await auction.as(staff(claims)).cancelAuction({ reason })).status).toBe(201)
    expect((await auction.read()).result).toEqual({ outcome: 'cancelled', reason })
  })

  test('where callers are not bound to users', async () => {
    const auction = await openAuction(server)
    await auction.placeBid()
    expect((await auction.as(staff()).cancelAuction({ reason })).status).toBe(201)
  })
})

describe('with Auctions.Cancel.Any and no reason,', () => {
  test('an auction that any caller can cancel is cancelled', async () => {
    const auction = await openAuction(server)
    expect((await auction.as(staff()).cancelAuction()).status).toBe(201)
  })

  test('an auction with bids is refused, with advice', async () => {
    const auction = await openAuction(server)
    await auction.placeBid()
    const refused = await unchanged(server, () => auction.as(staff()).cancelAuction({}))
    const message = `${hasBids} without a reason. ${advice}`
    expect(refused).toMatchObject(problem(409, 'auction-has-bids', { message }))
  })

  test.each([
    {
      who: 'another user',
      claims: { uid: 9 },
      message: `This token identifies another user; only the owner can cancel the auction without a reason. ${advice}`,
    },
    {
      who: 'no user',
      claims: {},
      message: `This token identifies no user; its claim "uid" must be a user id. ${advice}`,
    },
  ])('$who is refused, with advice', async ({ claims, message }) => {
    const auction = await openBound()
    const refused = await unchanged(bound, () => auction.as(staff(claims)).cancelAuction())
    expect(refused).toMatchObject(problem(403, 'forbidden', { message }))
    expect(refused.headers.get('www-authenticate')).toBeNull()
  })
})

test('without Auctions.Cancel.Any, a reason changes nothing', async () => {
  const auction = await openBound()
  await auction.as(tokenOf('ben', { uid: 2 })).placeBid()
  expect((await auction.as(tokenOf('eve', { uid: 9 })).cancelAuction({ reason })).status).toBe(403)
  expect(await auction.cancelAuction({ reason })).toMatchObject(
    problem(409, 'auction-has-bids', { message: `${hasBids}.` }),
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
