import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createAuctionClient } from '../src/client.ts'
import { failed, hangs, type SentRequest, scriptedFetch, succeeded } from './support/scripted-fetch.ts'

const startTime = '2030-01-31T12:00:00.000Z'
const inTenMinutes = '2030-01-31T12:10:00.000Z'

beforeEach(() => void vi.useFakeTimers({ now: Date.parse(startTime) }))
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

const frame = (event: string, data: object, id?: number) =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
const auctionOf = (id: number, members: object = {}) => ({
  id,
  status: 'Active',
  effectiveEndTime: inTenMinutes,
  result: null,
  ...members,
})
const snapshot = (sequence: number, members: object = {}) =>
  frame('snapshot', { now: startTime, sequence, auction: auctionOf(7, members) }, sequence)
const bid = (sequence: number) => frame('bid', { sequence, effectiveEndTime: inTenMinutes }, sequence)
const sold = { outcome: 'sold' }
const ended = (sequence: number) => frame('ended', { sequence, result: sold }, sequence)
const bye = (reason: string) => frame('bye', { reason })

/** A stream of these parts, which then ends. */
const streamOf = (...parts: readonly string[]) =>
  new Response(new Blob([...parts]).stream(), { headers: { 'content-type': 'text/event-stream; charset=utf-8' } })

/** A stream of this text, which stays open until the client leaves. */
const openStream =
  (text: string) =>
  ({ signal }: SentRequest): Response => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array<ArrayBuffer>>()
    const writer = writable.getWriter()
    void writer.write(new TextEncoder().encode(text))
    signal.addEventListener('abort', () => void writer.abort(signal.reason))
    return new Response(readable, { headers: { 'content-type': 'text/event-stream' } })
  }

/** Reads all events while time passes. */
async function allOf<Event>(events: AsyncIterable<Event>): Promise<readonly Event[]> {
  const seen: Event[] = []
  const reading = (async () => {
    for await (const event of events) seen.push(event)
  })()
  reading.catch(() => undefined)
  await vi.advanceTimersByTimeAsync(120_000)
  await reading
  return seen
}

const numbersOf = (events: readonly object[]) =>
  events.map((event) => [Reflect.get(event, 'type'), Reflect.get(event, 'sequence')])
const pathsOf = ({ requests }: ReturnType<typeof scriptedFetch>) =>
  requests.map(({ url }) => new URL(url).pathname + new URL(url).search)
const clientOf = ({ fetch }: ReturnType<typeof scriptedFetch>) =>
  createAuctionClient({ baseUrl: 'http://service', fetch })

