import { createHmac } from 'node:crypto'
import { toUserId } from '@auction/domain/ids'
import { describe, expect, test } from 'vitest'
import { createViewers, maySeeBids } from '../src/api/callers/caller.ts'
import { clientOf, openAuction } from './support/client.ts'
import { startServer } from './support/server.ts'
import { bidderReader, permissions, tokenOf } from './support/tokens.ts'

const PSEUDONYM_SECRET = 'a secret for pseudonyms, of 32 bytes and more'
const environment = { PSEUDONYM_SECRET, JWT_SUBJECT_CLAIM: 'uid', RATE_LIMIT_MAX: '100000' }

const user = (uid: number | null) => tokenOf(`user ${uid}`, { uid })
const [owner, anna, bert] = [11, 12, 13]

/** The pseudonym by its definition. The service must not change it: pages link by it. */
function pseudonymOf(auctionId: number, bidderId: number, secret = PSEUDONYM_SECRET): number {
  const digest = createHmac('sha256', secret).update(`${auctionId}/${bidderId}`).digest('hex')
  return -1 - Number(BigInt(`0x${digest.slice(0, 16)}`) % (2n ** 53n - 1n))
}

test('a pseudonym is the same in all responses about an auction, to all viewers and from all servers', async () => {
  for (let servers = 0; servers < 2; servers++) {
    const server = await startServer({ environment })
    for (const id of [1, 2]) {
      const auction = await openAuction(server, { ownerId: owner }, user(owner))
      await auction.as(user(anna)).placeBid({ bidderId: anna, maximumAmount: 300 })
      if (id === 1) await auction.as(user(bert)).placeBid({ bidderId: bert, amount: 200 })
    }
    server.clock.set('2030-02-07T12:01:00Z')
    await server.service.closeDue()
    for (const viewer of [14, null]) {
      const client = clientOf(server, user(viewer))
      const { leaderId, result } = (await client.get('/api/Auctions/1')).body.data
      const bidders = (await client.get('/api/Auctions/1/Bids')).body.data.items.map(
        ({ bidderId }: { readonly bidderId: number }) => bidderId,
      )
      const [a, b] = [pseudonymOf(1, anna), pseudonymOf(1, bert)]
      expect([leaderId, result.winnerId, ...bidders]).toEqual([a, a, a, b, a])
      expect((await client.get('/api/Auctions/2')).body.data.leaderId).toBe(pseudonymOf(2, anna))
    }
  }
  const names = [pseudonymOf(1, anna), pseudonymOf(2, anna), pseudonymOf(1, anna, 'another secret')]
  expect(new Set(names).size).toBe(3)
})

test('the 201 of an outbid bidder shows the leader by pseudonym', async () => {
  const server = await startServer({ environment })
  const auction = await openAuction(server, { ownerId: owner }, user(owner))
  const first = await auction.as(user(anna)).placeBid({ bidderId: anna, maximumAmount: 300 })
  expect(first.body.data).toMatchObject({ bidderId: anna, leaderId: anna, youLead: true, yourMaximum: 300 })
  const second = await auction.as(user(bert)).placeBid({ bidderId: bert, amount: 200 })
  expect(second.body.data).toMatchObject({ bidderId: bert, leaderId: pseudonymOf(auction.id, anna), youLead: false })
})

