import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createHeavyWork, createOverloadGate, createTurns } from '../src/server/event-loop.ts'
import { reachedAt } from '../src/server/listen.ts'

const maxAtOnce = 512

/** A gate with a clock and a number of requests that wait for the store, which tests set. */
function gateUnderTest() {
  const now = { ms: 1_000, inWork: 0 }
  const admits = createOverloadGate(
    maxAtOnce,
    () => now.inWork,
    () => now.ms,
  )
  return {
    now,
    /**
     * One turn of the event loop, in which `requests` arrive, after those of addresses above their share. Returns how many of `requests`
     * are admitted.
     */
    async turn(requests: number, ms = 10, aboveShare = 0): Promise<number> {
      let admitted = 0
      for (let count = 0; count < aboveShare; count++) admits(true)
      for (let count = 0; count < requests; count++) if (admits()) admitted += 1
      now.ms += ms
      await nextTurn()
      return admitted
    },
  }
}

describe('the gate against overload', () => {
  test('never refuses clients that wait for their responses, up to its limit', async () => {
    const { turn } = gateUnderTest()
    // As slow as possible.
    for (let turns = 0; turns < 200; turns++) expect(await turn(maxAtOnce, 1_000)).toBe(maxAtOnce)
  })

  test('accepts a burst of any size, and another one after the same time', async () => {
    const { turn, now } = gateUnderTest()
    for (let bursts = 0; bursts < 20; bursts++) {
      expect(await turn(4_000, 400)).toBe(4_000)
      now.ms += 400
    }
    expect(await turn(10_000)).toBe(8 * maxAtOnce)
  })

  test('limits each turn while a queue lasts, and for some time after it', async () => {
    const { turn } = gateUnderTest()
    const admitted: number[] = []
    for (let turns = 0; turns < 20; turns++) admitted.push(await turn(1_000))
    // Ten turns of 10 ms.
    expect(admitted).toEqual([...Array(10).fill(1_000), ...Array(10).fill(maxAtOnce)])
    for (let turns = 0; turns < 11; turns++) expect(await turn(100)).toBe(100)
    expect(await turn(1_000)).toBe(1_000)
  })

  test('admits others while addresses above their share cause a queue', async () => {
    const { turn } = gateUnderTest()
    for (let turns = 0; turns < 200; turns++) expect(await turn(maxAtOnce / 2, 10, 2 * maxAtOnce)).toBe(maxAtOnce / 2)
  })

  test('counts bursts with short pauses as one queue', async () => {
    const { turn, now } = gateUnderTest()
    expect(await turn(1_500, 150)).toBe(1_500)
    for (let bursts = 0; bursts < 20; bursts++) {
      now.ms += 30
      expect(await turn(1_500, 150)).toBe(maxAtOnce)
    }
  })

  test('forgets a queue after some time without requests', async () => {
    const { turn, now } = gateUnderTest()
    for (let turns = 0; turns < 1_000; turns++) await turn(1_000)
    now.ms += 1_000
    expect(await turn(1_000)).toBe(1_000)
  })

  test('counts requests that wait for the store, with few new ones', async () => {
    const { turn, now } = gateUnderTest()
    now.inWork = maxAtOnce
    now.ms += 5_000
    expect(await turn(10)).toBe(10)
    now.inWork = maxAtOnce + 1
    now.ms += 5_000
    expect(await turn(10)).toBe(0)
    now.inWork = maxAtOnce - 4
    expect(await turn(10)).toBe(4)
  })
})

test('a bounded number of deliveries starts in each turn of the event loop, in order', async () => {
  const takeTurn = createTurns(8)
  const started: number[] = []
  const startAll = () => {
    for (let delivery = 0; delivery < 20; delivery++) void takeTurn().then(() => started.push(delivery))
  }
  for (let round = 0; round < 2; round++) {
    startAll()
    const counts: number[] = []
    for (let turn = 0; turn < 4; turn++) {
      await new Promise(setImmediate)
      counts.push(started.length)
    }
    expect(counts).toEqual([8, 16, 20, 20])
    expect(started.splice(0)).toEqual(Array.from({ length: 20 }, (_, delivery) => delivery))
  }
})

test('heavy work runs one piece at a time, with turns of other work between, even if one fails, and a bounded number waits', async () => {
  const run = createHeavyWork(2)
  const ran: string[] = []
  const first = run(() => {
    throw new Error('failed')
  })
  const second = run(() => ran.push('second'))
  expect(run(() => ran.push('third'))).toBeUndefined()
  await expect(first).rejects.toThrow('failed')
  // The rest ends with a timer.
  expect(ran).toEqual([])
  await run(() => ran.push('fourth'))
  await second
  expect(ran).toEqual(['second', 'fourth'])
})

test.each([
  { host: '0.0.0.0', address: '0.0.0.0', url: 'http://127.0.0.1:80', onEveryInterface: true },
  { host: '0', address: '0.0.0.0', url: 'http://127.0.0.1:80', onEveryInterface: true },
  { host: '::', address: '::', url: 'http://[::1]:80', onEveryInterface: true },
  { host: '0:0::0', address: '::', url: 'http://[::1]:80', onEveryInterface: true },
  { host: '::1', address: '::1', url: 'http://[::1]:80', onEveryInterface: false },
  { host: 'localhost', address: '127.0.0.1', url: 'http://localhost:80', onEveryInterface: false },
  { host: '192.0.2.7', address: '192.0.2.7', url: 'http://192.0.2.7:80', onEveryInterface: false },
])('HOST=$host, bound to $address, is reached at $url', ({ host, address, url, onEveryInterface }) => {
  expect(reachedAt(host, { address, port: 80 })).toEqual({ url, onEveryInterface })
})
