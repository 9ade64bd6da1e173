import { describe, expect, test } from 'vitest'
import { type Answer, type AuctionClient, clientOf, openAuction, problem } from './support/client.ts'
import { serverOfFile, startServer } from './support/server.ts'
import { unchanged } from './support/stored.ts'
import { tokenOf } from './support/tokens.ts'

const server = await serverOfFile({ environment: { JWT_SUBJECT_CLAIM: 'uid' } })
const user = (uid: unknown) => tokenOf('anna', { uid })

type Send = (auction: AuctionClient) => Promise<Answer>

/** Each operation for a user, on an auction of user 1. */
const operations: readonly (readonly [name: string, uid: number, permission: string, must: string, send: Send])[] = [
  ['an auction', 1, 'Auctions:Create', 'ownerId must equal its claim "uid"', (auction) => auction.createAuction()],
  ['a bid', 2, 'Bids:Create', 'bidderId must equal its claim "uid"', (auction) => auction.placeBid()],
  ['a purchase', 2, 'Bids:Create', 'buyerId must equal its claim "uid"', (auction) => auction.buyNow()],
  [
    'a cancellation',
    1,
    'Auctions:Cancel',
    'only the owner can cancel the auction',
    (auction) => auction.cancelAuction(),
  ],
]

describe.each(operations)('%s', (_name, uid, permission, must, send) => {
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
    expect(refused.headers.get('www-authenticate')).toBe(
      `Bearer error="insufficient_scope", scope="auction-service:${permission}"`,
    )
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

test('a cancelled auction is 403 for another user', async () => {
  const auction = await openAuction(server, {}, user(1))
  await auction.cancelAuction()
  expect(await auction.as(user(2)).cancelAuction()).toMatchObject(problem(403, 'forbidden'))
})

test('the claim may be the subject', async () => {
  const bySubject = await startServer({ environment: { JWT_SUBJECT_CLAIM: 'sub' } })
  const auction = await openAuction(bySubject, {}, tokenOf('1'))
  expect((await auction.as(tokenOf('2')).placeBid()).status).toBe(201)
  expect((await clientOf(bySubject, tokenOf('3'), auction.id).placeBid()).status).toBe(403)
})
