import type { AuctionResult, NewBid } from '@auction/domain/auction'
import { type AuctionId, toAuctionId, toBidId, toUserId } from '@auction/domain/ids'
import { toMoment } from '@auction/domain/moment'
import { type AmountMinor, exactMinor, toCurrency } from '@auction/domain/money'
import { parseNewAuction, parseNewBid } from '@auction/domain/parsing'
import { unwrap } from '@auction/domain/result'
import type {
  Attempt,
  CancellationOf,
  PurchaseOf,
  Refused,
  SeenAuction,
  SeenBid,
  SeenTerms,
  Unknown,
} from '@auction/testing/history'
import { breachesOf } from '../contract/breaches.ts'

type AttemptOf<Type extends Attempt['type']> = Extract<Attempt, { readonly type: Type }>

/** Sends requests to servers and records the responses for the history checker. All money is in USD. */
export type Recorder = {
  readonly attempts: readonly Attempt[]
  /** The responses that the OpenAPI document does not declare. */
  readonly breaches: readonly string[]
  createAuction(url: string, fields: object, key?: string): Promise<AttemptOf<'create-auction'>['response']>
  placeBid(url: string, bid: NewBid, key?: string): Promise<AttemptOf<'place-bid'>['response']>
  buyNow(url: string, purchase: PurchaseOf, key?: string): Promise<AttemptOf<'buy-now'>['response']>
  cancelAuction(
    url: string,
    cancellation: CancellationOf,
    key?: string,
  ): Promise<AttemptOf<'cancel-auction'>['response']>
  readAuction(url: string, auctionId: AuctionId): Promise<AttemptOf<'read-auction'>['response']>
  /** The first page of open auctions, the earliest end first. */
  listActive(url: string): Promise<AttemptOf<'list-auctions'>['response']>
}

/** A server that disappears silently must be handled by the client. */
const timeoutMs = 30_000

