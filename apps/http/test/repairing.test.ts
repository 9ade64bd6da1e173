import { describe, expect, test } from 'vitest'
import { type AuctionClient, clientOf, newCaller, openAuction, pointersOf, problem } from './support/client.ts'
import { serverOfFile, startServer } from './support/server.ts'
import { unchanged } from './support/stored.ts'
import { bidderReader, correctingOwn, managing, permissions } from './support/tokens.ts'

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

  test('of an auction whose price falls shows its price in events and in the list of repairs', async () => {
    const fields = {
      format: 'falling',
      minimumBidIncrement: undefined,
      startTime: new Date(server.clock.nowMs()).toISOString(),
    }
    const falling = { decrement: 5, intervalSeconds: 600, floorPrice: 60 }
    const auction = await openAuction(server, { ...fields, falling }, staff())
    const { startTime } = (await extend(auction)).body.data
    const nextPriceTime = new Date(Date.parse(startTime) + 600_000).toISOString()
    const shown = { type: 'extended', reason, currentPrice: 100, nextPrice: 95, nextPriceTime }
    const [event] = await eventsOf(auction)
    expect(event).toMatchObject(shown)
    expect(Object.keys(event)).not.toContain('bidCount')
    expect(await repairsOf(auction)).toMatchObject([shown])
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
