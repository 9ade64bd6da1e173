import { StoreUnavailableError } from '@auction/domain/errors'
import { refused, unwrap } from '@auction/domain/result'
import type { Store } from '@auction/domain/store'
import { sampleNewBid } from '@auction/testing/samples'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createViewers } from '../src/api/callers/caller.ts'
import { createListFeed } from '../src/api/live/list-feed.ts'
import { clientOf, newCaller, openAuction, pointersOf, problem } from './support/client.ts'
import { arrivedAt, openStream } from './support/event-stream.ts'
import { serverOfFile, startHeldServer, startServer, type TestServer } from './support/server.ts'
import { tokenOf } from './support/tokens.ts'

const server = await serverOfFile()

const pathOf = (...ids: readonly number[]) => `/api/Auctions/Events?ids=${ids}`

/** Follows auctions as a new caller. */
async function follow(on: TestServer, ids: readonly number[], token = newCaller()) {
  const stream = await openStream(on, pathOf(...ids), token)
  onTestFinished(() => stream.close())
  return stream
}

const cancellable = { cancellableUntilEnd: true }
const bye = (reason: string) => ({ event: 'bye', id: undefined, data: { reason } })

describe('the stream of a list', () => {
  test('begins with the missing and the state of each auction, and continues with each that changes', async () => {
    const [desk, chair] = [await openAuction(server), await openAuction(server)]
    await desk.placeBid()
    const stream = await follow(server, [chair.id, 999_998, desk.id, 999_999])
    expect(stream.status).toBe(200)
    expect(Object.fromEntries(stream.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      vary: 'Accept',
    })
    const now = '2030-01-31T12:00:00.000Z'
    const { description: _, ...listedChair } = await chair.read()
    const { description: __, ...listedDesk } = await desk.read()
    expect(await stream.take(3)).toEqual([
      { event: 'missing', id: undefined, data: { ids: [999_998, 999_999] } },
      { event: 'auction', id: undefined, data: { now, sequence: 0, auction: listedChair } },
      { event: 'auction', id: undefined, data: { now, sequence: 1, auction: listedDesk } },
    ])
    expect(stream.text()).toMatch(/^retry: [1-5]\d{3}\n\n/)

    await chair.placeBid({ amount: 300 })
    expect(await stream.next()).toMatchObject({ data: { sequence: 1, auction: { id: chair.id, currentPrice: 300 } } })
    await desk.placeBid({ amount: 400, bidderId: 3 })
    expect(await stream.next()).toMatchObject({ data: { sequence: 2, auction: { id: desk.id, leaderId: 3 } } })
  })

  test('ends when all its auctions are over, and then again after their states', async () => {
    const [desk, chair] = [await openAuction(server, cancellable), await openAuction(server, cancellable)]
    const stream = await follow(server, [desk.id, chair.id])
    await stream.take(2)
    const result = { outcome: 'cancelled' }
    await desk.cancelAuction()
    expect(await stream.next()).toMatchObject({ data: { auction: { id: desk.id, result } } })
    await chair.cancelAuction()
    expect(await stream.next()).toMatchObject({ data: { auction: { id: chair.id, result } } })
    expect(await stream.rest()).toEqual([bye('over')])

    const again = await (await follow(server, [desk.id, chair.id])).rest()
    expect(again).toMatchObject([{ data: { auction: { result } } }, { data: { auction: { result } } }, bye('over')])
    expect(await (await follow(server, [999_999])).rest()).toEqual([
      { event: 'missing', id: undefined, data: { ids: [999_999] } },
      bye('over'),
    ])
  })

  test('shows the newest state of what changed during a read', async () => {
    let held: Promise<void> | undefined
    const reading = Promise.withResolvers<void>()
    const on = await startServer({
      replaceInStore: (right: Store) => ({
        async findAuctions(...given) {
          if (held !== undefined) reading.resolve()
          await held
          return right.findAuctions(...given)
        },
      }),
    })
    const auction = await openAuction(on)
    const stream = await follow(on, [auction.id])
    await stream.next()
    const { promise, resolve } = Promise.withResolvers<void>()
    held = promise
    await on.service.placeBid(bidOf(auction.id, 100))
    await reading.promise
    for (let amount = 105; amount <= 195; amount += 5) await on.service.placeBid(bidOf(auction.id, amount))
    resolve()
    const sequences: number[] = []
    while (sequences.at(-1) !== 20) sequences.push((await stream.next())?.data.sequence)
    expect(sequences.length).toBeLessThanOrEqual(2)
  })

  test('reads once for all clients that connect at once', async () => {
    const on = await startHeldServer({}, 'findAuctions')
    const ids = [(await openAuction(on)).id, (await openAuction(on)).id]
    const first = follow(on, ids)
    await on.begun
    const allArrived = arrivedAt(on, 50)
    const others = Array.from({ length: 50 }, () => follow(on, ids))
    await allArrived
    on.release()
    for (const stream of await Promise.all([first, ...others])) {
      expect(await stream.take(2)).toMatchObject(ids.map((id) => ({ data: { auction: { id } } })))
    }
    expect(on.calls()).toBeLessThan(10)
  })

  test('continues after the store was unavailable, and is refused while it is', async () => {
    let isAway = false
    const on = await startServer({
      replaceInStore: (right: Store) => ({
        async findAuctions(...given) {
          if (isAway) throw new StoreUnavailableError('no response')
          return right.findAuctions(...given)
        },
      }),
    })
    const auction = await openAuction(on)
    const stream = await follow(on, [auction.id])
    await stream.next()
    isAway = true
    await auction.placeBid()
    const refused = await follow(on, [auction.id])
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
    isAway = false
    expect(await stream.next()).toMatchObject({ data: { sequence: 1 } })
  })

  test('has the newest state for a reader that did not keep up, even after a failed read', async () => {
    const { id } = await openAuction(server)
    let failures: ('refused' | 'thrown')[] = []
    const readNewest = Promise.withResolvers<void>()
    const { service, clock } = server
    const { subscribe } = createListFeed({
      service: {
        ...service,
        async listAuctions(query) {
          const failure = failures.shift()
          if (failure === 'thrown') throw new StoreUnavailableError('no response')
          if (failure === 'refused') return refused({ code: 'overloaded' })
          const read = await service.listAuctions(query)
          if (unwrap(read).items[0]?.sequence === 4) readNewest.resolve()
          return read
        },
      },
      clock,
      publicViewer: createViewers(undefined).publicViewer,
    })
    const { read, resume, leave } = subscribe([bidOf(id, 100).auctionId], {})
    onTestFinished(leave)
    let isReady = true
    const written: number[] = []
    let onWritten = () => {}
    unwrap(await read())?.({
      isReady: () => isReady,
      write(encoded) {
        written.push(JSON.parse(/data: (.*)/.exec(String(encoded))?.[1] ?? '').sequence)
        onWritten()
      },
      end: () => undefined,
    })
    isReady = false
    for (const amount of [100, 105, 110, 115]) await server.service.placeBid(bidOf(id, amount))
    await readNewest.promise
    // The read is complete when what follows it is done.
    await new Promise(setImmediate)
    isReady = true
    failures = ['refused', 'thrown']
    const wrote = Promise.withResolvers<void>()
    onWritten = wrote.resolve
    resume()
    await wrote.promise
    expect(written).toEqual([0, 4])
  })

  test('counts as a stream in the limits, and ends with the server', async () => {
    const on = await startServer({ environment: { MAX_STREAMS_PER_CALLER: '2' } })
    const { id } = await openAuction(on)
    const anna = newCaller()
    const single = await openStream(on, `/api/Auctions/${id}/Events`, anna)
    const list = await follow(on, [id], anna)
    expect((await follow(on, [id], anna)).status).toBe(429)
    await on.app.close()
    for (const stream of [single, list]) expect((await stream.rest()).at(-1)).toEqual(bye('draining'))
  })
})