export function createRecorder(token: string): Recorder {
  const attempts: Attempt[] = []
  const breaches: string[] = []

  async function send(url: string, path: string, body?: object, key?: string): Promise<Received> {
    try {
      const method = body === undefined ? 'GET' : 'POST'
      const response = await fetch(`${url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body && { 'content-type': 'application/json' }),
          ...(key !== undefined && { 'idempotency-key': key }),
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(timeoutMs),
      })
      const { status, headers } = response
      const text = await response.text()
      for (const breach of breachesOf({ method, path, status, headers, text })) {
        breaches.push(`${method} ${path}, ${status}: ${breach}`)
      }
      return { status, body: JSON.parse(text) }
    } catch {
      return undefined // The connection failed.
    }
  }

  /** Sends a request, and records the attempt with its response. */
  async function record<Recorded extends Attempt>(
    what: Omit<Recorded, 'sentAtMs' | 'respondedAtMs' | 'response'>,
    sent: Promise<Received>,
    read: (received: Received) => Recorded['response'],
  ): Promise<Recorded['response']> {
    const sentAtMs = Date.now()
    const response = read(await sent)
    attempts.push({ ...what, sentAtMs, respondedAtMs: Date.now(), response } as Recorded) // The parts of one attempt.
    return response
  }

  return {
    attempts,
    breaches,
    createAuction: (url, fields, key) =>
      record<AttemptOf<'create-auction'>>(
        { type: 'create-auction', auction: unwrap(parseNewAuction(fields, 0)), ...keyed(key) },
        send(url, '/api/Auctions', fields, key),
        responseOf(201, (data) => ({ outcome: 'accepted', auction: seenTerms(data) })),
      ),
    placeBid: (url, bid, key) =>
      record<AttemptOf<'place-bid'>>(
        { type: 'place-bid', bid, ...keyed(key) },
        send(url, '/api/Bids', bid, key),
        responseOf(201, (data) => ({ outcome: 'accepted', bid: seenBid(data) })),
      ),
    buyNow(url, purchase, key) {
      const { auctionId, ...fields } = purchase
      return record<AttemptOf<'buy-now'>>(
        { type: 'buy-now', purchase, ...keyed(key) },
        send(url, `/api/Auctions/${auctionId}/Purchase`, fields, key),
        responseOf(201, (data) => ({ outcome: 'accepted', auction: seenAuction(data) })),
      )
    },
    cancelAuction(url, cancellation, key) {
      const { auctionId, ...fields } = cancellation
      return record<AttemptOf<'cancel-auction'>>(
        { type: 'cancel-auction', cancellation, ...keyed(key) },
        send(url, `/api/Auctions/${auctionId}/Cancellation`, fields, key),
        responseOf(201, (data) => ({ outcome: 'accepted', auction: seenAuction(data) })),
      )
    },
    listActive: (url) =>
      record<AttemptOf<'list-auctions'>>(
        { type: 'list-auctions', query: { status: 'Active' } },
        send(url, '/api/Auctions?status=Active&sort=endTime&limit=100'),
        responseOf(200, ({ items, nextCursor }) => ({
          outcome: 'listed',
          auctions: items.map(seenAuction),
          isWhole: nextCursor === null,
        })),
      ),
    readAuction: (url, auctionId) =>
      record<AttemptOf<'read-auction'>>(
        { type: 'read-auction', auctionId },
        send(url, `/api/Auctions/${auctionId}`),
        responseOf(200, (data) => ({ outcome: 'read', auction: seenAuction(data) })),
      ),
  }
}

const keyed = (key: string | undefined) => (key === undefined ? {} : { key })

export const bidOn = (auctionId: AuctionId, bidderId: number, amount: number, maximumAmount?: number): NewBid =>
  unwrap(parseNewBid({ auctionId, bidderId, amount, maximumAmount: maximumAmount ?? null }))

// biome-ignore lint/suspicious/noExplicitAny: any JSON may arrive; each used member is checked by its use.
type Json = any
type Received = { readonly status: number; readonly body: Json } | undefined

/** Reads a response without trust: an unexpected form fails the test. */
const responseOf =
  <Success extends object>(success: number, seen: (data: Json) => Success) =>
  (received: Received): Success | Refused | Unknown => {
    if (received === undefined) return { outcome: 'unknown' }
    const { status, body } = received
    if (status === success) return seen(body.data)
    if (status === 503 && /unknown/.test(body.message)) return { outcome: 'unknown' }
    if (status >= 500 && status !== 503) throw new Error(`unexpected response: ${status} ${JSON.stringify(body)}`)
    const { code, currentPrice, minimumNextBid, maximumNextBid, buyNowPrice } = body
    if (currentPrice === undefined) return { outcome: 'refused', code }
    return {
      outcome: 'refused',
      code,
      currentPriceMinor: minor(currentPrice),
      ...(minimumNextBid !== undefined && {
        minimumNextBidMinor: minimumNextBid === null ? undefined : minor(minimumNextBid),
      }),
      ...(maximumNextBid !== undefined && { maximumNextBidMinor: minor(maximumNextBid) }),
      ...(buyNowPrice !== undefined && { buyNowPriceMinor: minor(buyNowPrice) }),
    }
  }

const usd = toCurrency('USD')

const minor = (amount: number): AmountMinor => exactMinor(amount, usd)

// The parser ignores assigned fields, as it does when a resource is sent back.
const seenTerms = (data: Json): SeenTerms => ({
  ...unwrap(parseNewAuction(data, 0)),
  id: toAuctionId(data.id),
})

const seenBid = ({ id, auctionId, bidderId, amount, timestamp, leaderId }: Json): SeenBid => ({
  id: toBidId(id),
  auctionId: toAuctionId(auctionId),
  bidderId: toUserId(bidderId),
  amountMinor: minor(amount),
  timestampMs: toMoment(timestamp).epochMs,
  leaderId: seenLeader(leaderId),
})

const seenLeader = (leaderId: Json): SeenBid['leaderId'] => (leaderId === null ? undefined : toUserId(leaderId))

const seenAuction = (data: Json): SeenAuction => ({
  id: toAuctionId(data.id),
  status: data.status,
  currentPriceMinor: minor(data.currentPrice),
  minimumNextBidMinor: data.minimumNextBid === null ? undefined : minor(data.minimumNextBid),
  maximumNextBidMinor: data.maximumNextBid === undefined ? undefined : minor(data.maximumNextBid),
  bidCount: data.bidCount,
  repairCount: 0, // These clients repair nothing.
  leaderId: seenLeader(data.leaderId),
  effectiveEndMs: toMoment(data.effectiveEndTime).epochMs,
  isReserveMet: data.reserveMet,
  isBuyNowOffered: data.buyNowOffered,
  title: data.title,
  metadata: data.metadata,
  correctedAtMs: data.correctedAt === null ? undefined : Date.parse(data.correctedAt),
  result: data.result === null ? undefined : seenResult(data.result),
})

function seenResult({ outcome, bidId, winnerId, buyerId, price, reason }: Json): AuctionResult {
  switch (outcome) {
    case 'unsold':
      return { outcome, reason }
    case 'cancelled':
      return reason === undefined ? { outcome } : { outcome, reason }
    case 'bought':
      return { outcome, buyerId: toUserId(buyerId), priceMinor: minor(price) }
    case 'sold':
      return { outcome, bidId: toBidId(bidId), winnerId: toUserId(winnerId), priceMinor: minor(price) }
    default:
      throw new Error(`an outcome that must not be: ${outcome}`)
  }
}
