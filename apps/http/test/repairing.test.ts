import { describe, expect, test } from 'vitest'
import { startReceiver } from '../../../tools/vitest/receiver.ts'
import {
  type Answer,
  type AuctionClient,
  clientOf,
  newCaller,
  openAuction,
  pointersOf,
  problem,
} from './support/client.ts'
import { serverOfFile, startServer } from './support/server.ts'
import { unchanged } from './support/stored.ts'
import {
  bidderReader,
  correctingOwn,
  managing,
  permissions,
  reserveReader,
  tokenOf,
  webhookSecret,
} from './support/tokens.ts'

const server = await serverOfFile()
const bound = await serverOfFile({ environment: { JWT_SUBJECT_CLAIM: 'uid' } })

const staff = (claims: object = {}) => newCaller({ permissions: [...permissions, managing], ...claims })
const reason = 'Outage.'
const endTime = '2030-02-07T13:00:00Z'
const repairOf = (auction: AuctionClient, what: string, body: object, headers?: Readonly<Record<string, string>>) =>
  auction.post(`/api/Auctions/${auction.id}/${what}`, body, headers)
const extend = (auction: AuctionClient, body: object = {}, headers?: Readonly<Record<string, string>>) =>
  repairOf(auction, 'Extension', { endTime, reason, ...body }, headers)
const end = (auction: AuctionClient) => repairOf(auction, 'Closing', { reason })
const lower = (auction: AuctionClient, reservePrice: number, fields: object = { reason }) =>
  repairOf(auction, 'Reserve', { reservePrice, ...fields })
/** The owner gives no reason. */
const lowerOwn = (auction: AuctionClient, reservePrice: number) => lower(auction, reservePrice, {})
const eventsOf = async (auction: AuctionClient) =>
  (await auction.get(`/api/Auctions/${auction.id}/Events`)).body.data.items
const repairsOf = async (auction: AuctionClient) =>
  (await auction.get(`/api/Auctions/${auction.id}/Repairs`)).body.data.items

describe('a repair', () => {
  test('returns the auction as a read does, with the entity tag of that, and is an event', async () => {
    const auction = await openAuction(server, {}, staff())
    const extended = await extend(auction, {}, { 'idempotency-key': 'one' })
    expect(extended.status).toBe(200)
    const shown = { effectiveEndTime: '2030-02-07T13:00:00.000Z', repairCount: 1 }
    expect(extended.body.data).toMatchObject({ ...shown, endTime: '2030-02-07T12:00:00Z' })
    const after = await auction.get(`/api/Auctions/${auction.id}`)
    const { now: _, ...read } = after.body
    expect(extended.body).toEqual(read)
    expect(extended.headers.get('etag')).toBe(after.headers.get('etag'))
    const again = await extend(auction, {}, { 'idempotency-key': 'one' })
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(await eventsOf(auction)).toMatchObject([
      { type: 'extended', reason, previousEndTime: '2030-02-07T12:00:00.000Z', currentPrice: 100, leaderId: null },
    ])
  })

  test('by a closing ends the auction early, as its result shows', async () => {
    const auction = await openAuction(server, {}, staff())
    await auction.placeBid()
    const effectiveEndTime = '2030-01-31T12:00:00.001Z'
    expect((await end(auction)).body.data).toMatchObject({ status: 'Ended', effectiveEndTime, result: null })
    server.clock.set('2030-01-31T12:00:02.001Z')
    await server.service.closeDue()
    const result = { outcome: 'sold', winnerId: 2, endedEarly: true }
    expect((await auction.read()).result).toMatchObject(result)
    expect(await eventsOf(auction)).toMatchObject([
      { type: 'bid' },
      { type: 'ended-early', effectiveEndTime },
      { type: 'ended', result },
    ])
    expect(await end(auction)).toMatchObject(problem(409, 'auction-ended'))
    server.clock.set('2030-01-31T12:00:00Z')
  })

  test('of the reserve bids for the leader', async () => {
    const auction = await openAuction(
      server,
      { reservePrice: 500 },
      staff({ permissions: [...permissions, managing, reserveReader] }),
    )
    await auction.placeBid({ maximumAmount: 200 })
    expect((await lower(auction, 150)).body.data).toMatchObject({
      currentPrice: 150,
      reserveMet: true,
      reservePrice: 150,
    })
    expect(await auction.bids()).toMatchObject([{ amount: 150, automatic: true }, { amount: 100 }])
    const [, event] = await eventsOf(auction)
    expect(event).toMatchObject({
      type: 'reserve-lowered',
      currentPrice: 150,
      reserveMet: true,
      bids: [{ amount: 150 }],
      ...{ by: 'staff', reason },
    })
  })

  test.each([
    { what: 'Extension', body: {}, pointers: ['/endTime', '/reason'] },
    { what: 'Extension', body: { endTime: 'noon', reason: '' }, pointers: ['/endTime', '/reason'] },
    { what: 'Closing', body: {}, pointers: ['/reason'] },
    { what: 'Closing', body: { reason: 'x'.repeat(501) }, pointers: ['/reason'] },
    { what: 'Reserve', body: { reservePrice: -1, reason: '' }, pointers: ['/reservePrice', '/reason'] },
    { what: 'Reserve', body: { reservePrice: 0, more: 1 }, pointers: ['/more'] },
    { what: 'Reserve', body: { reservePrice: 0 }, pointers: ['/reservePrice', '/reason'] },
  ])('is refused for the invalid $what $body', async ({ what, body, pointers }) => {
    const auction = await openAuction(server, {}, staff())
    const refused = await unchanged(server, () => repairOf(auction, what, body))
    expect(refused).toMatchObject(problem(400, 'validation-failed'))
    expect(pointersOf(refused)).toEqual(pointers)
  })
})

