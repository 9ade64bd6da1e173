import { createAuctionService } from '@auction/domain'
import { StoreUnavailableError } from '@auction/domain/errors'
import { toSaleId } from '@auction/domain/ids'
import { unwrap } from '@auction/domain/result'
import type { Store } from '@auction/domain/store'
import { sampleLots, sampleNewBid } from '@auction/testing/samples'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createViewers } from '../src/api/callers/caller.ts'
import { createSaleFeed } from '../src/api/live/sale-feed.ts'
import { clientOf, newCaller, problem } from './support/client.ts'
import { arrivedAt, openStream, type ReceivedEvent } from './support/event-stream.ts'
import { serverOfFile, startHeldServer, startServer, type TestServer } from './support/server.ts'
import { permissions, saleManaging } from './support/tokens.ts'

const server = await serverOfFile()
const now = '2030-01-31T12:00:00.000Z'

const newSale = {
  title: 'Spring sale',
  currency: 'USD',
  startTime: now,
  firstEndTime: '2030-01-31T13:00:00Z',
  intervalSeconds: 60,
  lotDefaults: { productId: 1, ownerId: 1, startingPrice: 10, minimumBidIncrement: 5 },
}

/** Creates a sale of these lots. */
async function openSale(on: TestServer, lots: readonly object[], fields: object = {}) {
  const client = clientOf(on, newCaller({ permissions: [...permissions, saleManaging] }))
  const { body } = await client.post('/api/Sales', { ...newSale, ...fields })
  const id: number = body.data.id
  const post = (path: string, sent: object, key = path) =>
    client.post(`/api/Sales/${id}/${path}`, sent, { 'idempotency-key': key })
  const add = async (...added: readonly object[]): Promise<readonly number[]> => {
    const { status, text, body: response } = await post('Lots', { lots: added }, JSON.stringify(added))
    if (status !== 200) throw new Error(text)
    return response.data.lots.map(({ auctionId }: { auctionId: number }) => auctionId)
  }
  const ids = lots.length === 0 ? [] : await add(...lots)
  return { id, ids, client, add, post }
}

const numbered = (count: number) => Array.from({ length: count }, (_, at) => ({ lot: `${at + 1}` }))

/** Follows a sale as a new caller. */
async function follow(on: TestServer, id: number, token = newCaller()) {
  const stream = await openStream(on, `/api/Sales/${id}/Events`, token)
  onTestFinished(() => stream.close())
  return stream
}

const bid = (on: TestServer, auctionId: number, amount: number) =>
  on.service.placeBid(sampleNewBid({ auctionId, bidderId: 2, amount }))

const linesOf = (events: readonly ReceivedEvent[]) => events.flatMap(({ data }) => data.lots ?? [])
const bye = (reason: string) => ({ event: 'bye', id: undefined, data: { reason } })

