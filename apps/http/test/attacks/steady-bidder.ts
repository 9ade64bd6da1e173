import { Agent, request } from 'node:http'
import { startServerProcess } from '../support/server-process.ts'
import { secret } from '../support/tokens.ts'

/** Bids that one client places one after the other, and the response time of each. */
export type SteadyBidder = {
  /** Stops, and returns the response time of each bid, in milliseconds. */
  stop(): Promise<readonly number[]>
}

export type BidderParts = {
  readonly url: string
  readonly token: string
  readonly auctionId: number
  /** The first amount. */
  readonly amount: number
}

/** The interval between bids: short enough for a useful 99th percentile, and long enough to add almost no load. */
const everyMs = 10
/** The difference between consecutive bids. */
const increment = 5

/** Starts to bid. Each bid must be accepted. */
export function startBidder({ url, token, auctionId, amount }: BidderParts): SteadyBidder {
  const agent = new Agent({ keepAlive: true })
  const waited: number[] = []
  let isOver = false

  async function bidAgainAndAgain(): Promise<void> {
    for (let next = amount; !isOver; next += increment) {
      const startMs = performance.now()
      const status = await place(JSON.stringify({ auctionId, bidderId: 2, amount: next }))
      if (status !== 201) throw new Error(`a bid returned ${status}`)
      waited.push(performance.now() - startMs)
      await new Promise((resolve) => setTimeout(resolve, everyMs))
    }
  }

  const place = (body: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const sent = request(`${url}/api/Bids`, { method: 'POST', agent, headers }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode))
      })
      sent.on('error', reject).end(body)
    })

  const bidding = bidAgainAndAgain()
  bidding.catch(() => undefined) // `stop` reports the error.
  return {
    async stop() {
      isOver = true
      await bidding
      agent.destroy()
      return waited
    },
  }
}

/** The number of bids, and the maximum response time of half of them, of 99 %, and of all. */
export function inWords(waited: readonly number[]): string {
  const sorted = waited.toSorted((a, b) => a - b)
  const [p50, p99, longest] = [0.5, 0.99, 1].map((part) => sorted[Math.ceil(sorted.length * part) - 1]?.toFixed(0))
  return `${waited.length} bids had a response within ${p50} ms (p50), ${p99} ms (p99), ${longest} ms (all)`
}

/**
 * A server on a file, with the heap of a container of 512 MB, and no rate limit. The attacker and the other clients share one
 * address, which has no connection limit either: in production, other clients have other addresses.
 */
export const startSmallServer = (file: string): ReturnType<typeof startServerProcess> =>
  startServerProcess({
    JWT_SECRET: secret,
    MAX_CONNECTIONS_PER_ADDRESS: '1000',
    NODE_ENV: 'production',
    NODE_OPTIONS: '--max-old-space-size=256',
    RATE_LIMIT_MAX: '1000000',
    SQLITE_FILE: file,
  })
