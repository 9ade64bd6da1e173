import { setTimeout } from 'node:timers/promises'
import type { AuctionId } from '@auction/domain/ids'
import type { Attempt } from '@auction/domain/testing/history'
import { bidOn, createRecorder } from '../support/recorder.ts'
import { tokenOf } from '../support/tokens.ts'
import type { HttpServer } from './http-server.ts'

/** Clients that create, bid and read without pause, and all that they were told. */
export type Clients = {
  readonly attempts: readonly Attempt[]
  /** What of the answers is not as the OpenAPI document declares. */
  readonly breaches: readonly string[]
  /** Resolves when the server has accepted so many bids more. */
  accepted(server: HttpServer, count: number): Promise<void>
  /** Resolves when so many bids more have failed on the server, or with it. */
  failed(server: HttpServer, count: number): Promise<void>
  /** Lets the clients finish what they are at. */
  stop(): Promise<void>
  /** Reads every auction that has ended until it has its result. */
  awaitResults(server: HttpServer): Promise<void>
}

// Between two requests of a client. It keeps the load, and so what is stored in the end, to what can be checked.
const pauseMs = 50
const longAuctions = 4
const farAway = '2100-01-01T00:00:00Z'
/** Auctions that end in the midst of faults: some are there from the start, however soon the story is over. */
const shortAuctions = 6
const shortestMs = 1_000
const longestMs = 8_000

type Outcome = 'accepted' | 'failed'
type Waiting = { readonly server: HttpServer; readonly outcome: Outcome; count: number; readonly resolve: () => void }

export async function startClients(servers: readonly HttpServer[], count: number): Promise<Clients> {
  const recorder = createRecorder(tokenOf('client'))
  const leastNext = new Map<AuctionId, number>()
  const open: AuctionId[] = []
  const ending = new Set<AuctionId>()
  let waiting: Waiting[] = []
  let isStopping = false
  let requests = 0

  const serverOf = (number: number): HttpServer => {
    const server = servers[number % servers.length]
    if (server === undefined) throw new RangeError('there are servers')
    return server
  }

  function note(server: HttpServer, outcome: Outcome): void {
    for (const entry of waiting) if (entry.server === server && entry.outcome === outcome) entry.count -= 1
    for (const { resolve } of waiting.filter((entry) => entry.count <= 0)) resolve()
    waiting = waiting.filter((entry) => entry.count > 0)
  }

  async function enough(server: HttpServer, outcome: Outcome, count: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.push({ server, outcome, count, resolve })
    // Clients end on their own only by failing.
    await Promise.race([promise, working])
  }

  const learn = (auctionId: AuctionId, least: number) =>
    leastNext.set(auctionId, Math.max(least, leastNext.get(auctionId) ?? 100))

  /** Sends a request with a key of its own until its outcome is known: each client has its server, and asks the next one then. */
  async function settle<Answer extends { readonly outcome: string }>(
    client: number,
    send: (server: HttpServer, key: string) => Promise<Answer>,
  ): Promise<void> {
    const key = `${client}-${requests++}`
    for (let tries = 0; ; tries++) {
      const { outcome } = await send(serverOf(client + tries), key)
      await setTimeout(pauseMs)
      if (outcome !== 'unknown' || isStopping) return
    }
  }

  const create = (client: number, endTime: string) =>
    settle(client, async (server, key) => {
      const answer = await recorder.createAuction(server.url, storyAuction(endTime), key)
      if (answer.outcome === 'accepted') {
        const { id } = answer.auction
        if (!open.includes(id)) open.push(id)
        if (endTime !== farAway) ending.add(id)
      }
      return answer
    })

  const bid = (client: number, auctionId: AuctionId, above: number) =>
    settle(client, async (server, key) => {
      const amount = (leastNext.get(auctionId) ?? 100) + above
      const answer = await recorder.placeBid(server.url, bidOn(auctionId, 100 + client, amount), key)
      if (answer.outcome === 'accepted') {
        note(server, 'accepted')
        learn(auctionId, answer.bid.amountMinor / 100 + 1)
      } else if (answer.outcome === 'refused') {
        if (answer.minimumNextBidMinor !== undefined) learn(auctionId, answer.minimumNextBidMinor / 100)
        if (answer.code === 'auction-ended') close(auctionId)
        if (answer.code === 'store-unavailable') note(server, 'failed')
      } else note(server, 'failed')
      return answer
    })

  function close(auctionId: AuctionId): void {
    const index = open.indexOf(auctionId)
    if (index >= 0) open.splice(index, 1)
  }

  async function work(client: number): Promise<void> {
    for (let number = client; !isStopping; number++) {
      const auctionId = open[number % open.length]
      if (auctionId === undefined || number % 40 === 0) await createShort(client, number)
      else if (number % 10 === 0) {
        await recorder.readAuction(serverOf(client).url, auctionId)
        await setTimeout(pauseMs)
      } else await bid(client, auctionId, number % 3)
    }
  }

  const createShort = (client: number, number: number) => {
    const lifeMs = shortestMs + ((number * 977) % (longestMs - shortestMs))
    return create(client, new Date(Date.now() + lifeMs).toISOString())
  }

  for (let number = 0; number < longAuctions; number++) await create(0, farAway)
  for (let number = 1; number <= shortAuctions; number++) await createShort(0, number)
  const working = Promise.all(Array.from({ length: count }, (_, index) => work(index + 1)))
  return {
    attempts: recorder.attempts,
    breaches: recorder.breaches,
    accepted: (server, wanted) => enough(server, 'accepted', wanted),
    failed: (server, wanted) => enough(server, 'failed', wanted),
    async stop() {
      isStopping = true
      await working
    },
    async awaitResults({ url }) {
      for (const auctionId of ending) {
        for (;;) {
          const answer = await recorder.readAuction(url, auctionId)
          if (answer.outcome === 'read' && answer.auction.result !== undefined) break
          await setTimeout(pauseMs)
        }
      }
    },
  }
}

const storyAuction = (endTime: string) => ({
  productId: 7,
  ownerId: 1,
  startingPrice: 100,
  minimumBidIncrement: 1,
  currency: 'USD',
  startTime: '2020-01-01T00:00:00Z',
  endTime,
})