test('each read and write of a user has their own pseudonym, by which they find themselves in what all see', async () => {
  const server = await startServer({ environment })
  const auction = await openAuction(server, { ownerId: owner, buyNowPrice: 500, reservePrice: 400 }, user(owner))
  const path = `/api/Auctions/${auction.id}`
  const staff = tokenOf('staff', { uid: null, permissions: [...permissions, bidderReader] })
  /** What the reads of a user have: the auction, an earlier state of it, and an item of a list. */
  const seenBy = async (token: string) => {
    const client = clientOf(server, token)
    const [read, earlier, list] = [await client.get(path), await client.get(`${path}?at=0`), '/api/Auctions?limit=1']
    const [item] = (await client.get(list)).body.data.items
    return [read.body.data, earlier.body.data, item].map(({ yourPseudonym }) => yourPseudonym)
  }
  const [ofAnna, ofBert] = [anna, bert].map((id) => pseudonymOf(auction.id, id))
  expect(await seenBy(user(anna))).toEqual([ofAnna, ofAnna, ofAnna])
  const placed = await auction.as(user(anna)).placeBid({ bidderId: anna })
  const bought = await auction.as(user(bert)).buyNow({ buyerId: bert })
  expect([placed.body.data, bought.body.data].map(({ yourPseudonym }) => yourPseudonym)).toEqual([ofAnna, ofBert])
  expect(await seenBy(user(bert))).toEqual([ofBert, ofBert, ofBert])
  expect(await seenBy(staff)).toEqual([undefined, undefined, undefined])

  const [own, others] = [await auction.as(user(anna)).get(path), await auction.as(user(bert)).get(path)]
  expect(own.body.data).toMatchObject({ leaderId: anna, result: { buyerId: ofBert } })
  expect(own.headers.get('etag')).not.toBe(others.headers.get('etag'))
  for (const { headers } of [own, others]) {
    expect([headers.get('cache-control'), headers.get('vary')]).toEqual(['private, no-cache', 'Authorization'])
  }
  const events = [await auction.as(user(anna)).get(`${path}/Events`), await auction.as(staff).get(`${path}/Events`)]
  expect(events[0]?.body.data).toEqual(events[1]?.body.data)
  expect(events[0]?.body.data.items).toMatchObject([{ leaderId: ofAnna }, { result: { buyerId: ofBert } }])
})

test('without pseudonyms, no read has one', async () => {
  const server = await startServer({ environment: { JWT_SUBJECT_CLAIM: 'uid' } })
  const auction = await openAuction(server, { ownerId: owner }, user(owner))
  const placed = await auction.as(user(anna)).placeBid({ bidderId: anna })
  for (const data of [placed.body.data, await auction.read()]) expect(data).not.toHaveProperty('yourPseudonym')
})

test('callers that are not bound to users see pseudonyms only, and those with the permission ids', async () => {
  const server = await startServer({ environment: { PSEUDONYM_SECRET } })
  const auction = await openAuction(server)
  const placed = await auction.placeBid({ bidderId: anna })
  expect(placed.body.data).toMatchObject({ bidderId: pseudonymOf(1, anna), leaderId: pseudonymOf(1, anna) })
  const reader = clientOf(server, tokenOf('settlement', { permissions: [bidderReader] }))
  expect((await reader.get('/api/Auctions/1')).body.data.leaderId).toBe(anna)
  expect((await reader.get('/api/Bids/1')).body.data.bidderId).toBe(anna)
})

describe('the bids of a user may be asked for', () => {
  const [hiding, open] = [createViewers(PSEUDONYM_SECRET).viewerOf, createViewers(undefined).viewerOf]
  const [self, stranger] = [toUserId(anna), toUserId(bert)]
  const caller = (userId: number | undefined, ...granted: string[]) => ({
    key: 'a caller',
    storedAs: 'a hash',
    permissions: new Set(granted),
    userId: userId === undefined ? undefined : toUserId(userId),
  })

  test.each([
    ['by the user', hiding(caller(anna)), true],
    ['not by another user', hiding(caller(bert)), false],
    ['not by a caller without a user', hiding(caller(undefined)), false],
    ['not by a reader of reserves', hiding(caller(bert, 'Auctions.Reserve.Read', 'Bids.Read')), false],
    ['by a reader of bidders', hiding(caller(undefined, 'Bidders.Read')), true],
    ['by everybody without pseudonyms', open(caller(undefined)), true],
  ])('%s', (_who, viewer, expected) => {
    expect(maySeeBids(viewer, self)).toBe(expected)
  })

  test('for each user separately', () => {
    const viewer = hiding(caller(bert))
    expect([self, stranger].map((id) => maySeeBids(viewer, id))).toEqual([false, true])
  })
})
