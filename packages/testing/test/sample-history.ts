import type { Auction, BidPlaced, Closed, NewAuction, NewBid } from '@auction/domain/auction'
import { bidIdOf } from '@auction/domain/ids'
import { type AmountMinor, type Decimal, toDecimal } from '@auction/domain/money'
import type { AuctionEntry, Entry } from '@auction/domain/store'
import type { Attempt, History, SeenAuction } from '../src/history.ts'
import { type EntrySample, sampleAuction, sampleEndTime, sampleEntry, sampleStartTime } from '../src/samples.ts'

export const startMs = Date.parse(sampleStartTime)
export const endMs = Date.parse(sampleEndTime)
export const marginMs = 2_000
export const auction: Auction = sampleAuction()

const { id: auctionId, createdAtMs, ...fields } = auction
export const terms: NewAuction = fields

/** Bid n is sent 10n ms after the start, recorded 2 ms later, with a response 5 ms after it was sent. */
export const bid = (n: number, change: EntrySample = {}): AuctionEntry<BidPlaced> =>
  sampleEntry({ id: n, sequence: n, atMs: startMs + 10 * n + 2, ...change })
export const bids = [bid(1), bid(2), bid(3)] as const

/** The end, after an entry or after none (null). */
export function end(before: Entry | null = bids[2], atMs = endMs + marginMs, result = resultAfter(before)): Entry {
  const { bidCount = 0, leader = null } = before?.state ?? {}
  return {
    ...bid(1),
    id: bid(9).id,
    sequence: (before?.sequence ?? 0) + 1,
    atMs,
    event: { type: 'closed', result },
    state: { phase: 'closed', bidCount, leader, atMs, result },
  }
}

export function resultAfter(before: Entry | null = bids[2]): Closed['result'] {
  const leader = before?.state.leader
  if (leader == null) return { outcome: 'unsold', reason: 'no-bids' }
  return { outcome: 'sold', bidId: leader.bidId, winnerId: leader.bidderId, priceMinor: leader.amountMinor }
}

type Span = readonly [sentAtMs: number, respondedAtMs: number]
export const afterStart = (sent: number, withResponse = sent + 5): Span => [startMs + sent, startMs + withResponse]
export const afterEnd = (sent: number, withResponse = sent + 5): Span => [endMs + sent, endMs + withResponse]
/** The creation time of the auction, in milliseconds after the start. */
export const afterCreation = (sent: number, withResponse = sent + 5): Span => [
  createdAtMs + sent,
  createdAtMs + withResponse,
]
const during = ([sentAtMs, respondedAtMs]: Span) => ({ sentAtMs, respondedAtMs })

export const unknown = { outcome: 'unknown' } as const
export const refused = (code: string, figures: object = {}) => ({ outcome: 'refused' as const, code, ...figures })

type Of<Type extends Attempt['type']> = Extract<Attempt, { readonly type: Type }>

export function creation(
  span: Span,
  response: Of<'create-auction'>['response'] = { outcome: 'accepted', auction },
  change: Partial<Of<'create-auction'>> = {},
): Attempt {
  return { type: 'create-auction', auction: terms, ...during(span), response, ...change }
}

export const newBid = ({ event, currency, ...entry }: AuctionEntry<BidPlaced>): NewBid => ({
  auctionId: entry.auctionId,
  bidderId: event.bidderId,
  amount: toDecimal(event.amountMinor, currency) as Decimal, // A positive amount.
})

/** A try to place the bid of an entry, accepted by default. */
export function bidding(
  entry: AuctionEntry<BidPlaced>,
  span: Span = afterStart(10 * entry.sequence),
  response: Of<'place-bid'>['response'] = accepted(entry),
  key?: string,
): Attempt {
  return { type: 'place-bid', bid: newBid(entry), ...during(span), response, ...(key && { key }) }
}

/** An attempt whose request had arrived at a known time. */
export const arrived = (attempt: Attempt, arrivedAtMs: number): Attempt => ({ ...attempt, arrivedAtMs })

export const accepted = (
  { id, auctionId, atMs, event, state }: AuctionEntry<BidPlaced>,
  leaderId = state.leader?.bidderId,
) => {
  const { bidderId, amountMinor } = event
  const placed = { id: bidIdOf(id), auctionId, bidderId, amountMinor, timestampMs: atMs, leaderId }
  return { outcome: 'accepted' as const, bid: placed }
}

/** The auction that a reader sees after this many bids. */
export function seen(bidCount: number, change: Partial<SeenAuction> = {}): SeenAuction {
  const price = bids[bidCount - 1]?.event.amountMinor
  const leader = bids[bidCount - 1]?.state.leader
  return {
    id: auctionId,
    status: 'Active',
    currentPriceMinor: price ?? auction.startingPriceMinor,
    // Integers far below the limit.
    minimumNextBidMinor: (price === undefined ? auction.startingPriceMinor : price + 5_00) as AmountMinor,
    maximumNextBidMinor: undefined,
    bidCount,
    repairCount: 0,
    leaderId: leader?.bidderId,
    effectiveEndMs: endMs,
    isReserveMet: undefined,
    isBuyNowOffered: undefined,
    title: undefined,
    metadata: undefined,
    correctedAtMs: undefined,
    result: undefined,
    ...change,
  }
}
export const ended = (change: Partial<SeenAuction> = {}): SeenAuction =>
  seen(3, { status: 'Ended', result: resultAfter(), minimumNextBidMinor: undefined, ...change })

export function tooLow(bidCount: number) {
  const { currentPriceMinor, minimumNextBidMinor } = seen(bidCount)
  return refused('bid-too-low', { currentPriceMinor, minimumNextBidMinor })
}

export const reading = (
  view: SeenAuction,
  span: Span,
  response: Of<'read-auction'>['response'] = { outcome: 'read', auction: view },
): Attempt => ({ type: 'read-auction', auctionId, ...during(span), response })

export const listing = (
  views: readonly SeenAuction[],
  span: Span,
  query: Of<'list-auctions'>['query'] = {},
  isWhole = true,
): Attempt => ({
  type: 'list-auctions',
  query,
  ...during(span),
  response: { outcome: 'listed', auctions: views, isWhole },
})

/** The creation and the three bids, each with its accepted result. */
export const settledAttempts: readonly Attempt[] = [
  creation(afterCreation(-1, 1)),
  ...bids.map((placed) => bidding(placed)),
]
/** The history in which everything was accepted, and the auction closed. */
export const history: History = {
  auctions: [auction],
  attempts: settledAttempts,
  ledger: [...bids, end()],
  clockErrorMs: 0,
  marginMs,
}

/** The history with another attempt for the creation (0) or the nth bid. */
export const retried = (n: number, attempt: Attempt): History => ({
  ...history,
  attempts: settledAttempts.with(n, attempt),
})

/** The history with more attempts. */
export const and = (...attempts: readonly Attempt[]): History => ({
  ...history,
  attempts: [...settledAttempts, ...attempts],
})

/** The history with other entries from the nth on. */
export const from = (n: number, ...entries: readonly Entry[]): History => ({
  ...history,
  ledger: [...history.ledger.slice(0, n - 1), ...entries],
})