describe('repairs are for', () => {
  test('staff with the permission', async () => {
    const auction = await openAuction(server, { reservePrice: 500 })
    for (const refused of [await extend(auction), await end(auction), await lower(auction, 0)]) {
      expect(refused).toMatchObject(problem(403, 'forbidden'))
    }
    expect((await extend(auction.as(staff()))).status).toBe(200)
  })

  test('owners who lower their reserve', async () => {
    const own = { permissions: [...permissions, correctingOwn] }
    const auction = await openAuction(bound, { reservePrice: 500, ownerId: 7 }, newCaller({ uid: 7, ...own }))
    expect(await lowerOwn(auction.as(newCaller({ uid: 8, ...own })), 400)).toMatchObject(
      problem(403, 'forbidden', {
        message:
          'This token identifies another user; only the owner can lower its reserve without the permission Auctions.Manage.',
      }),
    )
    expect(await extend(auction)).toMatchObject(problem(403, 'forbidden'))
    expect((await lowerOwn(auction, 400)).body.data).toMatchObject({ reservePrice: 400, reserveMet: false })
    expect(await lowerOwn(auction, 399)).toMatchObject(problem(409, 'reserve-lowered-before'))
    const both = auction.as(newCaller({ uid: 7, permissions: [...own.permissions, managing] }))
    expect(await lowerOwn(both, 399)).toMatchObject(problem(409, 'reserve-lowered-before'))
    expect((await lower(both, 399)).status).toBe(200)
    expect(await eventsOf(auction)).toMatchObject([{ by: 'owner' }, { by: 'staff', reason }])
    const unnamed = await lower(await openAuction(server, { reservePrice: 500 }, newCaller(own)), 400)
    expect(unnamed.body.message).toContain('lowering a reserve needs the permission Auctions.Manage.')
  })
})

test('the editor of a repair or correction is shown only to staff, and events are the same for all', async () => {
  const own = newCaller({ uid: 7, permissions: [...permissions, correctingOwn] })
  const auction = await openAuction(bound, { reservePrice: 500, ownerId: 7 }, own)
  const editor = staff({ uid: 9 })
  await auction.patch(`/api/Auctions/${auction.id}`, { title: 'Desk' }, { 'if-match': '*' })
  await extend(auction.as(editor))
  await lower(auction.as(editor), 0)
  const shown = await repairsOf(auction)
  expect(shown).toEqual((await eventsOf(auction)).toReversed())
  expect(shown[2]).toMatchObject({ type: 'corrected', by: 'owner', fields: ['title'] })
  const editors = ['9', '9', '7']
  const all = shown.map((change: object, index: number) => ({ ...change, editor: editors[index] }))
  expect(await repairsOf(auction.as(editor))).toEqual(all)
})

test('with pseudonyms, repairs show bidders as bids do', async () => {
  const environment = { PSEUDONYM_SECRET: 'a secret for pseudonyms, of 32 bytes and more', ANONYMOUS_READS: 'on' }
  const hiding = await startServer({ environment })
  const auction = await openAuction(hiding, {}, staff({ permissions: [...permissions, managing, bidderReader] }))
  await auction.placeBid({ bidderId: 7_310_842_965_127 })
  await extend(auction)
  const anyone = clientOf(hiding, '')
  const { leaderId } = (await anyone.get('/api/Auctions/1')).body.data
  await repairOf(auction, 'Withdrawal', { bidderId: 7_310_842_965_127, reason: 'A slip.' })
  const { items } = (await anyone.get('/api/Auctions/1/Repairs')).body.data
  expect(items).toMatchObject([
    { type: 'withdrawn', bidderId: leaderId, leaderId: null },
    { type: 'extended', leaderId },
  ])
  expect(JSON.stringify(items)).not.toMatch(/7310842965127|editor/)
  const editor = expect.any(String)
  expect(await repairsOf(auction)).toEqual(items.map((repair: object) => ({ ...repair, editor })))
})

test('a lowered reserve is as secret as the first: if it alone differs, others receive the same bytes', async () => {
  const receivedWith = async (lowered: number): Promise<readonly string[]> => {
    const receiver = await startReceiver()
    const on = await startServer({
      environment: { JWT_SUBJECT_CLAIM: 'uid', WEBHOOK_URL: receiver.url, WEBHOOK_SECRET: webhookSecret },
    })
    const owner = await openAuction(
      on,
      { reservePrice: 800 },
      tokenOf('user 1', { uid: 1, permissions: [...permissions, correctingOwn] }),
    )
    const blind = owner.as(tokenOf('user 2', { uid: 2, permissions: [...permissions, managing] }))
    await blind.placeBid({ bidderId: 2, maximumAmount: 300 })
    expect((await lowerOwn(owner, lowered)).status).toBe(200)
    const answers: Answer[] = []
    const read = async () => {
      for (const path of ['', '/Events', '/Repairs', '/Bids']) answers.push(await blind.get(`/api/Auctions/1${path}`))
      answers.push(await blind.get('/api/Auctions'))
    }
    await read()
    for (const reserve of [650, 550, lowered]) answers.push(await lower(blind, reserve))
    answers.push(await blind.placeBid({ bidderId: 2, amount: 400 }))
    answers.push(await lower(blind, 0))
    await read()
    on.clock.set('2030-02-08T00:00:00Z')
    await on.service.closeDue()
    await read()
    const messages = (await receiver.received(6)).map(({ body }) => body)
    return [...answers.map(({ status, text, headers }) => `${status} ${text} ${headers.get('etag')}`), ...messages]
  }
  const [one, other] = [await receivedWith(600), await receivedWith(700)]
  expect(one).toEqual(other)
})
