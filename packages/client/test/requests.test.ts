import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createAuctionClient } from '../src/client.ts'
import { failed, hangs, type Step, scriptedFetch, succeeded } from './support/scripted-fetch.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

type Client = ReturnType<typeof createAuctionClient>
const baseUrl = 'https://auctions.example.com/v1'
const bid = { auctionId: 7, bidderId: 2, amount: 105 }
const placed = succeeded({ id: 1, ...bid })

/** Waits for a call while time passes, and returns its error. */
async function errorOf(call: Promise<unknown>): Promise<unknown> {
  const failing = expect(call).rejects.toBeInstanceOf(Error)
  await vi.runAllTimersAsync()
  await failing
  return call.catch((error) => error)
}

async function settled<Value>(call: Promise<Value>): Promise<Value> {
  await vi.runAllTimersAsync()
  return call
}

test('a request goes to the base URL with the token, and a read has no key', async () => {
  const { fetch, requests } = scriptedFetch(succeeded({ items: [], nextCursor: null }))
  const client = createAuctionClient({ baseUrl, token: 'secret', fetch })
  await settled(client.listAuctions({ ids: [3, 5], status: undefined }))
  expect(requests).toMatchObject([
    { method: 'GET', url: `${baseUrl}/api/Auctions?ids=3%2C5`, headers: { authorization: 'Bearer secret' } },
  ])
  expect(requests[0]?.headers).not.toHaveProperty('idempotency-key')
})

test('a success has the data, its time and the entity tag, and a refusal its code and members', async () => {
  const { fetch } = scriptedFetch(
    succeeded({ id: 7 }, { etag: '"a"' }),
    failed(409, 'bid-too-low', { minimumNextBid: 110 }),
  )
  const client = createAuctionClient({ baseUrl, fetch })
  expect(await client.readAuction(7)).toEqual({
    ok: true,
    data: { id: 7 },
    now: '2030-01-31T12:00:00.000Z',
    etag: '"a"',
  })
  expect(await client.placeBid(bid)).toMatchObject({
    ok: false,
    refusal: { code: 'bid-too-low', message: 'It is bid-too-low.', minimumNextBid: 110 },
  })
})

describe('a write is sent again by its key', () => {
  test.each([
    ['a broken connection', 'breaks'],
    ['a response that is cut off', new Response('{"success":tr', { status: 201 })],
    ['a 429', failed(429, 'rate-limited')],
    ['a 503', failed(503, 'store-unavailable')],
    ['a 502 of a proxy', new Response('<html>', { status: 502 })],
    ['no response in time', hangs],
  ] as const)('after %s', async (_, step) => {
    const { fetch, requests } = scriptedFetch(step, step, placed)
    const result = await settled(createAuctionClient({ baseUrl, fetch }).placeBid(bid))
    expect(result).toMatchObject({ ok: true, data: { id: 1 } })
    const [first, ...others] = requests.map(({ headers, body }) => [headers['idempotency-key'], body])
    expect(first).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), JSON.stringify(bid)])
    expect(others).toEqual([first, first])
  })

  test('which the caller may give, and which differs between calls', async () => {
    const { fetch, requests } = scriptedFetch(placed)
    const client = createAuctionClient({ baseUrl, fetch })
    await client.placeBid(bid, { key: 'kept' })
    await client.placeBid(bid)
    await client.placeBid(bid)
    const keys = requests.map(({ headers }) => headers['idempotency-key'])
    expect(keys[0]).toBe('kept')
    expect(new Set(keys).size).toBe(3)
  })

  test('not after a refusal or an unexpected failure', async () => {
    for (const status of [400, 403, 409, 500]) {
      const { fetch, requests } = scriptedFetch(failed(status, 'any'))
      await createAuctionClient({ baseUrl, fetch })
        .placeBid(bid)
        .catch(() => undefined)
      expect(requests).toHaveLength(1)
    }
  })
})

