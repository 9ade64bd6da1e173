import { setTimeout } from 'node:timers/promises'
import { type AuctionId, toUserId } from '@auction/domain/ids'
import type { Attempt } from '@auction/testing/history'
import { bidOn, createRecorder } from '../support/recorder.ts'
import { permissions, reserveReader, tokenOf } from '../support/tokens.ts'
import type { HttpServer } from './http-server.ts'

/** Clients that create, bid, buy, cancel, read and list without pause, and all of their responses. */
export type Clients = {
  /** As many bids are accepted before a fault ends, so that appends are in flight. */
  readonly count: number
  readonly attempts: readonly Attempt[]
  /** Auctions that do not end. */
  readonly lasting: readonly AuctionId[]
  /** The responses that the OpenAPI document does not declare. */
  readonly breaches: readonly string[]
  /** Resolves when the server has accepted this many more bids. */
  accepted(server: HttpServer, count: number): Promise<void>
  /** Resolves when this many more bids have failed on the server, or with it. */
  failed(server: HttpServer, count: number): Promise<void>
  /** Lets the clients complete their current requests. */
  stop(): Promise<void>
  /** Lets `lastBidder` bid once on every auction that does not end, after the other clients have stopped. */
  bidLast(server: HttpServer): Promise<void>
  /** Reads every ended auction until it has its result. */
  awaitResults(server: HttpServer): Promise<void>
}

// The pause between two requests of a client. It limits the load, and so the amount of data that must be checked at the end.
const pauseMs = 100
const longAuctions = 4
const farAway = '2100-01-01T00:00:00Z'
/** Auctions of all formats, which end during faults: some exist from the start, so that a short run has them, too. */
const shortAuctions = 8
const shortestMs = 1_000
const longestMs = 8_000
const longestOvertimeMs = 4_000
/** Longer than any server takes for a request. */
const amplyMs = 600_000

/** A user who bids only by `bidLast`. */
export const lastBidder = 99

type Outcome = 'accepted' | 'failed'
type Waiting = { readonly server: HttpServer; readonly outcome: Outcome; count: number; readonly resolve: () => void }

