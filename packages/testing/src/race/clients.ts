import type { AuctionService } from '@auction/domain'
import type { AuctionView, ListedAuction } from '@auction/domain/auction'
import { isStoreUnavailable } from '@auction/domain/errors'
import { type AuctionId, toUserId, type UserId } from '@auction/domain/ids'
import { isoOf, momentAt } from '@auction/domain/moment'
import type { RetryKey } from '@auction/domain/request-key'
import type { Result } from '@auction/domain/result'
import type { Attempt, Refused, SeenAuction, Unknown, WantedRepair } from '../history.ts'
import {
  sampleCancellation,
  sampleNewAuction,
  sampleNewBid,
  samplePurchase,
  sampleReserveReduction,
  sendRepair,
} from '../samples.ts'
import { wait } from './timers.ts'

/** The clients of several services on one store, and what they have seen so far. */
export type Clients = {
  readonly attempts: readonly Attempt[]
  /** The number of bids that each service has accepted. */
  readonly accepted: readonly number[]
  /** Whether a client has met an error that is not of the store; `stop` throws it. */
  isBroken(): boolean
  /** Stops all clients; resolves when their last requests have ended. @throws an error that is not of the store */
  stop(): Promise<void>
}

/**
 * The life of an auction, in milliseconds: some end while the store is unavailable, and others are open until the end.
 */
const [shortMs, longMs] = [400, 3_600_000] as const
export const pauseMs = 2
/** A client keeps sending a request without a response this often, so that an end without a store ends, too. */
const maxTries = 2_000

/** What the clients know. */
export type Knowledge = {
  readonly attempts: Attempt[]
  readonly accepted: number[]
  readonly open: AuctionId[]
  /** The lowest next bids, in the major unit. */
  readonly leastNext: Map<AuctionId, number>
  readonly lastBidders: Map<AuctionId, UserId>
}

export const newKnowledge = (services: readonly AuctionService[]): Knowledge => ({
  attempts: [],
  accepted: services.map(() => 0),
  open: [],
  leastNext: new Map(),
  lastBidders: new Map(),
})

/** Sends a request under a key to a service, and records the attempt. */
export type Request = (service: AuctionService, retry: RetryKey, index: number) => Promise<{ readonly outcome: string }>

/** Sends a request with a new key until its outcome is known, to one service after another. */
type Settle = (client: number, send: Request) => Promise<void>

/** @param isStopping whether requests with an unknown outcome are left so */
export function createSettle(services: readonly AuctionService[], caller: string, isStopping: () => boolean): Settle {
  let requests = 0
  return async (client, send) => {
    const retry = { caller, key: `${client}-${requests++}` }
    for (let tries = 0; tries < maxTries; tries++) {
      const index = (client + tries) % services.length
      const service = services[index]
      if (service === undefined) throw new RangeError('a race needs a service')
      const { outcome } = await send(service, retry, index)
      await wait(pauseMs)
      if (outcome !== 'unknown' || isStopping()) return
    }
  }
}

export function startClients(services: readonly AuctionService[], count: number): Clients {
  const known = newKnowledge(services)
  const { attempts, accepted, open } = known
  let isStopping = false
  const settle = createSettle(services, 'client', () => isStopping)

  function nextRequest(client: number, number: number): Request {
    const auctionId = open[(number * 7) % open.length]
    if (auctionId === undefined || number % 30 === 0) return creation(known, number % 60 === 0 ? longMs : shortMs)
    if (number % 10 === 0) return reading(known, auctionId)
    if (number % 37 === 0) return purchase(known, client, auctionId)
    if (number % 61 === 0) return cancellation(known, client, auctionId)
    if (number % 13 === 0) return repair(known, wantedRepair(known, auctionId, number))
    return bidding(known, client, auctionId, number % 3, number % 5 === 0 ? number % 7 : undefined)
  }

  async function work(client: number): Promise<void> {
    for (let number = client; !isStopping; number++) await settle(client, nextRequest(client, number))
  }

  const working = Promise.all(Array.from({ length: count }, (_, index) => work(index + 1)))
  let isBroken = false
  working.catch(() => {
    isBroken = true
  })
  return {
    attempts,
    accepted,
    isBroken: () => isBroken,
    async stop() {
      isStopping = true
      await working
    },
  }
}

function creation({ attempts, open }: Knowledge, lifeMs: number): Request {
  const nowMs = Date.now()
  const auction = sampleNewAuction({
    startTime: isoOf(nowMs - 1_000),
    endTime: isoOf(nowMs + lifeMs),
    minimumBidIncrement: 1,
    reservePrice: 120,
    buyNowPrice: 100_000,
  })
  return async (service, retry) => {
    const sentAtMs = Date.now()
    const response = await responseOf(service.createAuction(auction, retry), (made) => ({ auction: made }), 'accepted')
    attempts.push({ type: 'create-auction', auction, key: retry.key, ...until(sentAtMs), response })
    if (response.outcome === 'accepted' && !open.includes(response.auction.id)) open.push(response.auction.id)
    return response
  }
}