describe('the pause before a retry', () => {
  /** The pauses between the requests, in seconds. */
  async function pausesAfter(...steps: readonly Step[]): Promise<readonly number[]> {
    const { fetch, requests } = scriptedFetch(...steps, placed)
    await settled(createAuctionClient({ baseUrl, fetch }).placeBid(bid))
    return requests.slice(1).map(({ atMs }, index) => (atMs - (requests[index]?.atMs ?? 0)) / 1_000)
  }

  test.each([
    ['seconds', '7'],
    ['a date', () => new Date(Date.now() + 7_000).toUTCString()],
  ])('is not shorter than Retry-After in %s', async (_, after) => {
    vi.setSystemTime('2030-01-31T12:00:00Z')
    const retryAfter = typeof after === 'string' ? after : after()
    const [pause] = await pausesAfter(failed(429, 'rate-limited', {}, { 'retry-after': retryAfter }))
    expect(pause).toBeGreaterThanOrEqual(7)
    expect(pause).toBeLessThan(9)
  })

  test('grows, up to ten seconds, and differs between clients', async () => {
    const failures = Array<'breaks'>(7).fill('breaks')
    const pauses = await pausesAfter(...failures)
    for (const [index, least] of [0.5, 1, 2, 4, 8, 10, 10].entries()) {
      expect(pauses[index]).toBeGreaterThanOrEqual(least)
      expect(pauses[index]).toBeLessThanOrEqual(least * 1.25 + 0.001)
    }
    // One pause alone has 125 values, of which two clients sometimes have the same.
    expect(await pausesAfter(...failures)).not.toEqual(pauses)
  })
})

/** Browsers hide all of a redirect that is not followed. */
const opaqueRedirect = () => Object.defineProperty(new Response(), 'type', { value: 'opaqueredirect' })

describe('a call rejects', () => {
  test.each([
    ['readAuction', (client: Client, id: number) => client.readAuction(id)],
    ['placeBidOnAuction', (client: Client, id: number) => client.placeBidOnAuction(id, { bidderId: 2, amount: 105 })],
    ['correctAuction', (client: Client, id: number) => client.correctAuction(id, {}, { ifMatch: '*' })],
    ['readBid', (client: Client, id: number) => client.readBid(id)],
    ['events', (client: Client, id: number) => client.events(id).next()],
    ['events after a position', (client: Client, after: number) => client.events(7, { after }).next()],
    ['follow', (client: Client, id: number) => client.follow([7, id]).next()],
  ])('if an id of %s is not a number, before a request', async (_, call) => {
    const { fetch, requests } = scriptedFetch(succeeded({}))
    // The casts: programs in plain JavaScript can pass anything.
    for (const id of ['7/../../secret', Number.NaN, -1, 1.5, 7n] as unknown as number[]) {
      const error = await errorOf(call(createAuctionClient({ baseUrl, fetch }), id))
      expect(error).toMatchObject({ name: 'AuctionClientError', code: 'validation-failed', status: 400 })
      expect(error).toMatchObject({ message: expect.stringMatching(/^(An id|The position after) must be a whole/) })
    }
    expect(requests).toEqual([])
  })

  test('after two minutes of failures, with the code and the key', async () => {
    vi.advanceTimersByTime(1_000_000)
    const startMs = Date.now()
    const { fetch } = scriptedFetch(failed(503, 'overloaded', { requestId: 'r1' }))
    const call = createAuctionClient({ baseUrl, fetch }).placeBid(bid, { key: 'kept' })
    expect(await errorOf(call)).toMatchObject({
      name: 'AuctionClientError',
      code: 'overloaded',
      status: 503,
      key: 'kept',
      message: 'It is overloaded.',
      problem: { requestId: 'r1' },
    })
    expect(Date.now() - startMs).toBeGreaterThan(100_000)
    expect(Date.now() - startMs).toBeLessThanOrEqual(120_000)
  })

  test('only without an outcome, if its signal is aborted while the response arrives', async () => {
    const controller = new AbortController()
    const { fetch } = scriptedFetch(() => {
      controller.abort()
      return placed.clone()
    })
    const call = createAuctionClient({ baseUrl, fetch }).placeBid(bid, { signal: controller.signal })
    expect(await call).toMatchObject({ ok: true })
  })

  test.each([
    ['no response', 'breaks', { code: 'no-response', status: 0, cause: expect.any(TypeError) }],
    ['a page of a proxy', new Response('<html>', { status: 404 }), { code: 'unreadable-response', status: 404 }],
    ['JSON that is not of this API', Response.json({}), { code: 'unreadable-response', status: 200 }],
    ['a redirect', new Response('null', { status: 307 }), { code: 'unreadable-response', status: 307 }],
    ['a redirect in a browser', opaqueRedirect, { status: 302, message: expect.stringContaining('redirects') }],
    ['an internal error', failed(500, 'internal'), { code: 'internal', status: 500 }],
  ] as const)('after %s', async (_, step, error) => {
    const { fetch, requests } = scriptedFetch(step)
    expect(await errorOf(createAuctionClient({ baseUrl, fetch }).readAuction(7))).toMatchObject(error)
    if (error.status !== 0) expect(requests).toHaveLength(1)
  })

  test.each([
    ['during a request', hangs],
    ['during a pause', failed(503, 'overloaded', {}, { 'retry-after': '60' })],
  ])('with the reason of its signal, %s', async (_, step) => {
    const { fetch, requests } = scriptedFetch(step)
    const controller = new AbortController()
    const reason = new Error('too late')
    setTimeout(() => controller.abort(reason), 5_000)
    const call = createAuctionClient({ baseUrl, fetch }).placeBid(bid, { signal: controller.signal })
    expect(await errorOf(call)).toBe(reason)
    expect(requests).toHaveLength(1)
    await expect(createAuctionClient({ baseUrl, fetch }).readBid(1, { signal: controller.signal })).rejects.toBe(reason)
    expect(requests).toHaveLength(1)
  })
})