describe('the stream of a sale', () => {
  test('begins with a line for each lot by its number, and continues with those that change', async () => {
    const lots = [
      { lot: '2', title: 'Desk' },
      { lot: '12A' },
      { lot: '1', format: 'sealed', pricing: 'first', minimumBidIncrement: null },
    ]
    const { id, ids } = await openSale(server, lots)
    const [desk = 0, clock, sealed] = ids
    const stream = await follow(server, id)
    const open = { status: 'Active', currentPrice: 10, bidCount: 0 }
    const two = { id: desk, lot: '2', title: 'Desk', ...open, effectiveEndTime: '2030-01-31T13:01:00.000Z' }
    expect(await stream.take(3)).toEqual([
      { event: 'sale', id: undefined, data: { now, id, extendedSeconds: 0, extensions: [], lotCount: 3 } },
      {
        event: 'lots',
        id: undefined,
        data: {
          now,
          lots: [
            { id: sealed, lot: '1', status: 'Active', effectiveEndTime: '2030-01-31T13:00:00.000Z' },
            two,
            { id: clock, lot: '12A', ...open, effectiveEndTime: '2030-01-31T13:11:00.000Z' },
          ],
        },
      },
      { event: 'ready', id: undefined, data: { now } },
    ])
    expect(stream.text()).toMatch(/^retry: [1-5]\d{3}\n\n/)
    await bid(server, desk, 30)
    expect(await stream.next()).toMatchObject({ data: { lots: [{ ...two, currentPrice: 30, bidCount: 1 }] } })

    const page = await clientOf(server).get(`/api/Sales/${id}/Events?limit=2`)
    expect(page.body.data.items).toMatchObject([{ lot: '1' }, { ...two, currentPrice: 30, bidCount: 1 }])
    const next = await clientOf(server).get(`/api/Sales/${id}/Events?cursor=${page.body.data.nextCursor}`)
    expect(next.body.data.items).toMatchObject([{ lot: '12A' }])
  })

  test('shows starts, ends and falling prices by the clock, without an entry', async () => {
    const falling = { decrement: 1, intervalSeconds: 60, floorPrice: 5 }
    const { id } = await openSale(
      server,
      [{ lot: '1' }, { lot: '2', format: 'falling', falling, minimumBidIncrement: null }],
      { startTime: '2030-01-31T12:00:00.100Z' },
    )
    const stream = await follow(server, id)
    expect(linesOf(await stream.take(3))).toMatchObject([{ status: 'Pending' }, { status: 'Pending' }])
    server.clock.set('2030-01-31T12:00:59.900Z')
    expect(linesOf(await stream.take(1))).toMatchObject([{ status: 'Active' }, { status: 'Active', currentPrice: 10 }])
    server.clock.set('2030-01-31T12:59:59.900Z')
    expect(linesOf(await stream.take(1))).toMatchObject([{ lot: '2', currentPrice: 5 }])
    server.clock.set('2030-01-31T13:00:00Z')
    expect(linesOf(await stream.take(1))).toMatchObject([{ lot: '1', status: 'Ended' }])
  })

  test('shows lots that are added and extensions, of this server and of others', async () => {
    const { id, add, post } = await openSale(server, [{ lot: '2' }])
    const streams = [await follow(server, id), await follow(server, id)]
    for (const stream of streams) await stream.until('ready')
    await add({ lot: '3' })
    const { clock, store } = server
    const other = createAuctionService({ clock, store })
    onTestFinished(() => other.close())
    for (const stream of streams)
      expect(await stream.take(2)).toMatchObject([{ data: { lotCount: 2 } }, { data: { lots: [{ lot: '3' }] } }])
    unwrap(await other.addLots({ saleId: toSaleId(id), lots: sampleLots({ lot: '1' }), editor: 'clerk' }))
    for (const stream of streams)
      expect(await stream.take(2)).toMatchObject([{ data: { lotCount: 3 } }, { data: { lots: [{ lot: '1' }] } }])
    await post('Extension', { seconds: 600, reason: 'Outage' })
    for (const stream of streams) {
      const ends = new Map<string, string>()
      let extendedSeconds: number | undefined
      while (ends.size < 3 || extendedSeconds === undefined) {
        const { data } = (await stream.next()) ?? {}
        extendedSeconds ??= data.extendedSeconds
        for (const line of data.lots ?? []) ends.set(line.lot, line.effectiveEndTime)
      }
      expect([extendedSeconds, ends.get('1')]).toEqual([600, '2030-01-31T13:10:00.000Z'])
    }
  })

  test('ends when each lot has its result', async () => {
    const { id, post } = await openSale(server, numbered(2))
    const stream = await follow(server, id)
    await stream.until('ready')
    await post('Cancellation', { lots: ['1', '2'], reason: 'Damaged' })
    const rest = await stream.rest()
    expect(new Map(linesOf(rest).map(({ lot, status, outcome }) => [lot, [status, outcome]]))).toEqual(
      new Map(numbered(2).map(({ lot }) => [lot, ['Cancelled', 'cancelled']])),
    )
    expect(rest.at(-1)).toEqual(bye('over'))
    const again = await (await follow(server, id)).rest()
    expect(again.map(({ event }) => event)).toEqual(['sale', 'lots', 'ready', 'bye'])
  })

  test('reads and encodes once for all readers, and then only what changes', async () => {
    const asked: number[] = []
    const on = await startServer({
      replaceInStore: (right: Store) => ({
        async findAuctions(wanted, signal) {
          if ('ids' in wanted) asked.push(...wanted.ids)
          return right.findAuctions(wanted, signal)
        },
      }),
    })
    const { id } = await openSale(on, [])
    const added = numbered(250)
    const ids: number[] = []
    for (let from = 0; from < added.length; from += 100) {
      const part = sampleLots(...added.slice(from, from + 100))
      const { lots } = unwrap(await on.service.addLots({ saleId: toSaleId(id), lots: part, editor: 'clerk' }))
      ids.push(...lots.map(({ auctionId }) => Number(auctionId)))
    }
    asked.length = 0
    const allArrived = arrivedAt(on, 50)
    const opening = Array.from({ length: 50 }, () => follow(on, id))
    await allArrived
    const streams = await Promise.all(opening)
    const events = await Promise.all(streams.map((stream) => stream.until('ready')))
    expect(events[0]?.map(({ event }) => event)).toEqual(['sale', 'lots', 'lots', 'lots', 'ready'])
    expect(linesOf(events[0] ?? []).map(({ id: lot }) => lot)).toEqual(ids)
    expect(new Set(streams.map((stream) => stream.text().replace(/^retry: \d+/, ''))).size).toBe(1)
    await bid(on, ids[120] ?? 0, 30)
    for (const stream of streams) expect(await stream.next()).toMatchObject({ data: { lots: [{ lot: '121' }] } })
    // Each lot to watch it and to show it, and one again.
    expect(asked.length).toBeLessThanOrEqual(2 * 250 + 1)
  })

  test('shows lots that are listed before they are stored, once they are', async () => {
    let isAway = false
    const on = await startServer({
      replaceInStore: (right: Store) => ({
        async insertAuction(...given) {
          if (isAway) throw new StoreUnavailableError('no response')
          return right.insertAuction(...given)
        },
      }),
    })
    const { id, add, post } = await openSale(on, [])
    isAway = true
    expect((await post('Lots', { lots: [{ lot: '1' }] })).status).toBe(503)
    const stream = await follow(on, id)
    expect((await stream.take(2)).map(({ event }) => event)).toEqual(['sale', 'ready'])
    isAway = false
    await add({ lot: '1' })
    expect(await stream.next()).toMatchObject({ event: 'lots', data: { lots: [{ lot: '1' }] } })
  })

  test('has the newest line for a reader that did not keep up, after a failed read', async () => {
    const { id, ids } = await openSale(server, numbered(2))
    const [first = 0, second = 0] = ids
    let failures: Error[] = []
    const readNewest = Promise.withResolvers<void>()
    const { service, clock } = server
    const { subscribe } = createSaleFeed(
      toSaleId(id),
      {
        service: {
          ...service,
          async listAuctions(query) {
            const failure = failures.shift()
            if (failure !== undefined) throw failure
            const read = await service.listAuctions(query)
            // When what follows the read is done.
            if (unwrap(read).items.some(({ auction, sequence }) => auction.id === second && sequence === 1))
              setImmediate(readNewest.resolve)
            return read
          },
        },
        clock,
        publicViewer: createViewers(undefined).publicViewer,
      },
      () => undefined,
    )
    const { read, resume, leave } = subscribe()
    onTestFinished(leave)
    const written: string[] = []
    let isReady = true
    let onWritten = () => {}
    const next = () => new Promise<void>((resolve) => (onWritten = resolve))
    unwrap(await read())?.({
      isReady: () => isReady,
      write(encoded) {
        written.push(String(encoded))
        if (/event: (ready|lots)/.test(String(encoded))) onWritten()
      },
      end: () => undefined,
    })
    await next()
    isReady = false
    failures = [new StoreUnavailableError('no response')]
    for (const amount of [30, 40, 50]) await bid(server, first, amount)
    await bid(server, second, 60)
    await readNewest.promise
    isReady = true
    written.length = 0
    const caughtUp = next()
    resume()
    await caughtUp
    const lots = JSON.parse(/data: (.*)/.exec(written[0] ?? '')?.[1] ?? '').lots
    expect(lots).toMatchObject([
      { lot: '1', currentPrice: 50 },
      { lot: '2', currentPrice: 60 },
    ])
  })

  test('is refused for a sale that does not exist, and for one sale too many', async () => {
    const refused = { accept: 'text/event-stream' }
    const path = (id: number) => `/api/Sales/${id}/Events`
    expect(await clientOf(server).send('GET', path(999_999), { headers: refused })).toMatchObject(
      problem(404, 'sale-not-found'),
    )
    const on = await startHeldServer({ MAX_STREAMS_PER_ADDRESS: '100' }, 'findHeads')
    const arrived = arrivedAt(on, 20)
    const others = Array.from({ length: 20 }, (_, at) => follow(on, at + 1))
    await arrived
    await on.begun
    expect(await clientOf(on).send('GET', path(21), { headers: refused })).toMatchObject(problem(503, 'overloaded'))
    on.release()
    for (const { status } of await Promise.all(others)) expect(status).toBe(404)
  })
})