describe('the events of an auction', () => {
  test('arrive once and in order over any number of connections, however they end, until the result', async () => {
    const service = scriptedFetch(
      () => streamOf('retry: 1000\n\n', snapshot(0), bid(1), bye('age')),
      'breaks',
      failed(503, 'overloaded', {}, { 'retry-after': '3' }),
      new Response('<html>', { status: 502 }),
      () => streamOf(':\n\n', bid(2), bid(4).slice(0, 30)),
      () => streamOf(bid(4), ended(5)),
    )
    expect(numbersOf(await allOf(clientOf(service).events(7)))).toEqual([
      ['snapshot', 0],
      ['bid', 1],
      ['bid', 2],
      ['bid', 4],
      ['ended', 5],
    ])
    const path = '/api/Auctions/7/Events'
    const after = `${path}?lastEventId`
    expect(pathsOf(service)).toEqual([path, `${after}=1`, `${after}=1`, `${after}=1`, `${after}=1`, `${after}=2`])
  })

  test('continue after a position, and are over without one when none follows', async () => {
    const service = scriptedFetch(new Response(null, { status: 204 }))
    expect(await allOf(clientOf(service).events(7, { after: 9 }))).toEqual([])
    expect(pathsOf(service)).toEqual(['/api/Auctions/7/Events?lastEventId=9'])
    const over = scriptedFetch(() => streamOf(snapshot(5, { result: sold })))
    expect(numbersOf(await allOf(clientOf(over).events(7)))).toEqual([['snapshot', 5]])
  })

  test('report a reset, and continue from the snapshot that follows', async () => {
    const reset = { reason: 'position-ahead', from: 9, to: 2 }
    const service = scriptedFetch(
      () => streamOf(frame('reset', reset), snapshot(2)),
      () => streamOf(ended(3)),
    )
    const events = await allOf(clientOf(service).events(7, { after: 9 }))
    expect(events[0]).toEqual({ type: 'reset', ...reset })
    expect(numbersOf(events.slice(1))).toEqual([
      ['snapshot', 2],
      ['ended', 3],
    ])
    expect(pathsOf(service)[1]).toBe('/api/Auctions/7/Events?lastEventId=2')
  })

  test('fail if the service refuses them', async () => {
    const service = scriptedFetch(failed(404, 'auction-not-found'))
    await expect(allOf(clientOf(service).events(7))).rejects.toMatchObject({ code: 'auction-not-found', status: 404 })
    expect(service.requests).toHaveLength(1)
  })

  test('are requested after longer pauses while no connection works, or each has a damaged frame or one that never ends', async () => {
    const endless = `id: 9\nevent: bid\ndata: ${' '.repeat(1_100_000)}`
    const service = scriptedFetch(
      ...Array<'breaks'>(3).fill('breaks'),
      openStream(`${bid(2)}id: 3\nevent: bid\ndata: {"sequ\n\n`),
      openStream(bid(3) + endless),
      () => streamOf(ended(4)),
    )
    const events = await allOf(clientOf(service).events(7, { after: 1 }))
    expect(numbersOf(events)).toEqual([
      ['bid', 2],
      ['bid', 3],
      ['ended', 4],
    ])
    const times = service.requests.map(({ atMs }) => atMs)
    for (const [index, leastMs] of [1_000, 2_000, 4_000, 8_000, 10_000].entries()) {
      const pauseMs = (times[index + 1] ?? 0) - (times[index] ?? 0)
      expect(pauseMs).toBeGreaterThanOrEqual(leastMs)
      expect(pauseMs).toBeLessThan(1.3 * leastMs)
    }
  })

  test('are requested again after a damaged frame, from the last event before it, and never more than once a second', async () => {
    const service = scriptedFetch(
      () => streamOf('retry: 1\n\n', bid(2), 'id: 3\nevent: bid\ndata: {"sequ\n\n', bid(4)),
      () => streamOf('retry: -5\n\n', 'id: 3\nevent: bid\ndata: null\n\n'),
      ...['x', '', '3.5'].map((id) => () => streamOf(`id: ${id}\n${frame('ended', { result: sold })}`)),
      () => streamOf(bid(3), ended(4)),
    )
    expect(numbersOf(await allOf(clientOf(service).events(7, { after: 1 })))).toEqual([
      ['bid', 2],
      ['bid', 3],
      ['ended', 4],
    ])
    expect(pathsOf(service).map((path) => path.at(-1))).toEqual(['1', ...Array(5).fill('2')])
    const times = service.requests.map(({ atMs }) => atMs)
    for (const [index, atMs] of times.slice(1).entries()) {
      expect(atMs - (times[index] ?? 0)).toBeGreaterThanOrEqual(1_000)
    }
  })

  test('survive a stale token, but not one that the service refuses again and again', async () => {
    const stale = failed(401, 'unauthenticated')
    const token = () => 'secret'
    const service = scriptedFetch(stale, stale, () => streamOf(snapshot(0), ended(1)))
    const { fetch } = service
    const client = createAuctionClient({ baseUrl: 'http://service', token, fetch })
    expect(numbersOf(await allOf(client.events(7)))).toEqual([
      ['snapshot', 0],
      ['ended', 1],
    ])
    const refusing = scriptedFetch(stale)
    const refused = createAuctionClient({ baseUrl: 'http://service', token, fetch: refusing.fetch })
    await expect(allOf(refused.follow([7]))).rejects.toMatchObject({ status: 401 })
    // Each connection asks the function twice.
    expect(refusing.requests).toHaveLength(6)
    const fixed = scriptedFetch(stale)
    const withString = createAuctionClient({ baseUrl: 'http://service', token: 'secret', fetch: fixed.fetch })
    await expect(allOf(withString.events(7))).rejects.toMatchObject({ status: 401 })
    expect(fixed.requests).toHaveLength(1)
  })

  test('are read without a stream near the end, until there is one again', async () => {
    const endTime = '2030-01-31T12:00:30.000Z'
    const eventsTo = (position: number, item: object) => succeeded({ items: [item], position, isAtHead: true })
    const service = scriptedFetch(
      () => streamOf('retry: 2000\n\n', snapshot(1, { effectiveEndTime: endTime })),
      eventsTo(2, { type: 'bid', sequence: 2, effectiveEndTime: endTime }),
      eventsTo(3, { type: 'ended', sequence: 3, result: sold }),
    )
    expect(numbersOf(await allOf(clientOf(service).events(7)))).toEqual([
      ['snapshot', 1],
      ['bid', 2],
      ['ended', 3],
    ])
    expect(pathsOf(service).slice(1)).toEqual([
      '/api/Auctions/7/Events?lastEventId=1',
      '/api/Auctions/7/Events?lastEventId=2',
    ])
    expect(service.requests.map(({ headers }) => headers['accept'])).toEqual([
      'text/event-stream',
      undefined,
      undefined,
    ])
  })

  test('are read again if what was read is damaged', async () => {
    const effectiveEndTime = '2030-01-31T12:00:30.000Z'
    const result = { type: 'ended', sequence: 2, result: sold }
    const service = scriptedFetch(
      () => streamOf('retry: 4000\n\n', snapshot(1, { effectiveEndTime })),
      succeeded({ items: [result, null], position: 2 }),
      succeeded({ items: [result] }),
      succeeded({ items: [result], position: 2 }),
    )
    expect(numbersOf(await allOf(clientOf(service).events(7)))).toEqual([
      ['snapshot', 1],
      ['ended', 2],
    ])
    expect(pathsOf(service).slice(1)).toEqual(Array(3).fill('/api/Auctions/7/Events?lastEventId=1'))
  })

  test('are not read again before Retry-After', async () => {
    const service = scriptedFetch(
      () => streamOf('retry: 4000\n\n', 'retry: x\n\n', snapshot(1, { effectiveEndTime: '2030-01-31T12:00:30.000Z' })),
      failed(429, 'rate-limited', {}, { 'retry-after': '10' }),
      () => streamOf(ended(2)),
    )
    await allOf(clientOf(service).events(7))
    const [, read, opened] = service.requests.map(({ atMs }) => atMs)
    expect((opened ?? 0) - (read ?? 0)).toBeGreaterThanOrEqual(4_000)
    expect(service.requests).toHaveLength(3)
  })

  test('are requested again after an hour at most', async () => {
    const service = scriptedFetch(failed(503, 'overloaded', {}, { 'retry-after': '9999999' }), () => streamOf(ended(2)))
    const reading = clientOf(service).events(7).next()
    await vi.advanceTimersByTimeAsync(1.25 * 3_600_000)
    expect(await reading).toMatchObject({ value: { type: 'ended' } })
    const [first = 0, second = 0] = service.requests.map(({ atMs }) => atMs)
    expect(second - first).toBeGreaterThanOrEqual(3_600_000)
  })

  test('need a token in time', async () => {
    const service = scriptedFetch(() => streamOf(ended(2)))
    const never = new Promise<string>(() => undefined)
    let calls = 0
    const token = () => (calls++ === 0 ? never : 'secret')
    const { fetch } = service
    const events = await allOf(createAuctionClient({ baseUrl: 'http://service', token, fetch }).events(7))
    expect(numbersOf(events)).toEqual([['ended', 2]])
  })

  test('need a connection that is not silent', async () => {
    const states: string[] = []
    const hanging = scriptedFetch(hangs, () => streamOf(snapshot(0), ended(1)))
    await allOf(clientOf(hanging).events(7, { onState: (state) => states.push(state) }))
    expect(states).toEqual(['connecting', 'lost', 'connecting', 'live', 'live'])

    const silent = scriptedFetch(openStream(bid(3)), () => streamOf(ended(4)))
    expect(numbersOf(await allOf(clientOf(silent).events(7, { after: 2 })))).toEqual([
      ['bid', 3],
      ['ended', 4],
    ])
    const [first, second] = silent.requests.map(({ atMs }) => atMs)
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThan(45_000)
  })

  test('end their connection when the loop ends or the signal is aborted', async () => {
    const service = scriptedFetch(openStream(snapshot(0)))
    for await (const event of clientOf(service).events(7)) {
      expect(event.type).toBe('snapshot')
      break
    }
    expect(service.requests[0]?.signal.aborted).toBe(true)

    const controller = new AbortController()
    const reason = new Error('closed')
    const reading = allOf(clientOf(service).events(7, { signal: controller.signal }))
    setTimeout(() => controller.abort(reason), 1_000)
    await expect(reading).rejects.toBe(reason)
    expect(service.requests[1]?.signal.aborted).toBe(true)
  })
})