describe('the function that returns the token', () => {
  const unauthenticated = failed(401, 'unauthenticated')

  test('is called for each request, and again after a 401', async () => {
    const { fetch, requests } = scriptedFetch(placed, unauthenticated, placed)
    const token = vi.fn((isExpired: boolean) => (isExpired ? 'new' : 'old'))
    const client = createAuctionClient({ baseUrl, token, fetch })
    await client.placeBid(bid)
    expect(await client.placeBid(bid)).toMatchObject({ ok: true })
    expect(token.mock.calls).toEqual([[false], [false], [true]])
    expect(requests.map(({ headers }) => headers['authorization'])).toEqual(['Bearer old', 'Bearer old', 'Bearer new'])
  })

  test('is called twice at most, and once if the token is a string', async () => {
    const refused = { ok: false, refusal: { code: 'unauthenticated' } }
    for (const [token, tries] of [
      [async () => 'old', 2],
      ['old', 1],
    ] as const) {
      const { fetch, requests } = scriptedFetch(unauthenticated)
      expect(await createAuctionClient({ baseUrl, token, fetch }).placeBid(bid)).toMatchObject(refused)
      expect(requests).toHaveLength(tries)
    }
  })

  test('may fail, and is called again, up to the time limit of the call', async () => {
    const { fetch, requests } = scriptedFetch(placed)
    let left = 2
    const token = async () => {
      if (left-- > 0) throw new Error('its back end is unavailable')
      return 'secret'
    }
    const client = createAuctionClient({ baseUrl, token, fetch })
    expect(await settled(client.placeBid(bid))).toMatchObject({ ok: true })
    expect(requests).toHaveLength(1)
    left = Number.POSITIVE_INFINITY
    const error = await errorOf(client.placeBid(bid, { giveUpMs: 5_000 }))
    expect(error).toMatchObject({ code: 'no-response', cause: { message: 'its back end is unavailable' } })
  })

  test('may hang, which a signal and the time limit end', async () => {
    const { fetch, requests } = scriptedFetch(placed)
    const client = createAuctionClient({ baseUrl, token: () => new Promise<string>(() => undefined), fetch })
    expect(await errorOf(client.placeBid(bid, { giveUpMs: 5_000 }))).toMatchObject({ code: 'no-response' })
    const controller = new AbortController()
    const call = client.readAuction(7, {}, { signal: controller.signal })
    controller.abort(new Error('the reader has left'))
    await expect(call).rejects.toThrow('the reader has left')
    expect(requests).toEqual([])
  })

  test('may fail after the signal was aborted, which needs no handler', async () => {
    const { promise, reject } = Promise.withResolvers<string>()
    const client = createAuctionClient({ baseUrl, token: () => promise, fetch: scriptedFetch(placed).fetch })
    const call = client.readAuction(7, {}, { signal: AbortSignal.abort(new Error('the reader has left')) })
    await expect(call).rejects.toThrow('the reader has left')
    // The run fails if a rejection has no handler.
    reject(new Error('its back end is unavailable'))
  })
})

