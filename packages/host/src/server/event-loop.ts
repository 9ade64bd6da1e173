import type { RequestListener } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { pauseConnection } from '../connections/connection-table.ts'
import { onceAMinute } from '../log/log.ts'
import { type Problem, problemBody, problemHeaders, typeOf } from '../responses/problem.ts'
import type { SettingNames } from '../setting-names.ts'
import { isProbe, requestIdOf } from './requests.ts'
import type { ServerObserver } from './server-observer.ts'

// The total time in which ticks of the event loop may exceed the limit, so that a burst is served.
const toleratedMs = 100
// Time within the limit restores as much, up to this maximum.
const longestMemoryMs = 1_000
// The maximum size of a burst.
const burstFactor = 8

/**
 * Detects overload by its queue. One tick of the event loop handles all requests that have arrived; later ones wait for
 * the next tick, so the number of requests in a tick is the length of the queue. With clients that wait for responses,
 * it is at most the number of clients. Under overload it grows until all connections wait. The gate cuts a queue that
 * lasts.
 *
 * Time alone does not show overload: other processes may use the CPU, and a long tick with few requests is not
 * overload. Call the returned function once for each request: it returns whether one more is admitted. While a queue
 * lasts, requests from addresses with more than their share of connections get at most half, so that one address never
 * keeps out the others.
 * @param maxAtOnce The number of requests that one tick may admit, including those that wait for the store.
 * @param inWork Returns the number of requests that wait for the store.
 */
export function createOverloadGate(
  maxAtOnce: number,
  inWork: () => number,
  nowMs: () => number = () => performance.now(),
): (isAboveShare?: boolean) => boolean {
  let isInTick = false
  let admitted = 0
  let offered = 0
  let tickBeganAtMs = 0
  let tickEndedAtMs = nowMs()
  let queuedMs = 0

  function count(ms: number, hadQueue: boolean): void {
    queuedMs = Math.min(longestMemoryMs, Math.max(0, queuedMs + (hadQueue ? ms : -ms)))
  }

  function beginTick(): void {
    isInTick = true
    admitted = inWork()
    offered = admitted
    tickBeganAtMs = nowMs()
    count(tickBeganAtMs - tickEndedAtMs, admitted > maxAtOnce)
    setImmediate(endTick)
  }

  function endTick(): void {
    isInTick = false
    tickEndedAtMs = nowMs()
    count(tickEndedAtMs - tickBeganAtMs, offered > maxAtOnce)
  }

  return (isAboveShare = false) => {
    if (!isInTick) beginTick()
    offered += 1
    const inQueue = isAboveShare ? maxAtOnce / 2 : maxAtOnce
    if (admitted >= (queuedMs < toleratedMs ? maxAtOnce * burstFactor : inQueue)) return false
    admitted += 1
    return true
  }
}

const tooMany: Problem = {
  code: 'overloaded',
  message: 'The server is overloaded; nothing was changed. Send the request again.',
}

type OverloadParts = {
  readonly gate: ReturnType<typeof createOverloadGate>
  /** Whether the address of a connection has more than its share of them. */
  readonly isAboveShare: (socket: Duplex) => boolean
  readonly logger: Logger
  /** See `addProblems`. */
  readonly problemUrn: string
  readonly names: SettingNames
  readonly observer?: ServerObserver | undefined
}

/**
 * Refuses requests beyond the gate, except health checks, before routing and reading of the body. Then it pauses their
 * connection.
 */
export function refuseOverload(
  handle: RequestListener,
  { gate, isAboveShare, logger, problemUrn, names, observer }: OverloadParts,
): RequestListener {
  const body = problemBody(tooMany, problemUrn)
  const { status } = typeOf(tooMany)
  const headers = { ...problemHeaders(tooMany), 'content-length': body.length }
  const reportRefused = onceAMinute((refused) =>
    logger.warn({ refused }, `the server is overloaded: requests beyond ${names.maxRequestsAtOnce} are refused`),
  )

  return (request, response) => {
    if (gate(isAboveShare(request.socket)) || isProbe(request.url ?? '')) {
      handle(request, response)
      return
    }
    reportRefused()
    observer?.onEarlyRefusal?.(tooMany)
    response.once('close', () => pauseConnection(request))
    response.writeHead(status, { ...headers, 'x-request-id': requestIdOf(request) }).end(body)
  }
}

/**
 * Returns a function that waits for a turn. In each turn of the event loop at most `perTurn` callers continue, in
 * order, so that many deliveries or readers do not hold up requests.
 */
export function createTurns(perTurn: number): () => Promise<void> {
  const waiting: (() => void)[] = []
  let isScheduled = false

  function start(): void {
    for (const resume of waiting.splice(0, perTurn)) resume()
    isScheduled = waiting.length > 0
    if (isScheduled) setImmediate(start)
  }

  return () =>
    new Promise((resolve) => {
      waiting.push(resolve)
      if (isScheduled) return
      isScheduled = true
      setImmediate(start)
    })
}

/**
 * Resolves at the end of the event loop's tick, when everything that has arrived is read. Requests that arrive in one
 * tick wait for each other, so that their writes are stored together, and their responses are sent together. A single
 * request waits only for the end of the tick, which follows immediately. Under load, responses in bursts rather than
 * between reads halve the kernel's work for each request.
 */
export const endOfTick = createTurns(Number.POSITIVE_INFINITY)

/**
 * Returns a function that runs work which holds the event loop, such as the parsing of a long body: one piece at a
 * time, in order. A rest of the same length follows each, so that other requests have half of the time. Undefined if
 * too many pieces wait.
 */
export function createHeavyWork(maxWaiting: number): <Value>(work: () => Value) => Promise<Value> | undefined {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0

  return (work) => {
    if (waiting >= maxWaiting) return undefined
    waiting += 1
    let tookMs = 0
    const done = last.then(() => {
      waiting -= 1
      const startMs = performance.now()
      try {
        return work()
      } finally {
        tookMs = performance.now() - startMs
      }
    })
    const rest = () => sleep(tookMs)
    last = done.then(rest, rest)
    return done
  }
}