export async function startClients(servers: readonly HttpServer[], count: number): Promise<Clients> {
  const recorder = createRecorder(tokenOf('client', { permissions: [...permissions, reserveReader] }))
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
    // Clients end by themselves only by failing.
    await Promise.race([promise, working])
  }

  const learn = (auctionId: AuctionId, least: number) =>
    leastNext.set(auctionId, Math.max(least, leastNext.get(auctionId) ?? 100))

  /** Sends a request with a new key until its outcome is known: each client has its server, and then tries the next one. */
  async function settle<Sent extends { readonly outcome: string }>(
    client: number,
    send: (server: HttpServer, key: string) => Promise<Sent>,
  ): Promise<void> {
    const key = `${client}-${requests++}`
    for (let tries = 0; ; tries++) {
      const { outcome } = await send(serverOf(client + tries), key)
      await setTimeout(pauseMs)
      if (outcome !== 'unknown' || isStopping) return
    }
  }

  const create = (client: number, auction: ReturnType<typeof longAuction>) =>
    settle(client, async (server, key) => {
      const response = await recorder.createAuction(server.url, auction, key)
      if (response.outcome === 'accepted') {
        const { id } = response.auction
        if (!open.includes(id)) open.push(id)
        if (auction.endTime !== farAway) ending.add(id)
      }
      return response
    })

  const bid = (client: number, auctionId: AuctionId, above: number, furtherUpTo?: number) =>
    settle(client, async (server, key) => {
      const amount = (leastNext.get(auctionId) ?? 100) + above
      const maximum = furtherUpTo === undefined ? undefined : amount + furtherUpTo
      const response = await recorder.placeBid(server.url, bidOn(auctionId, 100 + client, amount, maximum), key)
      if (response.outcome === 'accepted') {
        note(server, 'accepted')
        learn(auctionId, response.bid.amountMinor / 100 + 1)
      } else if (response.outcome === 'refused') {
        if (response.minimumNextBidMinor !== undefined) learn(auctionId, response.minimumNextBidMinor / 100)
        if (response.code === 'auction-ended' || response.code === 'auction-cancelled') close(auctionId)
        if (response.code === 'store-unavailable') note(server, 'failed')
      } else note(server, 'failed')
      return response
    })

  const buy = (client: number, auctionId: AuctionId) =>
    settle(client, ({ url }, key) => recorder.buyNow(url, { auctionId, buyerId: toUserId(100 + client) }, key))

  const cancel = (client: number, auctionId: AuctionId) =>
    settle(client, ({ url }, key) => recorder.cancelAuction(url, { auctionId, reason: `by client ${client}` }, key))

  function close(auctionId: AuctionId): void {
    const index = open.indexOf(auctionId)
    if (index >= 0) open.splice(index, 1)
  }

  async function work(client: number): Promise<void> {
    for (let number = client; !isStopping; number++) {
      const auctionId = open[number % open.length]
      if (auctionId === undefined || number % 40 === 0) await createShort(client, number)
      else if (number % 10 === 0) await look(client, number, auctionId)
      else if (number % 37 === 0 && ending.has(auctionId)) await buy(client, auctionId)
      else if (number % 61 === 0 && ending.has(auctionId)) await cancel(client, auctionId)
      else await bid(client, auctionId, number % 3, number % 5 < 2 ? number % 7 : undefined)
    }
  }

  async function look(client: number, number: number, auctionId: AuctionId): Promise<void> {
    const { url } = serverOf(client)
    if (number % 20 === 0) await recorder.readAuction(url, auctionId)
    else await recorder.listActive(url)
    await setTimeout(pauseMs)
  }

  const createShort = (client: number, number: number) => {
    const lifeMs = shortestMs + ((number * 977) % (longestMs - shortestMs))
    return create(client, shortAuction(Date.now() + lifeMs, number))
  }

  /** Buys one auction, cancels one, and extends one, so that even a short run has every format. */
  async function showFormats(): Promise<void> {
    for (const number of [1, 2]) await create(0, shortAuction(Date.now() + amplyMs, number))
    await create(0, alwaysExtended(Date.now() + longestMs))
    const [bought, cancelled, extended] = open.slice(-3)
    if (bought === undefined || cancelled === undefined || extended === undefined) {
      throw new RangeError('the auctions were created')
    }
    await buy(1, bought)
    await cancel(1, cancelled)
    // The maximum of the first bid replies to the second.
    await bid(1, extended, 0, 20)
    await bid(2, extended, 0)
  }

  for (let number = 0; number < longAuctions; number++) await create(0, longAuction(number))
  const lasting = [...open]
  await showFormats()
  for (let number = 1; number <= shortAuctions; number++) await createShort(0, number)
  const working = Promise.all(Array.from({ length: count }, (_, index) => work(index + 1)))
  return {
    count,
    attempts: recorder.attempts,
    breaches: recorder.breaches,
    lasting,
    accepted: (server, wanted) => enough(server, 'accepted', wanted),
    failed: (server, wanted) => enough(server, 'failed', wanted),
    async stop() {
      isStopping = true
      await working
    },
    async bidLast({ url }) {
      for (const auctionId of lasting) {
        for (let isAccepted = false; !isAccepted; ) {
          const amount = leastNext.get(auctionId) ?? 100
          const response = await recorder.placeBid(
            url,
            bidOn(auctionId, lastBidder, amount),
            `last-${auctionId}-${amount}`,
          )
          isAccepted = response.outcome === 'accepted'
          if (response.outcome === 'refused') learn(auctionId, (response.minimumNextBidMinor ?? 0) / 100)
        }
      }
    },
    async awaitResults({ url }) {
      for (const auctionId of ending) {
        for (;;) {
          const response = await recorder.readAuction(url, auctionId)
          if (response.outcome === 'read' && response.auction.result !== undefined) break
          await setTimeout(pauseMs)
        }
      }
    },
  }
}

const plainAuction = (endTime: string) => ({
  productId: 7,
  ownerId: 1,
  startingPrice: 100,
  minimumBidIncrement: 1,
  currency: 'USD',
  startTime: '2020-01-01T00:00:00Z',
  endTime,
})

/** Some of the open auctions are plain, and some have a reserve that maximums reach. */
const longAuction = (number: number) => ({
  ...plainAuction(farAway),
  ...(number % 2 === 0 && { reservePrice: 150, buyNowPrice: 1_000_000 }),
})

/** An auction of all formats: bids extend it for some seconds, and every operation is tried near the reserve. */
const shortAuction = (endMs: number, number: number) => ({
  ...plainAuction(new Date(endMs).toISOString()),
  softClose: {
    windowSeconds: 1,
    extensionSeconds: 1 + (number % 2),
    latestEndTime: new Date(endMs + longestOvertimeMs).toISOString(),
  },
  reservePrice: 100 + 10 * (number % 4),
  buyNowPrice: 140,
  cancellableUntilEnd: number % 3 > 0,
})

/** An auction whose end every bid moves. */
const alwaysExtended = (endMs: number) => {
  const auction = shortAuction(endMs, 4)
  return { ...auction, softClose: { ...auction.softClose, windowSeconds: 3_600, extensionSeconds: 3_600 } }
}
