import { describe, expect, onTestFinished, test } from 'vitest'
import { type AuctionClient, bidIn, newCaller, openAuction, pointersOf, problem } from './support/client.ts'
import { openStream } from './support/event-stream.ts'
import { serverOfFile, startServer } from './support/server.ts'
import { bidderReader, managing, permissions, tokenOf } from './support/tokens.ts'

const server = await serverOfFile()

const openManaged = (fields: object = {}) =>
  openAuction(server, fields, newCaller({ permissions: [...permissions, managing] }))

const withdraw = (auction: AuctionClient, fields: object, headers: Readonly<Record<string, string>> = {}) =>
  auction.post(`/api/Auctions/${auction.id}/Withdrawal`, { reason: 'A slip.', ...fields }, headers)

const bidAs = async (auction: AuctionClient, bidderId: number, amount: number) => {
  const placed = await auction.placeBid({ bidderId, amount })
  expect(placed.status).toBe(201)
  return bidIn(placed)
}

describe('a withdrawal', () => {
  test('is possible only for those who may see the ids of bidders', async () => {
    const hiding = await startServer({
      environment: { JWT_SUBJECT_CLAIM: 'uid', PSEUDONYM_SECRET: 'a secret of the tests, of more than 32 bytes' },
    })
    const staff = (more: readonly string[]) =>
      tokenOf('staff', { uid: 9, permissions: [...permissions, managing, ...more] })
    const auction = await openAuction(hiding, {}, tokenOf('anna', { uid: 1 }))
    await auction.as(tokenOf('bob', { uid: 2 })).placeBid()
    // Whether the user has bid makes no difference.
    for (const bidderId of [2, 999]) {
      const { status, body } = await withdraw(auction.as(staff([])), { bidderId })
      expect([status, body.code]).toEqual([403, 'forbidden'])
    }
    expect((await withdraw(auction.as(staff([bidderReader])), { bidderId: 2 })).status).toBe(200)
  })

  test('returns the auction as a read does, with its entity tag', async () => {
    const auction = await openManaged()
    await bidAs(auction, 2, 100)
    await bidAs(auction, 3, 500)
    const path = `/api/Auctions/${auction.id}`
    const before = await auction.get(path)
    const withdrawn = await withdraw(auction, { bidderId: 3 })
    expect(withdrawn.status).toBe(200)
    expect(withdrawn.headers.get('location')).toBeNull()
    expect(withdrawn.body.data).toMatchObject({ leaderId: 2, currentPrice: 100, bidCount: 1 })
    const ifNoneMatch = { headers: { 'if-none-match': before.headers.get('etag') ?? '' } }
    const after = await auction.send('GET', path, ifNoneMatch)
    expect(after.status).toBe(200)
    const { now: _, ...read } = after.body
    expect(withdrawn.body).toEqual(read)
    expect(withdrawn.headers.get('etag')).toBe(after.headers.get('etag'))
  })

  test('marks the bids in every read, whatever a cache had', async () => {
    const auction = await openManaged()
    const kept = await bidAs(auction, 2, 100)
    const slip = await bidAs(auction, 3, 500)
    const path = `/api/Bids/${slip.id}`
    const { headers } = await auction.get(path)
    await withdraw(auction, { bidderId: 3 })
    const read = await auction.send('GET', path, { headers: { 'if-none-match': headers.get('etag') ?? '' } })
    expect(read).toMatchObject({ status: 200, body: { data: { ...slip, withdrawn: true } } })
    const { items } = (await auction.get(`/api/Auctions/${auction.id}/Bids`)).body.data
    expect(items).toMatchObject([{ id: slip.id, withdrawn: true }, { id: kept.id }])
    expect(items[1]).not.toHaveProperty('withdrawn')
    const own = (await auction.get('/api/Bids?bidderId=3&limit=1')).body.data.items
    expect(own).toMatchObject([{ id: slip.id, withdrawn: true, standing: 'withdrawn' }])
  })

  test('reaches the streams of lists in the order of the ledger, although the price falls', async () => {
    const auction = await openManaged()
    await bidAs(auction, 2, 100)
    const stream = await openStream(server, `/api/Auctions/Events?ids=${auction.id}`, newCaller())
    onTestFinished(() => stream.close())
    expect(await stream.next()).toMatchObject({ data: { sequence: 1, auction: { currentPrice: 100 } } })
    await bidAs(auction, 3, 500)
    expect(await stream.next()).toMatchObject({ data: { sequence: 2, auction: { currentPrice: 500 } } })
    await withdraw(auction, { bidderId: 3 })
    expect(await stream.next()).toMatchObject({ data: { sequence: 3, auction: { currentPrice: 100, bidCount: 1 } } })
  })

  test('is an event of the auction, with the lower price, and bids go on from there', async () => {
    const auction = await openManaged()
    await bidAs(auction, 2, 100)
    const stream = await openStream(server, `/api/Auctions/${auction.id}/Events`, newCaller())
    onTestFinished(() => stream.close())
    expect(await stream.next()).toMatchObject({ event: 'snapshot' })
    await bidAs(auction, 3, 500)
    await withdraw(auction, { bidderId: 3, block: true })
    await bidAs(auction, 4, 110)
    const shown = { reason: 'A slip.', bidderId: 3, blocked: true, currentPrice: 100, leaderId: 2, bidCount: 1 }
    expect(await stream.take(3)).toMatchObject([
      { event: 'bid', id: 2, data: { currentPrice: 500 } },
      { event: 'withdrawn', id: 3, data: shown },
      { event: 'bid', id: 4, data: { currentPrice: 110, previousLeaderId: 2 } },
    ])
    const { items } = (await auction.get(`/api/Auctions/${auction.id}/Events?after=2&limit=1`)).body.data
    expect(items).toMatchObject([{ type: 'withdrawn', sequence: 3, ...shown }])
  })

  test('is refused without a permission, and with each invalid field', async () => {
    const auction = await openManaged()
    expect(await withdraw(auction.as(newCaller()), { bidderId: 2 })).toMatchObject(problem(403, 'forbidden'))
    expect(pointersOf(await withdraw(auction, { bidderId: 0, reason: '', block: 'yes' }))).toEqual([
      '/bidderId',
      '/reason',
      '/block',
    ])
  })
})
