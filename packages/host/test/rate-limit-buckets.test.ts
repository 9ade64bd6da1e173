import { EventEmitter } from 'node:events'
import fc from 'fast-check'
import { fastify } from 'fastify'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createLogger } from '../src/log/logger.ts'
import { createRateLimits } from '../src/security/rate-limit/rate-limit.ts'

// A manual clock.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
})

const pass = (ms: number) => void vi.advanceTimersByTime(ms)

/** The limits of a server without its HTTP. */
async function startLimits(max: number, windowSeconds: number) {
  const app = fastify()
  const configuration = { max, anonymousMax: max, windowSeconds, redisUrl: undefined, redisKeyPrefix: '' }
  const limits = await createRateLimits(app, configuration, createLogger('silent', process.stdout))
  let callers = 0

  /** Counts a read of a new caller, whose response ends when the returned function is called. */
  return () => {
    const caller = { storedAs: `caller ${++callers}` }
    return async (headers: object = {}) => {
      const raw = Object.assign(new EventEmitter(), { statusCode: 200 })
      let left = { remaining: Number.NaN, seconds: Number.NaN }
      const reply = {
        raw,
        header(name: string, value: string) {
          const [, remaining, seconds] = /;r=(\d+);t=(\d+)$/.exec(value) ?? []
          if (name === 'ratelimit') left = { remaining: Number(remaining), seconds: Number(seconds) }
          return reply
        },
      }
      const request = { method: 'GET', headers, caller, routeOptions: { config: {} } }
      // The casts: only these members are read.
      const problem = await limits.callers(request as never, reply as never)
      if (problem !== undefined) expect(problem.headers?.['retry-after']).toBe(String(left.seconds))
      const end = (statusCode: number) => {
        raw.statusCode = statusCode
        raw.emit('close')
      }
      return { isAdmitted: problem === undefined, ...left, end }
    }
  }
}

const quota = fc.record({
  max: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constantFrom(7, 300)),
  windowSeconds: fc.constantFrom(1, 7, 60, 1_000_000),
})

/** Requests, with the time between them in thousandths of the time that refills one, and how long some take to get a 304. */
const schedule = fc.array(
  fc.record({
    pause: fc.oneof(fc.constantFrom(0, 1, 500, 999, 1_000, 1_001), fc.integer({ min: 0, max: 3_000 })),
    burst: fc.integer({ min: 1, max: 9 }),
    held: fc.option(fc.oneof(fc.constantFrom(0, 500, 1_500), fc.integer({ min: 0, max: 9_000 })), { nil: undefined }),
  }),
  { minLength: 1, maxLength: 15 },
)

type Step = { readonly atMs: number; readonly run: () => Promise<void> }

/** Runs steps in the order of their times; steps may add later ones. */
async function inOrder(steps: Step[]): Promise<void> {
  let nowMs = 0
  while (steps.length > 0) {
    steps.sort((one, other) => one.atMs - other.atMs)
    const next = steps.shift()
    if (next === undefined) return
    pass(next.atMs - nowMs)
    nowMs = next.atMs
    await next.run()
  }
}

test('in any interval, at most the quota and what the interval refills are admitted, and 304 responses never add to it', async () => {
  await fc.assert(
    fc.asyncProperty(quota, schedule, async ({ max, windowSeconds }, requests) => {
      const send = (await startLimits(max, windowSeconds))()
      const refillMs = (windowSeconds * 1_000) / max
      const admittedAtMs: number[] = []
      const steps: Step[] = []
      let atMs = 0
      for (const { pause, burst, held } of requests) {
        atMs += Math.round((pause * refillMs) / 1_000)
        const sentAtMs = atMs
        const run = async () => {
          const { isAdmitted, end } = await send(held === undefined ? {} : { 'if-none-match': '"tag"' })
          if (!isAdmitted) return
          if (held === undefined) admittedAtMs.push(sentAtMs)
          else steps.push({ atMs: sentAtMs + Math.round((held * refillMs) / 1_000), run: async () => end(304) })
        }
        for (let times = 0; times < burst; times++) steps.push({ atMs: sentAtMs, run })
      }
      await inOrder(steps)

      for (const [first, fromMs] of admittedAtMs.entries()) {
        for (const [last, toMs] of admittedAtMs.entries()) {
          if (last >= first) expect(last - first + 1).toBeLessThanOrEqual(max + (toMs - fromMs) / refillMs + 0.01)
        }
      }
      pass(windowSeconds * 1_000)
      for (let remaining = max - 1; remaining >= 0; remaining--) {
        expect(await send()).toMatchObject({ isAdmitted: true, remaining })
      }
      expect(await send()).toMatchObject({ isAdmitted: false, remaining: 0 })
    }),
    { numRuns: 300 },
  )
})

test('the headers are accurate: what remains is admitted at once, and one more after the time that they name', async () => {
  await fc.assert(
    fc.asyncProperty(quota, schedule, async ({ max, windowSeconds }, requests) => {
      const send = (await startLimits(max, windowSeconds))()
      for (const { pause, burst } of requests) {
        pass(Math.round((pause * windowSeconds) / max))
        for (let times = 0; times < burst; times++) await send()
      }
      const { remaining, seconds } = await send()
      expect(seconds).toBeGreaterThanOrEqual(1)
      expect(seconds).toBeLessThanOrEqual(Math.ceil(windowSeconds / max))
      for (let left = remaining - 1; left >= 0; left--) {
        expect(await send()).toMatchObject({ isAdmitted: true, remaining: left })
      }
      const refused = await send()
      expect(refused).toMatchObject({ isAdmitted: false, remaining: 0 })
      pass(refused.seconds * 1_000)
      expect(await send()).toMatchObject({ isAdmitted: true })
    }),
  )
})

test('a 304 costs a tenth, or what has been refilled while it was in flight', async () => {
  const send = (await startLimits(3, 15))()
  const conditional = { 'if-none-match': '"tag"' }
  for (let times = 0; times < 10; times++) {
    const { isAdmitted, end } = await send(conditional)
    expect(isAdmitted).toBe(true)
    end(304)
  }
  const [first, second] = [await send(conditional), await send(conditional)]
  expect([first.remaining, second.remaining]).toEqual([1, 0])
  // Each needs quota while it is in flight.
  expect(await send(conditional)).toMatchObject({ isAdmitted: false, seconds: 5 })
  pass(4_000)
  first.end(304)
  second.end(200)
  // 5 s refill one request: 4 s of it are over, and half a second came from the 304.
  expect(await send()).toMatchObject({ isAdmitted: false, seconds: 1 })
  pass(500)
  expect(await send()).toMatchObject({ isAdmitted: true, remaining: 0, seconds: 5 })
})

test('304 responses use up the quota', async () => {
  const send = (await startLimits(3, 15))()
  let admitted = 0
  for (; ; admitted++) {
    const { isAdmitted, end } = await send({ 'if-none-match': '*' })
    if (!isAdmitted) break
    end(304)
  }
  // Of the last one, a whole request is left.
  expect(admitted).toBe(21)
})

test('a 304 that takes longer than its request needs to refill gives nothing back', async () => {
  const send = (await startLimits(2, 10))()
  const slow = [await send({ 'if-none-match': '*' }), await send({ 'if-none-match': '*' })]
  pass(10_000)
  for (const remaining of [1, 0]) expect(await send()).toMatchObject({ isAdmitted: true, remaining })
  for (const { end } of slow) end(304)
  expect(await send()).toMatchObject({ isAdmitted: false, seconds: 5 })
})
