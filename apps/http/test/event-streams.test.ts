import { once } from 'node:events'
import { createAuctionService } from '@auction/domain'
import { StoreUnavailableError } from '@auction/domain/errors'
import { toAuctionId } from '@auction/domain/ids'
import type { Store } from '@auction/domain/store'
import { sampleNewBid } from '@auction/testing/samples'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { longTest } from '../../../tools/vitest/long-test.ts'
import { createMetrics } from '../src/api/observability/metrics.ts'
import {
  type AuctionClient,
  anonymousOf,
  clientOf,
  newCaller,
  openAuction,
  pointersOf,
  problem,
} from './support/client.ts'
import { arrivedAt, type OpenStream, openStream, type ReceivedEvent } from './support/event-stream.ts'
import { rawConnection, requestBytes } from './support/raw-connection.ts'
import { samplesIn, valuesOf } from './support/samples.ts'
import { serverOfFile, startHeldServer, startServer, type TestServer } from './support/server.ts'
import { epochSeconds, tokenOf } from './support/tokens.ts'

const server = await serverOfFile()

/** Follows an auction as a new caller. */
async function follow(on: TestServer, id: number, headers: Readonly<Record<string, string>> = {}, token = newCaller()) {
  const stream = await openStream(on, `/api/Auctions/${id}/Events`, token, headers)
  onTestFinished(() => stream.close())
  return stream
}

const shapeOf = (events: readonly ReceivedEvent[]) => events.map(({ event, id }) => [event, id])

/** Places bids until the auction has this many entries of bids. */
async function bidTimes(auction: AuctionClient, times: number): Promise<void> {
  const { bidCount, minimumNextBid } = await auction.read()
  for (let bid = 0; bid < times; bid++) {
    const { status, text } = await auction.placeBid({
      bidderId: 2 + ((bidCount + bid) % 2),
      amount: minimumNextBid + 5 * bid,
    })
    if (status !== 201) throw new Error(text)
  }
}

/** Places bids directly with the service: thousands of requests would take long. */
async function bidManyTimes({ service }: TestServer, id: number, times: number): Promise<void> {
  for (let placed = 0; placed < times; placed += 500) {
    const amounts = Array.from({ length: 500 }, (_, at) => 100 + 5 * (placed + at))
    await Promise.all(amounts.map((amount, at) => service.placeBid(bidOf(id, 2 + (at % 2), amount))))
  }
}

/** Opens the stream of a new caller on a connection that the test can stop to read. */
async function followOnConnection(on: TestServer, path: string) {
  const connection = await rawConnection(on.port)
  const headers = { accept: 'text/event-stream', authorization: `Bearer ${newCaller()}` }
  connection.write(requestBytes('GET', path, headers))
  return connection
}