describe('the states of auctions', () => {
  const state = (id: number, sequence: number, members: object = {}) =>
    frame('auction', { now: startTime, sequence, auction: auctionOf(id, members) })

  test('arrive when they change, until each auction is over, and those that are over are not requested again', async () => {
    const service = scriptedFetch(
      () => streamOf(frame('missing', { ids: [99] }), state(1, 2), state(2, 5, { result: sold }), bye('age')),
      () => streamOf(state(1, 2), state(1, 3)),
      () => streamOf(state(1, 3, { status: 'Ended' }), state(1, 4, { status: 'Ended', result: sold }), bye('over')),
    )
    const seen = await allOf(clientOf(service).follow([1, 2, 99]))
    expect(seen[0]).toEqual({ type: 'missing', ids: [99] })
    expect(seen.slice(1).map((event) => event.type === 'auction' && [event.auction.id, event.sequence])).toEqual([
      [1, 2],
      [2, 5],
      [1, 3],
      [1, 3],
      [1, 4],
    ])
    expect(pathsOf(service)).toEqual([1, 2, 3].map((tries) => `/api/Auctions/Events?ids=${tries === 1 ? '1,2,99' : 1}`))
  })

  test('are read without a stream near the end', async () => {
    const effectiveEndTime = '2030-01-31T12:00:30.000Z'
    const service = scriptedFetch(
      () => streamOf(state(1, 2, { effectiveEndTime }), state(2, 1)),
      succeeded({ items: [{ sequence: 3, auction: auctionOf(1, { result: sold }) }], missing: [2] }),
    )
    const seen = await allOf(clientOf(service).follow([1, 2]))
    expect(numbersOf(seen)).toEqual([
      ['auction', 2],
      ['auction', 1],
      ['missing', undefined],
      ['auction', 3],
    ])
  })

  test('arrive when time starts and ends an auction, with and without a connection', async () => {
    const startTime = '2030-01-31T12:00:20.000Z'
    const pending = { status: 'Pending', startTime, buyNowOffered: false }
    const service = scriptedFetch(openStream(state(1, 0, pending) + state(2, 0)), 'breaks')
    const seen: unknown[] = []
    const controller = new AbortController()
    const following = (async () => {
      for await (const event of clientOf(service).follow([1, 2], { signal: controller.signal })) {
        if (event.type !== 'auction') continue
        const { id, status, buyNowOffered } = event.auction
        seen.push([(Date.now() - Date.parse(event.now)) / 1_000 < 1, id, status, buyNowOffered])
      }
    })()
    const isNow = true
    await vi.advanceTimersByTimeAsync(19_000)
    expect(seen).toEqual([
      [isNow, 1, 'Pending', false],
      [isNow, 2, 'Active', undefined],
    ])
    await vi.advanceTimersByTimeAsync(1_001)
    expect(seen.slice(2)).toEqual([[isNow, 1, 'Active', true]])
    // The connection is silent, so that the client replaces it.
    await vi.advanceTimersByTimeAsync(600_000)
    expect(service.requests.length).toBeGreaterThan(1)
    expect(seen.slice(3)).toEqual([
      [isNow, 1, 'Ended', false],
      [isNow, 2, 'Ended', undefined],
    ])
    controller.abort()
    await expect(following).rejects.toThrow()
  })

  test('of no auction are over at once', async () => {
    const service = scriptedFetch('breaks')
    expect(await allOf(clientOf(service).follow([]))).toEqual([])
    expect(service.requests).toEqual([])
  })
})

describe('the lines of a sale', () => {
  const line = (id: number, currentPrice: number) => ({ id, lot: `${id}`, status: 'Active', currentPrice })
  const sale = frame('sale', { now: startTime, id: 3, extendedSeconds: 0, lotCount: 2 })
  const lots = (...lines: readonly object[]) => frame('lots', { now: startTime, lots: lines })
  const ready = frame('ready', { now: startTime })

  test('arrive again after a lost connection only if they have changed, until all lots are over', async () => {
    const service = scriptedFetch(
      () => streamOf(sale, lots(line(1, 10), line(2, 10)), ready, lots(line(1, 15)), bye('age')),
      'breaks',
      () => streamOf(sale, lots(line(1, 15), line(2, 20)), ready, bye('over')),
    )
    const events = await allOf(clientOf(service).followSale(3))
    expect(events.map((event) => ('lots' in event ? event.lots : event.type))).toEqual([
      ...['sale', [line(1, 10), line(2, 10)], 'ready', [line(1, 15)]],
      ...['sale', [line(2, 20)], 'ready'],
    ])
    expect(pathsOf(service)).toEqual(Array.from({ length: 3 }, () => '/api/Sales/3/Events'))
  })
})
