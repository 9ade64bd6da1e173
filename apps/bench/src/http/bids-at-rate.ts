import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { percentile, type Sample } from '../measure/rows.ts'
import { token } from './server.ts'

/** A bid as it is sent to a server. */
type SentBid = {
  readonly origin: string
  readonly auctionId: number
  readonly bidderId: number
  readonly amount: number
}

/** Places bids at a fixed rate, whenever their responses come, over connections that are kept open. */
export async function bidAtRate(nextBid: () => SentBid, bidsPerSecond: number, seconds: number): Promise<Sample> {
  const agent = new Agent({ keepAlive: true })
  const startMs = performance.now()
  const tookMs: number[] = []
  let accepted = 0
  async function bid(_: unknown, index: number): Promise<void> {
    await sleep(Math.max(0, startMs + (index * 1000) / bidsPerSecond - performance.now()))
    const { origin, ...fields } = nextBid()
    const sentMs = performance.now()
    const status = await post(agent, `${origin}/api/Bids`, fields)
    tookMs.push(performance.now() - sentMs)
    if (status === 201) accepted += 1
    else if (status !== 409) throw new Error(`the response to a bid had the status ${status}`)
  }
  await Promise.all(Array.from({ length: Math.ceil(bidsPerSecond * seconds) }, bid)).finally(() => agent.destroy())
  const [perSecond, refusedPerSecond] = [accepted / seconds, (tookMs.length - accepted) / seconds]
  return { perSecond, refusedPerSecond, p50Ms: percentile(tookMs, 50), p99Ms: percentile(tookMs, 99) }
}

/** Posts JSON, and returns the status of the response. `fetch` costs several times the CPU time. */
function post(agent: Agent, url: string, fields: object): Promise<number | undefined> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    request(url, { method: 'POST', agent, headers }, (response) =>
      response.on('end', () => resolve(response.statusCode)).resume(),
    )
      .on('error', reject)
      .end(JSON.stringify(fields))
  })
}