describe('the stream of an auction', () => {
  test('begins with a snapshot, continues with each event, and ends with the result', async () => {
    const auction = await openAuction(server, { cancellableUntilEnd: true })
    await bidTimes(auction, 1)
    const stream = await follow(server, auction.id)
    expect(stream.status).toBe(200)
    expect(Object.fromEntries(stream.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      vary: 'Accept',
      'x-request-id': expect.any(String),
    })
    expect(await stream.next()).toEqual({
      event: 'snapshot',
      id: 1,
      data: { now: '2030-01-31T12:00:00.000Z', sequence: 1, auction: await auction.read() },
    })
    expect(stream.text()).toMatch(/^retry: [1-5]\d{3}\n\n/)

    await auction.placeBid({ bidderId: 3, amount: 120, maximumAmount: 150 })
    await auction.placeBid({ bidderId: 2, amount: 130 })
    await auction.cancelAuction()
    const [lower, newest] = (await auction.bids()).slice(0, 2).toReversed()
    const [, placed, ended, ...more] = await stream.rest()
    expect(placed).toMatchObject({
      event: 'bid',
      id: 3,
      data: { auctionId: auction.id, sequence: 3, bids: [lower, newest], currentPrice: 135, leaderId: 3, bidCount: 4 },
    })
    expect(newest).toMatchObject({ automatic: true, amount: 135 })
    expect(ended).toMatchObject({
      event: 'ended',
      id: 4,
      data: { status: 'Cancelled', result: { outcome: 'cancelled' } },
    })
    expect(more).toEqual([])
  })

  test.each<{ readonly by: string; from(position: number): Readonly<Record<string, string>> }>([
    { by: 'Last-Event-ID', from: (position) => ({ 'last-event-id': `${position}` }) },
    { by: 'lastEventId', from: (position) => ({ query: `?lastEventId=${position}` }) },
    { by: 'after', from: (position) => ({ query: `?after=${position}` }) },
    {
      by: 'Last-Event-ID, which precedes lastEventId and after,',
      from: (position) => ({ 'last-event-id': `${position}`, query: '?lastEventId=0&after=0' }),
    },
    {
      by: 'lastEventId, which precedes after,',
      from: (position) => ({ query: `?after=0&lastEventId=${position}` }),
    },
    {
      by: 'after, if Last-Event-ID and lastEventId are empty,',
      from: (position) => ({ 'last-event-id': '', query: `?after=${position}&lastEventId=` }),
    },
  ])('continues by $by from any position, without a gap or a repetition', async ({ from }) => {
    const auction = await openAuction(server)
    await bidTimes(auction, 4)
    for (let position = 0; position <= 4; position++) {
      const stream = await follow(server, auction.id, from(position))
      await bidTimes(auction, 1)
      const following = Array.from({ length: 5 }, (_each, at) => ['bid', position + 1 + at])
      expect(shapeOf(await stream.take(5))).toEqual(following)
      await stream.close()
    }
  })

  test('reads thousands of events from the ledger for a client that was disconnected', async () => {
    const auction = await openAuction(server)
    await bidManyTimes(server, auction.id, 3_000)
    const { bidCount } = await auction.read()
    const stream = await follow(server, auction.id, { 'last-event-id': '0' })
    const ids = (await stream.take(bidCount)).map(({ id }) => id)
    expect(ids).toEqual(Array.from({ length: bidCount }, (_, at) => at + 1))
  })

  test('begins again with a snapshot where the auction does not have the position', async () => {
    const auction = await openAuction(server)
    await bidTimes(auction, 2)
    const stream = await follow(server, auction.id, { 'last-event-id': '7' })
    expect(await stream.next()).toEqual({
      event: 'reset',
      id: undefined,
      data: { reason: 'position-ahead', from: 7, to: 2 },
    })
    expect(await stream.next()).toMatchObject({ event: 'snapshot', id: 2 })
    await bidTimes(auction, 1)
    expect(await stream.next()).toMatchObject({ event: 'bid', id: 3 })
  })

  test('of an auction that is over ends after what is missing, and then is 204', async () => {
    const auction = await openAuction(server, { cancellableUntilEnd: true })
    await bidTimes(auction, 2)
    await auction.cancelAuction()
    // A cancellation that changes nothing has no event.
    await auction.cancelAuction(undefined, { 'idempotency-key': 'again' })
    expect(shapeOf(await (await follow(server, auction.id)).rest())).toEqual([['snapshot', 4]])
    expect(shapeOf(await (await follow(server, auction.id, { 'last-event-id': '1' })).rest())).toEqual([
      ['bid', 2],
      ['ended', 3],
    ])
    for (const position of ['3', '4']) {
      const { status, text, rest } = await follow(server, auction.id, { 'last-event-id': position })
      expect({ status, events: await rest(), text: text() }).toEqual({ status: 204, events: [], text: '' })
    }
  })

  test('shows what another process stores', async () => {
    const { clock, store } = server
    const other = createAuctionService({ clock, store })
    onTestFinished(() => other.close())
    const auction = await openAuction(server)
    const streams = [await follow(server, auction.id), await follow(server, auction.id)]
    await other.placeBid(bidOf(auction.id, 2, 100))
    for (const stream of streams) expect((await stream.until('bid')).at(-1)).toMatchObject({ id: 1 })
  })

  test.each([
    ['at the head', undefined, 1],
    ['that is behind', '0', 2],
  ])('continues for a reader %s after the store was unavailable', async (_, position, id) => {
    let failures = 0
    const on = await startServer({
      replaceInStore: (right: Store) => ({
        async listEntries(...given) {
          if (failures-- > 0) throw new StoreUnavailableError('no answer')
          return right.listEntries(...given)
        },
      }),
    })
    const auction = await openAuction(on)
    if (position !== undefined) await auction.placeBid()
    // Each read is tried three times.
    failures = 3
    const stream = await follow(on, auction.id, position === undefined ? {} : { 'last-event-id': position })
    if (position === undefined) await stream.next()
    await auction.placeBid({ bidderId: 3, amount: 105 })
    const events = await stream.take(id)
    expect(events.at(-1)).toMatchObject({ event: 'bid', id })
  })

  test('reads with pauses while the store hides entries again that it has shown', async () => {
    let shown = Number.POSITIVE_INFINITY
    let reads = 0
    const on = await startServer({
      replaceInStore: (right: Store) => ({
        findHeads(...given) {
          reads += 1
          shown -= 1
          return shown < 0 ? Promise.resolve([]) : right.findHeads(...given)
        },
      }),
    })
    const auction = await openAuction(on)
    await auction.placeBid()
    // The snapshot.
    shown = 1
    reads = 0
    const stream = await follow(on, auction.id, { 'last-event-id': '0' })
    for (let other = 0; other < 20; other++) await auction.read()
    expect(reads).toBeLessThan(40)
    shown = Number.POSITIVE_INFINITY
    expect((await stream.take(1)).at(-1)).toMatchObject({ event: 'bid', id: 1 })
  })

  test('reads once for all clients that connect at once, and includes what is stored by then', async () => {
    const reading = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    let reads = 0
    const on = await startServer({
      replaceInStore: (right: Store) => ({
        async findAuction(id) {
          reads += 1
          reading.resolve()
          const found = await right.findAuction(id)
          await held.promise
          return found
        },
      }),
    })
    const first = follow(on, 1)
    await reading.promise
    // The first read did not find it.
    const auction = await openAuction(on)
    await auction.placeBid()
    const allArrived = arrivedAt(on, 50)
    const positions = Array.from({ length: 50 }, (_, at) => (at % 2 === 0 ? {} : { 'last-event-id': '1' }))
    const others = positions.map((headers) => follow(on, auction.id, headers))
    await allArrived
    held.resolve()
    expect((await first).status).toBe(404)
    for (const [at, stream] of (await Promise.all(others)).entries()) {
      expect(stream.status).toBe(200)
      if (at % 2 === 0) expect(await stream.next()).toMatchObject({ event: 'snapshot', id: 1 })
    }
    expect(reads).toBeLessThan(10)
  })

  test('is refused while the store is unavailable', async () => {
    const on = await startServer({
      replaceInStore: () => ({ findAuction: () => Promise.reject(new StoreUnavailableError('no answer')) }),
    })
    const { status, headers } = await follow(on, 1)
    expect({ status, wait: headers.get('retry-after') }).toEqual({ status: 503, wait: '2' })
  })

  test('is refused while too many reads wait, even after the end', async () => {
    let hold: Promise<void> | undefined
    const on = await startServer({
      replaceInStore: (right: Store) => ({
        async listEntries(...given) {
          await hold
          return right.listEntries(...given)
        },
      }),
    })
    const auction = await openAuction(on, { cancellableUntilEnd: true })
    await auction.placeBid()
    await auction.cancelAuction()
    const { promise, resolve } = Promise.withResolvers<void>()
    hold = promise
    const waiting = Array.from({ length: 2_000 }, () =>
      on.service.listEvents(toAuctionId(auction.id), { after: 0, limit: 1 }),
    )
    const stream = await follow(on, auction.id, { 'last-event-id': '2' })
    resolve()
    await Promise.all(waiting)
    expect(stream.status).toBe(503)
  })

  test('supports HEAD and HTTP/1.0', async () => {
    const auction = await openAuction(server)
    const [token, path] = [newCaller(), `/api/Auctions/${auction.id}/Events`]
    const accept = { accept: 'text/event-stream' }
    const head = await clientOf(server, token).send('HEAD', path, { headers: accept })
    expect({ status: head.status, text: head.text, type: head.headers.get('content-type') }).toEqual({
      status: 200,
      text: '',
      type: 'text/event-stream; charset=utf-8',
    })
    const connection = await rawConnection(server.port)
    connection.write(`GET ${path} HTTP/1.0\r\naccept: text/event-stream\r\nauthorization: Bearer ${token}\r\n\r\n`)
    const received = await connection.until(/event: snapshot\n[^\n]*\n\n/)
    expect(received).toContain('content-type: text/event-stream')
    expect(received).not.toMatch(/transfer-encoding/i)
    connection.socket.destroy()
  })
})

