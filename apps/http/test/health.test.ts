import { createMemoryStore } from '@auction/adapters/memory'
import { StoreUnavailableError } from '@auction/domain/errors'
import type { Store } from '@auction/domain/store'
import { createLogger } from '@auction/host/log'
import { sampleAuction, sampleEntry } from '@auction/testing/samples'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createReadiness, type PingedStore } from '../src/api/readiness.ts'
import { anonymousOf, clientOf, problem } from './support/client.ts'
import { startHeldServer, startServer } from './support/server.ts'
import { tokenOf } from './support/tokens.ts'

const paths = ['/livez', '/readyz'] as const
const noResponse = async (): Promise<never> => {
  throw new Error('it is gone')
}

describe.each(paths)('%s', (path) => {
  test('is a success, with any token or none', async () => {
    const server = await startServer()
    for (const token of ['', 'garbage', tokenOf('anna')]) {
      const response = await clientOf(server, token).get(path)
      expect(response).toMatchObject({ status: 200, body: { success: true, data: {} } })
      expect(response.headers.get('cache-control')).toBe('no-store')
    }
    expect((await anonymousOf(server).send('HEAD', path)).status).toBe(200)
    expect(await anonymousOf(server).post(path, {})).toMatchObject(problem(405, 'method-not-allowed'))
  })

  test('is not logged at the default level while it succeeds', async () => {
    const server = await startServer()
    await anonymousOf(server).get(path)
    await anonymousOf(server).get(`${path}/nowhere`)
    expect(server.log.map((line) => JSON.parse(line))).toMatchObject([{ path: `${path}/nowhere`, status: 404 }])
    const chatty = await startServer({ environment: { LOG_LEVEL: 'debug' } })
    await anonymousOf(chatty).get(path)
    expect(chatty.log.map((line) => JSON.parse(line))).toMatchObject([{ level: 20, path, status: 200 }])
  })
})

/** A store in memory with its readiness, and a clock that tests set. */
function readinessOf(parts: Partial<PingedStore>) {
  vi.useFakeTimers()
  const log: string[] = []
  const readiness = createReadiness(createLogger('info', { write: (line) => void log.push(line) }))
  onTestFinished(() => {
    readiness.close()
    vi.useRealTimers()
  })
  const store = readiness.monitor({ ...createMemoryStore(), ping: async () => undefined, ...parts })
  async function readyIn(ms: number): Promise<boolean> {
    await vi.advanceTimersByTimeAsync(ms)
    const ready = readiness.isReady()
    // A ping of a store that hangs times out in less than a second.
    if (ms > 0) await vi.advanceTimersByTimeAsync(950)
    return ready
  }
  return { readiness, store, readyIn, lines: () => log.map((line) => JSON.parse(line)) }
}

const lost = async (): Promise<never> => {
  throw new StoreUnavailableError('its disk is full')
}

test('while the store does not respond, the server is not ready; the log has one line at the start and one at the end', async () => {
  let isBroken = true
  const { readyIn, lines } = readinessOf({ ping: async () => (isBroken ? noResponse() : undefined) })
  expect([await readyIn(1_000), await readyIn(1_000)]).toEqual([false, false])
  isBroken = false
  expect([await readyIn(1_000), await readyIn(1_000)]).toEqual([true, true])
  expect(lines()).toMatchObject([{ level: 40, err: { message: 'it is gone' } }])
  await vi.advanceTimersByTimeAsync(6_000)
  expect(lines().slice(1)).toMatchObject([{ level: 30, ms: expect.any(Number), msg: 'the store is available again' }])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(lines()).toHaveLength(2)
})

