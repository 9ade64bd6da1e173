import { once } from 'node:events'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { longTest } from '../../../tools/vitest/long-test.ts'
import { createMetrics } from '../src/api/observability/metrics.ts'
import { newCaller, openAuction } from './support/client.ts'
import { bidManyTimes, follow, type OpenStream } from './support/event-stream.ts'
import { rawConnection, requestBytes } from './support/raw-connection.ts'
import { samplesIn, valuesOf } from './support/samples.ts'
import { serverOfFile, startHeldServer, startServer, type TestServer } from './support/server.ts'
import { epochSeconds } from './support/tokens.ts'

const server = await serverOfFile()

/** Opens the stream of a new caller on a connection that the test can stop to read. */
async function followOnConnection(on: TestServer, path: string) {
  const connection = await rawConnection(on.port)
  const headers = { accept: 'text/event-stream', authorization: `Bearer ${newCaller()}` }
  connection.write(requestBytes('GET', path, headers))
  return connection
}

describe('the limits of streams', () => {
  test('apply per caller and in total, and a closed stream frees its slot', async () => {
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
    // A stream that is refused for another reason keeps no slot.
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

  longTest('free the slot of a reader that stopped', async () => {
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
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const stream = await follow(server, auction.id, {}, newCaller({ exp: epochSeconds() - 1 }))
    await stream.next()
    vi.advanceTimersByTime(4_000)
    const [bye] = await stream.rest()
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