describe('a position that is invalid', () => {
  test.each(['-1', '01', '1.5', 'x', '9007199254740992', ' 1 2'])('is refused: %j', async (position) => {
    const auction = await openAuction(server)
    const client = clientOf(server)
    const path = `/api/Auctions/${auction.id}/Events`
    const query = new URLSearchParams({ after: position, lastEventId: position })
    const byQuery = await client.get(`${path}?${query}`)
    expect(byQuery).toMatchObject(problem(400, 'validation-failed'))
    expect(pointersOf(byQuery)).toEqual(['/after', '/lastEventId'])
    const headers = { accept: 'text/event-stream', 'last-event-id': position }
    const byHeader = await client.send('GET', path, { headers })
    expect(byHeader).toMatchObject(problem(400, 'validation-failed'))
    expect(pointersOf(byHeader)).toEqual(['/Last-Event-ID'])
  })
})

describe('events', () => {
  test.each([undefined, '*/*', 'application/json', 'text/html', 'text/event-stream;q=0', 'text/event-streams'])(
    'are a page for Accept: %s',
    async (accept) => {
      const auction = await openAuction(server)
      await bidTimes(auction, 3)
      const headers = accept === undefined ? {} : { accept }
      const { body, headers: answered } = await auction.send('GET', `/api/Auctions/${auction.id}/Events?limit=2`, {
        headers,
      })
      expect(answered.get('vary')).toBe('Accept')
      expect(body.data).toMatchObject({ items: [{ sequence: 1 }, { sequence: 2 }], position: 2, isAtHead: false })
      const second = await auction.get(`/api/Auctions/${auction.id}/Events?after=2&limit=2`)
      expect(second.body.data).toMatchObject({ items: [{ sequence: 3 }], position: 3, isAtHead: true })
      const third = await auction.get(`/api/Auctions/${auction.id}/Events?after=0&lastEventId=2&limit=2`)
      expect(third.body.data).toEqual(second.body.data)
    },
  )

  test('are the same in a page and in a stream', async () => {
    const formats = { reservePrice: 500, buyNowPrice: 900, cancellableUntilEnd: true }
    const increments = { incrementSteps: [{ fromPrice: 105, increment: 10 }], maximumBidIncrement: 1_000 }
    const auction = await openAuction(server, { ...formats, ...increments })
    await bidTimes(auction, 2)
    await auction.placeBid({ bidderId: 2, amount: 200, maximumAmount: 600 })
    await auction.cancelAuction({ reason: 'A test.' })
    const { items } = (await auction.get(`/api/Auctions/${auction.id}/Events`)).body.data
    expect(items[1]).toMatchObject({ currentPrice: 105, minimumNextBid: 115, maximumNextBid: 1_105 })
    const streamed = await (await follow(server, auction.id, { 'last-event-id': '0' })).rest()
    expect(streamed.map(({ event, data }) => ({ type: event, ...data }))).toEqual(items)
  })

  test('are the same bytes for all readers, with neither a reserve nor a maximum, and with pseudonyms', async () => {
    const environment = { JWT_SUBJECT_CLAIM: 'sub', PSEUDONYM_SECRET: 'Zq8vT2mK5xR9wL3nB7cJ4hF6yD1sG0pA' }
    const on = await startServer({ environment })
    const [owner, anna, ben] = ['7001', '7002', '7003'].map((sub) => tokenOf(sub))
    const auction = await openAuction(on, { ownerId: 7001, reservePrice: 777 }, owner)
    const streams: OpenStream[] = []
    for (const token of [owner, anna, ben]) streams.push(await follow(on, auction.id, {}, token))
    await auction.as(anna ?? '').placeBid({ bidderId: 7002, amount: 100, maximumAmount: 444 })
    await auction.as(ben ?? '').placeBid({ bidderId: 7003, amount: 200, maximumAmount: 333 })
    await auction.as(anna ?? '').placeBid({ bidderId: 7002, amount: 338, maximumAmount: 888 })
    on.clock.set('2030-02-07T12:01:00Z')
    await on.service.closeDue()
    const seen: string[] = []
    for (const stream of streams) {
      expect((await stream.rest()).at(-1)?.event).toBe('ended')
      seen.push(stream.text().replace(/^retry: \d+/, ''))
    }
    expect(new Set(seen).size).toBe(1)
    const [text = ''] = seen
    expect(text).toContain('"currentPrice":777')
    expect(text).not.toMatch(/444|888|maximum|reservePrice|yourPseudonym|700[23]/i)
    const { body } = await clientOf(on, anna).get(`/api/Auctions/${auction.id}/Events`)
    expect(JSON.stringify(body)).not.toMatch(/444|888|maximum|reservePrice|700[23]/i)
  })

  test('need the permissions to read auctions and bids, as the states of a list do', async () => {
    const on = await startServer({
      environment: { PERMISSIONS_AUCTIONS_READ: 'see-auctions', PERMISSIONS_BIDS_READ: 'see-bids' },
    })
    const { id } = await openAuction(on)
    for (const path of [`/api/Auctions/${id}/Events`, `/api/Auctions/Events?ids=${id}`]) {
      const statusOf = async (...scopes: string[]) => {
        const token = newCaller({ permissions: scopes })
        const page = await clientOf(on, token).get(path)
        const stream = await openStream(on, path, token)
        onTestFinished(() => stream.close())
        return [page.status, stream.status, page.headers.get('www-authenticate')]
      }
      expect(await statusOf('see-auctions', 'see-bids')).toEqual([200, 200, null])
      expect(await statusOf('see-auctions')).toEqual([403, 403, expect.stringContaining('scope="see-bids"')])
      expect(await statusOf('see-bids')).toEqual([403, 403, expect.stringContaining('scope="see-auctions"')])
    }
  })

  test('need no token where reads need none, and vary by Accept in addition to what reads vary by', async () => {
    const origin = 'https://shop.example'
    const on = await startServer({
      environment: { ANONYMOUS_READS: 'on', CORS_ORIGINS: origin, MAX_STREAMS_PER_CALLER: '1' },
    })
    const { id } = await openAuction(on)
    const stream = await follow(on, id, { origin }, '')
    const refused = await follow(on, id, {}, '')
    expect([stream.status, refused.status]).toEqual([200, 429])
    const page = await anonymousOf(on).send('GET', `/api/Auctions/${id}/Events`, { headers: { origin } })
    expect(page.headers.get('vary')).toBe('Origin, Accept, Authorization')
    expect(stream.headers.get('vary')).toBe('Origin, Accept')
    const states = await anonymousOf(on).get(`/api/Auctions/Events?ids=${id}`)
    expect(states.headers.get('etag')).toMatch(/^"/)
  })

  test('of an unknown auction are 404', async () => {
    expect(await clientOf(server).get('/api/Auctions/999999/Events')).toMatchObject(problem(404, 'auction-not-found'))
    expect((await follow(server, 999_999)).status).toBe(404)
  })
})

describe('the limits of streams', () => {
  test('apply per caller and in total, and a closed stream frees its place', async () => {
    const on = await startServer({ environment: { MAX_STREAMS: '3', MAX_STREAMS_PER_CALLER: '2' } })
    const auction = await openAuction(on)
    const [anna, ben] = [newCaller(), newCaller()]
    const first = await follow(on, auction.id, {}, anna)
    await follow(on, auction.id, {}, anna)
    const third = await follow(on, auction.id, {}, anna)
    expect(third.status).toBe(429)
    expect(third.headers.get('retry-after')).toBe('5')
    expect((await follow(on, auction.id, {}, ben)).status).toBe(200)
    const fourth = await follow(on, auction.id, {}, ben)
    expect(fourth.status).toBe(503)
    expect(await fourth.rest()).toEqual([])
    expect(fourth.text()).toContain('"code":"overloaded"')
    // A stream that is refused for another reason keeps no place.
    await first.close()
    await on.logged(/"path":"\/api\/Auctions\/1\/Events","status":200/)
    expect((await follow(on, 99, {}, ben)).status).toBe(404)
    expect((await follow(on, auction.id, {}, ben)).status).toBe(200)
  })

  test('leave half of the connections of an address to other requests', async () => {
    const on = await startServer({ environment: { MAX_CONNECTIONS_PER_ADDRESS: '6' } })
    const auction = await openAuction(on)
    const statuses: number[] = []
    for (let streams = 0; streams < 4; streams++) statuses.push((await follow(on, auction.id)).status)
    expect(statuses).toEqual([200, 200, 200, 429])
    expect((await auction.placeBid()).status).toBe(201)
  })

  test('free the place of a reader that stopped', async () => {
    const on = await startServer({ environment: { MAX_STREAMS: '1', IDLE_TIMEOUT_SECONDS: '2' } })
    const auction = await openAuction(on)
    const connection = await followOnConnection(on, `/api/Auctions/${auction.id}/Events`)
    await connection.until(/snapshot/)
    connection.socket.pause()
    await bidManyTimes(on, auction.id, 30_000)
    await on.logged(/"path":"\/api\/Auctions\/1\/Events","status":200.*"unseen":true/)
    expect((await follow(on, auction.id)).status).toBe(200)
    connection.socket.destroy()
  })

  longTest('limit what a reader that stopped leaves unread, and it misses nothing', async () => {
    const auction = await openAuction(server)
    const opened = once(server.app.server, 'request')
    const connection = await followOnConnection(server, `/api/Auctions/${auction.id}/Events?after=0`)
    await connection.until(/retry/)
    connection.socket.pause()
    const [, response] = await opened
    // More than the buffers of the system hold.
    const count = 40_000
    await bidManyTimes(server, auction.id, count)
    await expect.poll(() => response.writableNeedDrain, { timeout: 20_000 }).toBe(true)
    expect(response.writableLength).toBeLessThan(128 * 1024)
    connection.socket.resume()
    const received = await connection.until(new RegExp(`\nid: ${count}\n[^\n]*\n[^\n]*\n\n`))
    const ids = [...received.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))
    expect(ids).toEqual(Array.from({ length: count }, (_, at) => at + 1))
    connection.socket.destroy()
  })

  test('are separate from those of requests: streams are not work in progress', async () => {
    const on = await startServer({ environment: { MAX_REQUESTS_AT_ONCE: '1' } })
    const auction = await openAuction(on)
    for (let streams = 0; streams < 20; streams++) await follow(on, auction.id)
    for (let reads = 0; reads < 50; reads++) expect((await auction.get('/api/Auctions/1')).status).toBe(200)
  })
})

