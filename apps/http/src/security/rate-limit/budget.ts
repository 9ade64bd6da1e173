import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Problem } from '../../answers/problem.ts'
import { createRequestCounts, type RequestCount } from './request-counts.ts'

/** How many requests may be made in a window. */
export type Allowance = {
  /** Its name in the headers. */
  readonly name: string
  readonly max: number
  readonly windowSeconds: number
  /** Who makes a request: each has a budget of its own. */
  readonly keyOf: (request: FastifyRequest) => string
  /** What was too many, for people: "More than 60 ...". */
  readonly limit: string
}

/** An allowance, with what this server knows of its use. */
export type Budget = Allowance & {
  /** Whether the next request under a key is one too many. */
  isUsedUp(key: string): boolean
  /** Counts a request, tells of it in the answer's headers, and returns the 429 if it is one too many. */
  spend(key: string, reply: FastifyReply): Problem | undefined
  /** The same when it was counted elsewhere: it is the n-th, in a window that ends in so many milliseconds. */
  follow(key: string, requests: number, endsInMs: number, reply: FastifyReply): Problem | undefined
}

/** The headers are those of draft-ietf-httpapi-ratelimit-headers-10. */
export function createBudget(allowance: Allowance): Budget {
  const { name, max, windowSeconds, limit } = allowance
  const windowMs = windowSeconds * 1000
  const policy = `"${name}";q=${max};w=${windowSeconds}`
  const counts = createRequestCounts(windowMs)

  function tell({ requests, startMs }: Readonly<RequestCount>, nowMs: number, reply: FastifyReply) {
    const seconds = Math.ceil((startMs + windowMs - nowMs) / 1000)
    const remaining = requests < max ? max - requests : 0
    reply.header('ratelimit-policy', policy).header('ratelimit', `"${name}";r=${remaining};t=${seconds}`)
    return requests > max ? tooMany(seconds) : undefined
  }

  const tooMany = (seconds: number): Problem => ({
    code: 'rate-limited',
    message: `${limit} in ${windowSeconds} s; there will be room again in ${seconds} s.`,
    headers: { 'retry-after': String(seconds) },
  })

  return {
    ...allowance,
    isUsedUp(key) {
      const count = counts.find(key, Date.now())
      return count !== undefined && count.requests >= max
    },
    spend(key, reply) {
      const nowMs = Date.now()
      return tell(counts.add(key, nowMs), nowMs, reply)
    },
    follow(key, requests, endsInMs, reply) {
      const nowMs = Date.now()
      const leftMs = Math.min(Math.max(endsInMs, 1), windowMs)
      return tell(counts.replace(key, requests, nowMs + leftMs - windowMs), nowMs, reply)
    },
  }
}
