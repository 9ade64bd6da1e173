import { Agent, request } from 'node:http'

/** Bids that one client places one after the other, and how long each waited for its answer. */
export type SteadyBidder = {
  /** Stops, and returns how long each bid waited for its answer, in milliseconds. */
  stop(): Promise<readonly number[]>
}

export type BidderParts = {
  readonly url: string
  readonly token: string
  readonly auctionId: number
  /** The first amount. */
  readonly amount: number
}

/** A bid every so often: so many that their slowest hundredth says something, and so few that they load nothing. */
const everyMs = 10
/** By how much each bid beats the one before. */
const increment = 5

/** Starts to bid. Each bid has to be accepted. */
export function startBidder({ url, token, auctionId, amount }: BidderParts): SteadyBidder {
  const agent = new Agent({ keepAlive: true })
  const waited: number[] = []
  let isOver = false

  async function bidAgainAndAgain(): Promise<void> {
    for (let next = amount; !isOver; next += increment) {
      const startMs = performance.now()
      const status = await place(JSON.stringify({ auctionId, bidderId: 2, amount: next }))
      if (status !== 201) throw new Error(`a bid was answered ${status}`)
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
  bidding.catch(() => undefined) // Whoever stops it hears of it.
  return {
    async stop() {
      isOver = true
      await bidding
      agent.destroy()
      return waited
    },
  }
}

/** How many bids there were, and what they waited at the most: half of them, 99 % of them, and all. */
export function inWords(waited: readonly number[]): string {
  const sorted = waited.toSorted((a, b) => a - b)
  const [p50, p99, longest] = [0.5, 0.99, 1].map((part) => sorted[Math.ceil(sorted.length * part) - 1]?.toFixed(0))
  return `${waited.length} bids were answered within ${p50} ms (p50), ${p99} ms (p99), ${longest} ms (all)`
}