describe('a stream ends', () => {
  test('when its token expires, after the tolerance for clocks', async () => {
    const auction = await openAuction(server)
    const stream = await follow(server, auction.id, {}, newCaller({ exp: epochSeconds() - 1 }))
    const [, bye] = await stream.rest()
    expect(bye).toEqual({ event: 'bye', id: undefined, data: { reason: 'token-expired' } })
  })

  test('after about ten minutes, with a heartbeat every 15 seconds until then', async () => {
    const auction = await openAuction(server)
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const stream = await follow(server, auction.id)
    await stream.next()
    vi.advanceTimersByTime(8 * 60_000 - 1)
    await auction.placeBid()
    expect(await stream.next()).toMatchObject({ event: 'bid' })
    expect(stream.text().match(/^:$/gm)).toHaveLength(31)
    vi.advanceTimersByTime(4 * 60_000 + 1)
    expect(await stream.next()).toEqual({ event: 'bye', id: undefined, data: { reason: 'age' } })
    expect(await stream.next()).toBe(undefined)
  })

  test('one by one during a shutdown, each at a random time, and new ones are refused', async () => {
    const on = await startServer()
    const auction = await openAuction(on)
    const streams: OpenStream[] = []
    for (let streamNumber = 0; streamNumber < 4; streamNumber++) streams.push(await follow(on, auction.id))
    for (const stream of streams) await stream.next()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const random = vi.spyOn(Math, 'random')
    onTestFinished(() => {
      vi.useRealTimers()
      random.mockRestore()
    })
    for (const share of [0.1, 0.3, 0.6, 0.9]) random.mockReturnValueOnce(share)
    const allEnded = on.streams.endAll(1_000)
    expect((await follow(on, auction.id)).status).toBe(503)
    const ended = [{ event: 'bye', id: undefined, data: { reason: 'draining' } }]
    vi.advanceTimersByTime(500)
    for (const stream of streams.slice(0, 2)) expect(await stream.rest()).toEqual(ended)
    await auction.placeBid()
    for (const stream of streams.slice(2)) expect(await stream.next()).toMatchObject({ event: 'bid' })
    vi.advanceTimersByTime(400)
    for (const stream of streams.slice(2)) expect(await stream.rest()).toEqual(ended)
    await allEnded
  })

  test('at once if the server begins to close while the auction is read', async () => {
    const on = await startHeldServer({}, 'findHeads')
    const auction = await openAuction(on)
    const opening = follow(on, auction.id)
    await on.begun
    const closing = on.app.close()
    on.release()
    expect((await (await opening).rest()).at(-1)).toMatchObject({ event: 'bye', data: { reason: 'draining' } })
    await closing
  })

  test('and is then logged and counted', async () => {
    const metrics = createMetrics()
    const on = await startServer({ metrics })
    const auction = await openAuction(on)
    const stream = await follow(on, auction.id)
    await auction.placeBid()
    await stream.until('bid')
    const before = samplesIn(await metrics.registry.metrics())
    expect(valuesOf(before, 'auction_http_streams')).toEqual({ '': 1 })
    expect(valuesOf(before, 'auction_http_event_delay_seconds_count')).toEqual({ '': 1 })
    await stream.close()
    await on.logged(/"path":"\/api\/Auctions\/1\/Events","status":200.*"unseen":true/)
    const after = samplesIn(await metrics.registry.metrics())
    expect(valuesOf(after, 'auction_http_streams')).toEqual({})
    expect(valuesOf(after, 'auction_http_streams_ended_total')).toEqual({ '{reason="client"}': 1 })
    expect(Object.keys(valuesOf(after, 'auction_http_request_duration_seconds_count'))).not.toContain(
      '{operation="listEvents"}',
    )
  })
})

/** A bid as the service takes it. */
const bidOf = (auctionId: number, bidderId: number, amount: number) => sampleNewBid({ auctionId, bidderId, amount })
