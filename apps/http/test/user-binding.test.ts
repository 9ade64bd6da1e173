import { describe, expect, test } from 'vitest'
import { type ApiResponse, type AuctionClient, clientOf, openAuction, problem } from './support/client.ts'
import { serverOfFile, startServer } from './support/server.ts'
import { unchanged } from './support/stored.ts'
import { tokenOf } from './support/tokens.ts'

const server = await serverOfFile({ environment: { JWT_SUBJECT_CLAIM: 'uid' } })
const user = (uid: unknown) => tokenOf('anna', { uid })

type Send = (auction: AuctionClient) => Promise<ApiResponse>

/** Each operation for a user, on an auction of user 1. */
const operations: readonly (readonly [name: string, uid: number, must: string, send: Send])[] = [
  ['an auction', 1, 'ownerId must equal its claim "uid"', (auction) => auction.createAuction()],
  ['a bid', 2, 'bidderId must equal its claim "uid"', (auction) => auction.placeBid()],
  ['a purchase', 2, 'buyerId must equal its claim "uid"', (auction) => auction.buyNow()],
  ['a cancellation', 1, 'only the owner can cancel the auction', (auction) => auction.cancelAuction()],
]

describe.each(operations)('%s', (_name, uid, must, send) => {
  test.each([uid, String(uid)])('is accepted from the user %j', async (claim) => {
    const auction = await openAuction(server, { buyNowPrice: 500 }, user(1))
    expect((await send(auction.as(user(claim)))).status).toBe(201)
  })

  test('is 403 from another user', async () => {
    const auction = await openAuction(server, { buyNowPrice: 500 }, user(1))
    const refused = await unchanged(server, () => send(auction.as(user(3))))
    expect(refused).toMatchObject(
      problem(403, 'forbidden', { message: `This token identifies another user; ${must}.` }),
    )
    expect(refused.headers.get('www-authenticate')).toBeNull()
  })

  test.each([[undefined], [null], ['no id'], [`${uid} `], [`0${uid}`], [0], [-1], [[uid]], ['9007199254740993']])(
    'is 403 from the user %j, which is not a user id',
    async (claim) => {
      const auction = await openAuction(server, { buyNowPrice: 500 }, user(1))
      const refused = await unchanged(server, () => send(auction.as(user(claim))))
      const message = 'This token identifies no user; its claim "uid" must be a user id.'
      expect(refused).toMatchObject(problem(403, 'forbidden', { message }))
    },
  )
})

test('the leader is named to all, and the maximum only to the leader, in reads and lists', async () => {
  const auction = await openAuction(server, {}, user(1))
  const placed = await auction.as(user(2)).placeBid({ maximumAmount: 200 })
  expect(placed.body.data).toMatchObject({ leaderId: 2, youLead: true, yourMaximum: 200 })
  const seenBy = async (uid: number) => {
    const reader = auction.as(user(uid))
    const [listed] = (await reader.get('/api/Auctions?limit=1')).body.data.items
    return [await reader.read(), listed].map(({ leaderId, youLead, yourMaximum }) => ({
      leaderId,
      youLead,
      yourMaximum,
    }))
  }
  const leader = { leaderId: 2, youLead: true, yourMaximum: 200 }
  const others = { leaderId: 2, youLead: false, yourMaximum: undefined }
  expect([await seenBy(2), await seenBy(3), await seenBy(1)]).toEqual([
    [leader, leader],
    [others, others],
    [others, others],
  ])
})

test('the claim may be within another', async () => {
  const nested = await startServer({ environment: { JWT_SUBJECT_CLAIM: '/app_metadata/user_id' } })
  const within = (appMetadata: unknown) => tokenOf('anna', { app_metadata: appMetadata, user_id: 1 })
  const auction = await openAuction(nested, {}, within({ user_id: 1 }))
  expect((await auction.as(within({ user_id: '2' })).placeBid()).status).toBe(201)
  for (const appMetadata of [undefined, null, 2, [2], {}, { user_id: null }, { user_id: 'no id' }]) {
    const message = 'This token identifies no user; its claim "/app_metadata/user_id" must be a user id.'
    const refused = await auction.as(within(appMetadata)).placeBid()
    expect(refused).toMatchObject(problem(403, 'forbidden', { message }))
  }
  const literal = auction.as(tokenOf('anna', { '/app_metadata/user_id': 2 }))
  expect(await literal.placeBid()).toMatchObject(problem(403, 'forbidden'))
})

test('the claim may be the subject', async () => {
  const bySubject = await startServer({ environment: { JWT_SUBJECT_CLAIM: 'sub' } })
  const auction = await openAuction(bySubject, {}, tokenOf('1'))
  expect((await auction.as(tokenOf('2')).placeBid()).status).toBe(201)
  expect((await clientOf(bySubject, tokenOf('3'), auction.id).placeBid()).status).toBe(403)
})