test('the time is that of the server, by the newest of its responses, and does not follow the clock of the device', async () => {
  vi.setSystemTime('2029-12-31T00:00:00Z')
  const { fetch } = scriptedFetch(succeeded({}))
  const client = createAuctionClient({ baseUrl, fetch })
  expect(client.now()).toBe(Date.parse('2029-12-31T00:00:00Z'))
  await client.readAuction(7)
  expect(client.now()).toBe(Date.parse('2030-01-31T12:00:00Z'))
  vi.advanceTimersByTime(2_000)
  // The service has responded with the same time, so this response was slow.
  await client.readAuction(7)
  vi.setSystemTime('2031-01-01T00:00:00Z')
  expect(client.now()).toBe(Date.parse('2030-01-31T12:00:02Z'))
})

describe('lots are added in parts of 100', () => {
  const lots = Array.from({ length: 230 }, (_, at) => ({ lot: `${at + 1}` }))

  test('each with a different key, until one is refused', async () => {
    const error = { pointer: '/lots/17/title', message: 'is too long' }
    const { fetch, requests } = scriptedFetch(
      succeeded({ lots: [{ lot: '1' }] }),
      failed(400, 'validation-failed', { errors: [error], moreErrors: 2 }),
    )
    const result = await createAuctionClient({ baseUrl, fetch }).addLots(7, { lots }, { key: 'kept' })
    expect(result).toMatchObject({
      refusal: { errors: [{ ...error, pointer: '/lots/117/title' }], moreErrors: 2 },
    })
    const sent = requests.map(({ headers, body }) => [headers['idempotency-key'], JSON.parse(String(body)).lots])
    expect(sent).toEqual([
      ['kept', lots.slice(0, 100)],
      ['kept.2', lots.slice(100, 200)],
    ])
  })

  test.each([
    ['the lines of each', '\n', (row: string) => row],
    ['line breaks and delimiters in quotes', '\r\n', (row: string) => `"${row}\r\n,"`],
    ['quotes within cells', '\r', (row: string) => `${row}"`],
  ])('of a CSV, with %s', async (_, lineBreak, cellOf) => {
    const { fetch, requests } = scriptedFetch(succeeded({ lots: [] }))
    const rows = lots.map(({ lot }) => cellOf(lot))
    const csv = ['lot', ...rows].join(lineBreak) + lineBreak
    await createAuctionClient({ baseUrl, fetch }).addLots(7, csv)
    const parts = requests.map(({ body }) => String(body))
    expect(parts).toHaveLength(3)
    for (const [index, part] of parts.entries()) {
      const some = rows.slice(index * 100, (index + 1) * 100)
      expect(part.trim().replace(/^lot[\r\n]+/, '')).toBe(some.join(lineBreak))
      const before = ['', ...rows.slice(0, index * 100)].join(lineBreak).match(/\r\n?|\n/g)?.length ?? 0
      expect(/^lot([\r\n]+)/.exec(part)?.[1]?.match(/\r\n?|\n/g)).toHaveLength(before + 1)
    }
  })
})
