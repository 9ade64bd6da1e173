import { createAuctionService } from '@auction/domain'
import { StoreUnavailableError } from '@auction/domain/errors'
import { toAuctionId } from '@auction/domain/ids'
import type { Store } from '@auction/domain/store'
import { describe, expect, onTestFinished, test } from 'vitest'
import { clientOf, newCaller, openAuction } from './support/client.ts'
import { arrivedAt, bidManyTimes, bidOf, bidTimes, follow, type ReceivedEvent } from './support/event-stream.ts'
import { rawConnection } from './support/raw-connection.ts'
import { serverOfFile, startServer } from './support/server.ts'

const server = await serverOfFile()

const shapeOf = (events: readonly ReceivedEvent[]) => events.map(({ event, id }) => [event, id])

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
          if (failures-- > 0) throw new StoreUnavailableError('no response')
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
      replaceInStore: () => ({ findAuction: () => Promise.reject(new StoreUnavailableError('no response')) }),
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