describe('a store that responds, but fails all writes', () => {
  let isFull = true
  function fullStore() {
    const memory = createMemoryStore()
    isFull = true
    const tried: string[] = []
    return {
      tried,
      ...readinessOf({
        ...memory,
        append: (entries) => (isFull ? lost() : memory.append(entries)),
        insertAuction: (auction) => (isFull ? lost() : memory.insertAuction(auction)),
        claimNextIdBlock(kind) {
          tried.push(kind)
          return isFull ? lost() : memory.claimNextIdBlock(kind)
        },
      }),
    }
  }

  test.each<[what: string, write: (store: Store) => Promise<unknown>]>([
    ['an append', (store) => store.append([sampleEntry()])],
    ['a creation', (store) => store.insertAuction(sampleAuction())],
    ['a claim of ids', (store) => store.claimNextIdBlock('entries')],
  ])('makes the server not ready immediately: %s', async (_, write) => {
    const { readyIn, store } = fullStore()
    expect(await readyIn(0)).toBe(true)
    await expect(write(store)).rejects.toThrow('its disk is full')
    expect(await readyIn(0)).toBe(false)
  })

  test('is not the cause of a write whose client disconnected', async () => {
    const leftOut = new StoreUnavailableError('the caller stopped waiting before the store was called')
    const { readyIn, store, lines } = readinessOf({ append: () => Promise.reject(leftOut) })
    await expect(store.append([sampleEntry()], { signal: { aborted: true } })).rejects.toBe(leftOut)
    expect(await readyIn(0)).toBe(true)
    expect(lines()).toEqual([])
    const failed = new StoreUnavailableError('a write failed', { cause: new Error('the disk is full') })
    const failing = readinessOf({ append: () => Promise.reject(failed) })
    await expect(failing.store.append([sampleEntry()], { signal: { aborted: true } })).rejects.toBe(failed)
    expect(await failing.readyIn(0)).toBe(false)
  })

  test('receives the same arguments of an append', async () => {
    const given: unknown[] = []
    const { store } = readinessOf({
      append: async (entries, options) => {
        given.push(options)
        return entries.length
      },
    })
    const options = { isContended: true, signal: { aborted: false } }
    await store.append([sampleEntry()], options)
    expect(given).toEqual([options])
  })

  test('makes the server ready again after a write that the server tries once a second', async () => {
    const { readyIn, store, tried, lines } = fullStore()
    for (let times = 0; times < 100; times++) await expect(store.append([sampleEntry()])).rejects.toThrow()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await readyIn(1_000)).toBe(false)
    expect(tried.length).toBeGreaterThan(5)
    expect(tried.length).toBeLessThan(15)
    isFull = false
    expect(await readyIn(1_000)).toBe(true)
    const times = tried.length
    await vi.advanceTimersByTimeAsync(60_000)
    expect(tried).toHaveLength(times)
    expect(await store.append([sampleEntry()])).toBe(1)
    expect(lines()).toMatchObject([
      { level: 40, err: { message: 'its disk is full' } },
      { level: 30, msg: 'the store is available again' },
    ])
  })

  test('keeps the server ready if it refuses a write for its content', async () => {
    const { readyIn, store } = readinessOf({ append: () => Promise.reject(new RangeError('not an exact integer')) })
    await expect(store.append([sampleEntry()])).rejects.toThrow()
    expect(await readyIn(0)).toBe(true)
  })
})

test.each([
  ['fails', noResponse],
  ['hangs', () => new Promise<never>(() => undefined)],
])('a store that %s makes /readyz a 503, and not /livez', async (_how, ping) => {
  const server = await startServer({ ping })
  const refused = await anonymousOf(server).get('/readyz')
  expect(refused).toMatchObject(problem(503, 'store-unavailable'))
  expect(refused.headers.get('retry-after')).toBe('2')
  expect((await anonymousOf(server).get('/livez')).status).toBe(200)
})

test('any number of probes ping the store at most once a second, and not during a ping', async () => {
  let pings = 0
  let response = Promise.withResolvers<void>()
  const ping = () => {
    pings += 1
    return response.promise
  }
  const { readiness } = readinessOf({ ping })
  async function flood(): Promise<ReadonlySet<boolean>> {
    const asked = Promise.all(Array.from({ length: 1_000 }, () => readiness.isReady()))
    await vi.advanceTimersByTimeAsync(900)
    return new Set(await asked)
  }

  response.resolve()
  expect(await flood()).toEqual(new Set([true]))
  await readiness.isReady()
  expect(pings).toBe(1)

  response = Promise.withResolvers()
  await vi.advanceTimersByTimeAsync(100)
  // It times out, and still has not settled.
  expect(await flood()).toEqual(new Set([false]))
  await vi.advanceTimersByTimeAsync(100)
  expect(await flood()).toEqual(new Set([false]))
  expect(pings).toBe(2)

  response.resolve()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(await flood()).toEqual(new Set([true]))
})

describe('a server that drains', () => {
  test('is alive and not ready, serves, and asks clients to close', async () => {
    const server = await startServer()
    server.lifecycle.drain()
    const refused = await anonymousOf(server).get('/readyz')
    expect(refused).toMatchObject(problem(503, 'overloaded', { message: expect.stringContaining('shutting down') }))
    for (const response of [await anonymousOf(server).get('/livez'), await clientOf(server).createAuction()]) {
      expect([response.status < 300, response.headers.get('connection')]).toEqual([true, 'close'])
    }
  })

  test('asks that with the responses to earlier requests', async () => {
    const server = await startHeldServer({}, 'findAuction')
    const reading = clientOf(server).get('/api/Auctions/1')
    await server.begun
    server.lifecycle.drain()
    server.release()
    expect((await reading).headers.get('connection')).toBe('close')
  })
})