describe('the states of a list', () => {
  test('are the same in a page and in a stream, the same bytes for all, and without secrets', async () => {
    const environment = { JWT_SUBJECT_CLAIM: 'sub', PSEUDONYM_SECRET: 'Zq8vT2mK5xR9wL3nB7cJ4hF6yD1sG0pA' }
    const on = await startServer({ environment })
    const [owner = '', anna = ''] = ['7001', '7002'].map((sub) => tokenOf(sub))
    const auction = await openAuction(on, { ownerId: 7001, reservePrice: 777 }, owner)
    await auction.as(anna).placeBid({ bidderId: 7002, amount: 100, maximumAmount: 444 })
    const seen: string[] = []
    for (const token of [owner, anna]) {
      const stream = await follow(on, [auction.id, 9], token)
      const [missing, { data } = {}] = await stream.take(2)
      seen.push(stream.text().replace(/^retry: \d+/, ''))
      const page = await clientOf(on, token).get(pathOf(auction.id, 9))
      const { now, ...state } = data
      expect(page.body).toMatchObject({ now, data: { items: [state], missing: missing?.data.ids } })
      expect(page.text).not.toMatch(/444|777|youLead|yourPseudonym|7002/)
    }
    expect(new Set(seen).size).toBe(1)
    expect(seen[0]).not.toMatch(/444|777|youLead|yourPseudonym|7002/)
  })

  test.each(['', '?ids=1,1', '?ids=1&ids=2'])('are refused for the ids %j', async (query) => {
    for (const accept of ['application/json', 'text/event-stream']) {
      const headers = { accept, 'last-event-id': 'ignored' }
      const refused = await clientOf(server).send('GET', `/api/Auctions/Events${query}`, { headers })
      expect(refused).toMatchObject(problem(400, 'validation-failed'))
      expect(pointersOf(refused)).toEqual(['/ids'])
    }
  })

  test.each(['', '3', 'x'])('are the same with the position %j, which they do not have', async (position) => {
    const { id } = await openAuction(server)
    const stream = await openStream(server, `${pathOf(id)}&lastEventId=${position}`, newCaller())
    expect(await stream.next()).toMatchObject({ event: 'auction', data: { auction: { id } } })
    await stream.close()
    const page = await clientOf(server).get(`${pathOf(id)}&lastEventId=${position}`)
    expect(page.body.data).toMatchObject({ items: [{ auction: { id } }], missing: [] })
  })

  test('have a path that is not that of an auction', async () => {
    const { id } = await openAuction(server)
    expect((await clientOf(server).get(`/api/AUCTIONS/events?ids=${id}`)).status).toBe(200)
    const { headers } = await clientOf(server).patch('/api/Auctions/Events', {})
    expect(headers.get('allow')).toBe('GET, HEAD, OPTIONS')
  })
})

/** A bid of user 2 as the service takes it. */
const bidOf = (auctionId: number, amount: number) => sampleNewBid({ auctionId, bidderId: 2, amount })
