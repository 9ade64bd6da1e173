import { setTimeout } from 'node:timers/promises'
import type { Auction } from '@auction/domain/auction'
import type { NewBid } from '@auction/domain/bid'
import { parseMoment } from '@auction/domain/moment'
import type { AmountMinor } from '@auction/domain/money'
import { CurrencyCode, toMinor } from '@auction/domain/money'
import type { BidAnswer, BidAttempt } from '@auction/domain/testing/check-history'
import * as v from 'valibot'
import { tokenOf } from '../support/tokens.ts'
import type { HttpServer } from './http-server.ts'

/** Clients that bid without pause, and all that they were told. */
export type Clients = {
  readonly attempts: readonly BidAttempt[]
  /** Resolves when the server has accepted so many bids more. */
  accepted(server: HttpServer, count: number): Promise<void>
  /** Lets the clients finish what they are at. */
  stop(): Promise<void>
}

// Between two requests of a client. It keeps the load, and so what is stored in the end, to what can be checked.
const pauseMs = 20

type Waiting = { readonly server: HttpServer; count: number; readonly resolve: () => void }

export function startClients(servers: readonly HttpServer[], auctions: readonly Auction[], count: number): Clients {
  const attempts: BidAttempt[] = []
  const leastNext = new Map(auctions.map(({ id }) => [id, 100]))
  let waiting: Waiting[] = []
  let isStopping = false

  function noteAccepted(server: HttpServer): void {
    for (const entry of waiting) if (entry.server === server) entry.count -= 1
    for (const { resolve } of waiting.filter((entry) => entry.count <= 0)) resolve()
    waiting = waiting.filter((entry) => entry.count > 0)
  }

  async function attempt(server: HttpServer, bid: NewBid, key: string | undefined): Promise<BidAnswer> {
    const sentAtMs = performance.now()
    const answer = await send(server, bid, key)
    attempts.push({ bid, ...(key !== undefined && { key }), sentAtMs, answeredAtMs: performance.now(), answer })
    if (answer.outcome === 'accepted') {
      noteAccepted(server)
      learn(bid.auctionId, bid.amount + 1)
    }
    if (answer.outcome === 'refused' && answer.minimumNextBidMinor !== undefined) {
      learn(bid.auctionId, answer.minimumNextBidMinor / 100)
    }
    return answer
  }

  function learn(auctionId: NewBid['auctionId'], least: number): void {
    leastNext.set(auctionId, Math.max(least, leastNext.get(auctionId) ?? 0))
  }

  /** Every other bid has a key, and is sent again, to whichever server, until its outcome is known. */
  async function bidRepeatedly(client: number): Promise<void> {
    for (let number = client; !isStopping; number++) {
      const auction = auctions[number % auctions.length]
      if (auction === undefined) return
      const amount = (leastNext.get(auction.id) ?? 0) + (number % 3)
      const bid = { auctionId: auction.id, bidderId: 100 + client, amount } as NewBid // Ids and amounts in bounds.
      const key = number % 2 === 0 ? `${client}-${number}` : undefined
      for (let tries = 0; ; tries++) {
        // Each client has its own server, and asks the next one when it does not know.
        const server = servers[(client + tries) % servers.length]
        if (server === undefined) return
        const { outcome } = await attempt(server, bid, key)
        await setTimeout(pauseMs)
        if (outcome !== 'unknown' || key === undefined || isStopping) break
      }
    }
  }

  const clients = Promise.all(Array.from({ length: count }, (_, index) => bidRepeatedly(index + 1)))
  return {
    attempts,
    async accepted(server, wanted) {
      const enough = new Promise<void>((resolve) => {
        waiting.push({ server, count: wanted, resolve })
      })
      // Clients end on their own only by failing.
      await Promise.race([enough, clients])
    },
    async stop() {
      isStopping = true
      await clients
    },
  }
}

const usd = v.parse(CurrencyCode, 'USD')
const usdMinor = (amount: number): AmountMinor => {
  const minor = toMinor(amount, usd)
  if (minor === undefined) throw new Error(`the server answered an amount that is none in USD: ${amount}`)
  return minor
}

const authorization = `Bearer ${tokenOf('client')}`

async function send(server: HttpServer, bid: NewBid, key: string | undefined): Promise<BidAnswer> {
  let response: Response
  let body: unknown
  try {
    response = await fetch(`${server.url}/api/Bids`, {
      method: 'POST',
      headers: {
        authorization,
        'content-type': 'application/json',
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      body: JSON.stringify(bid),
      // A server that is gone without a word is the client's to give up.
      signal: AbortSignal.timeout(30_000),
    })
    body = await response.json()
  } catch {
    return { outcome: 'unknown' } // The connection broke, or was never made.
  }
  return answerOf(response.status, body)
}

/** What the API answers, read without trust: a form that is not expected fails the test. */
// biome-ignore lint/suspicious/noExplicitAny: any JSON may come; each member that is used is checked by its use.
function answerOf(status: number, body: any): BidAnswer {
  if (status === 201) {
    const { id, auctionId, bidderId, amount, timestamp } = body.data
    const timestampMs = parseMoment(timestamp)?.epochMs ?? Number.NaN
    return { outcome: 'accepted', bid: { id, auctionId, bidderId, amountMinor: usdMinor(amount), timestampMs } }
  }
  if (status === 503 && /unknown/.test(body.message)) return { outcome: 'unknown' }
  if (status >= 500 && status !== 503) throw new Error(`an answer that must not be: ${status} ${JSON.stringify(body)}`)
  const { code, currentPrice, minimumNextBid } = body
  if (code !== 'bid-too-low') return { outcome: 'refused', code }
  return {
    outcome: 'refused',
    code,
    currentPriceMinor: usdMinor(currentPrice),
    minimumNextBidMinor: usdMinor(minimumNextBid),
  }
}
