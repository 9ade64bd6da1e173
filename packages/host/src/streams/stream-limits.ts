import type { FastifyRequest } from 'fastify'
import type { Problem } from '../responses/problem.ts'
import type { Result } from '../result.ts'
import { callerOf, isAnonymous } from '../security/callers.ts'
import { clientAddress, type PeerAddress } from '../server/requests.ts'
import { longestRetryMs } from './open-stream.ts'

export type StreamLimits = {
  readonly maxStreams: number
  readonly maxStreamsPerCaller: number
  readonly maxStreamsPerAddress: number
  /** The address that a connection counts for, if any. */
  readonly addressOf: PeerAddress
}

/** Limits the number of streams in total, per caller and per address. */
export function createStreamLimiter({
  maxStreams,
  maxStreamsPerCaller,
  maxStreamsPerAddress,
  addressOf,
}: StreamLimits) {
  const ofCallers = createCounter(maxStreamsPerCaller)
  const ofAddresses = createCounter(maxStreamsPerAddress)
  let total = 0

  function refusal(caller: string, address: string | undefined): Problem | undefined {
    if (ofCallers.isFull(caller)) return tooMany(maxStreamsPerCaller)
    if (ofAddresses.isFull(address)) return tooMany(maxStreamsPerAddress)
    if (total < maxStreams) return undefined
    return { code: 'overloaded', message: 'This server has reached its limit of open streams; try again later.' }
  }

  return {
    /**
     * Counts a stream for the caller of the request and for the address of its connection, until the returned function
     * is called; or returns the problem that prevents the stream. An anonymous caller is identified by its address.
     */
    acquire(request: FastifyRequest): Result<() => void, Problem> {
      const caller = isAnonymous(request) ? clientAddress(request) : callerOf(request).key
      const address = addressOf(request.socket)
      const problem = refusal(caller, address)
      if (problem !== undefined) return { ok: false, refusal: problem }
      const count = (change: 1 | -1) => {
        total += change
        ofCallers.add(caller, change)
        ofAddresses.add(address, change)
      }
      count(1)
      return { ok: true, value: () => count(-1) }
    },
  }
}

/** Counts how often each key is in use, up to `max` times. */
function createCounter(max: number) {
  const counts = new Map<string, number>()
  return {
    isFull: (key: string | undefined): boolean => key !== undefined && (counts.get(key) ?? 0) >= max,
    add(key: string | undefined, change: 1 | -1): void {
      if (key === undefined) return
      const count = (counts.get(key) ?? 0) + change
      if (count > 0) counts.set(key, count)
      else counts.delete(key)
    },
  }
}

/** The problem of a caller or an address with as many streams as it may have. */
const tooMany = (max: number): Problem => ({
  code: 'rate-limited',
  message: `The limit of ${max} open streams is reached; close one and try again.`,
  headers: { 'retry-after': String(longestRetryMs / 1000) },
})