export function bidding(
  known: Knowledge,
  client: number,
  auctionId: AuctionId,
  above: number,
  further?: number,
): Request {
  const { attempts, accepted, open, leastNext, lastBidders } = known
  const learn = (minor = 0) =>
    leastNext.set(auctionId, Math.max(Math.ceil(minor / 100), leastNext.get(auctionId) ?? 100))
  const amount = (leastNext.get(auctionId) ?? 100) + above
  const maximum = further === undefined ? {} : { maximumAmount: amount + further }
  const bid = sampleNewBid({ auctionId, bidderId: 100 + client, amount, ...maximum })
  return async (service, retry, index) => {
    const sentAtMs = Date.now()
    const response = await responseOf(service.placeBid(bid, retry), (placed) => ({ bid: placed }), 'accepted')
    attempts.push({ type: 'place-bid', bid, key: retry.key, ...until(sentAtMs), response })
    if (response.outcome === 'accepted') {
      accepted[index] = (accepted[index] ?? 0) + 1
      lastBidders.set(auctionId, bid.bidderId)
      learn(response.bid.amountMinor + 1_00)
    } else if (response.outcome === 'refused') {
      learn(response.minimumNextBidMinor)
      const isOver = response.code === 'auction-ended' || response.code === 'auction-cancelled'
      if (isOver && open.includes(auctionId)) open.splice(open.indexOf(auctionId), 1)
    }
    return response
  }
}

const purchase =
  ({ attempts }: Knowledge, client: number, auctionId: AuctionId): Request =>
  async (service, retry) => {
    const buyer = samplePurchase(100 + client)
    const sentAtMs = Date.now()
    const response = await responseOf(service.buyNow({ auctionId, purchase: buyer }, retry), asSeen, 'accepted')
    const sent = { ...buyer, auctionId }
    attempts.push({ type: 'buy-now', purchase: sent, key: retry.key, ...until(sentAtMs), response })
    return response
  }

const cancellation =
  ({ attempts }: Knowledge, client: number, auctionId: AuctionId): Request =>
  async (service, retry) => {
    const reason = sampleCancellation(`by client ${client}`)
    const sentAtMs = Date.now()
    const response = await responseOf(
      service.cancelAuction({ auctionId, cancellation: reason }, retry),
      asSeen,
      'accepted',
    )
    const sent = { ...reason, auctionId }
    attempts.push({ type: 'cancel-auction', cancellation: sent, key: retry.key, ...until(sentAtMs), response })
    return response
  }

/** Staff mostly withdraw bidders, which changes the most. */
function wantedRepair({ lastBidders }: Knowledge, auctionId: AuctionId, number: number): WantedRepair {
  const common = { auctionId, editor: 'staff', reason: `repair ${number}` }
  const kind = number % 7
  if (kind === 0) return { type: 'extend-auction', repair: { ...common, endTime: momentAt(Date.now() + longMs) } }
  if (kind === 1) return { type: 'end-auction', repair: common }
  if (kind === 2) {
    const { reservePrice } = sampleReserveReduction(number % 120)
    return { type: 'lower-reserve', repair: { ...common, reservePrice } }
  }
  const bidderId = lastBidders.get(auctionId) ?? toUserId(101)
  // Most clients are never blocked, so that bids go on.
  const blocking = bidderId > 109 ? { isBlocked: true as const } : {}
  return { type: 'withdraw-bidder', repair: { ...common, bidderId, ...blocking } }
}

const repair =
  ({ attempts }: Knowledge, wanted: WantedRepair): Request =>
  async (service, retry) => {
    const sentAtMs = Date.now()
    const response = await responseOf(sendRepair(service, wanted, retry), asSeen, 'accepted')
    attempts.push({ ...wanted, key: retry.key, ...until(sentAtMs), response })
    return response
  }

const reading =
  ({ attempts }: Knowledge, auctionId: AuctionId): Request =>
  async (service) => {
    const sentAtMs = Date.now()
    const response = await responseOf(service.readAuction(auctionId), asSeen, 'read')
    attempts.push({ type: 'read-auction', auctionId, ...until(sentAtMs), response })
    return response
  }

const until = (sentAtMs: number) => ({ sentAtMs, respondedAtMs: Date.now() })

const asSeen = (view: AuctionView<ListedAuction>) => ({ auction: seenOf(view) })

const seenOf = ({ auction, effectiveEndTime, ...view }: AuctionView<ListedAuction>): SeenAuction => ({
  ...view,
  id: auction.id,
  title: auction.title,
  metadata: auction.metadata,
  effectiveEndMs: effectiveEndTime.epochMs,
})

/** What a client knows after a call: nothing, if the store failed and the outcome is unknown. */
export async function responseOf<Value, Shown, Outcome extends string>(
  call: Promise<Result<Value, Omit<Refused, 'outcome'>>>,
  show: (value: Value) => Shown,
  outcome: Outcome,
): Promise<({ readonly outcome: Outcome } & Shown) | Refused | Unknown> {
  try {
    const result = await call
    return result.ok ? { ...show(result.value), outcome } : { ...result.refusal, outcome: 'refused' }
  } catch (error) {
    if (!isStoreUnavailable(error)) throw error
    return error.outcome === 'unknown' ? { outcome: 'unknown' } : { outcome: 'refused', code: 'store-unavailable' }
  }
}
