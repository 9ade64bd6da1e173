import {
  type Auction,
  type AuctionEvent,
  type BidPlaced,
  type Corrected,
  type Correction,
  evolve,
  initialStateOf,
  type MaximumRaised,
  type Repair,
  type ReserveLowered,
  viewOf,
  type Withdrawn,
} from '@auction/domain/auction'
import { bidIdOf, toBidId, toEntryId, toUserId } from '@auction/domain/ids'
import { isoOf, momentAt } from '@auction/domain/moment'
import { type AmountMinor, type Decimal, toAmountMinor, toDecimal } from '@auction/domain/money'
import type { Entry } from '@auction/domain/store'
import type { Attempt, History, SeenAuction, WantedRepair } from '../../src/history.ts'
import { type AuctionSample, sampleAuction, sampleKey } from '../../src/samples.ts'
import { afterCreation, endMs, marginMs, startMs } from '../sample-history.ts'

/** From 100 USD in increments of 5; amounts are in whole units here. */
const allFormats: AuctionSample = {
  softClose: { windowSeconds: 60, extensionSeconds: 120, latestEndTime: isoOf(endMs + 300_000) },
  reservePriceMinor: 150_00,
  buyNowPriceMinor: 300_00,
  cancellableUntilEnd: true,
}

const usd = (amount: number) => toAmountMinor(amount * 100)

type Consequences = {
  readonly max?: number
  readonly reply?: readonly [bidder: number, amount: number]
  endsMs?: number
}

const sent = (bidder: number, amount: number, { reply, endsMs }: Consequences) => ({
  bidderId: toUserId(bidder),
  amountMinor: usd(amount),
  ...(reply && { automatic: { bidderId: toUserId(reply[0]), amountMinor: usd(reply[1]) } }),
  ...(endsMs !== undefined && { extendedEndMs: endsMs }),
})

/** A bid, and the result of the service. */
export const bid = (bidder: number, amount: number, more: Consequences = {}): BidPlaced => ({
  type: 'bid-placed',
  ...sent(bidder, amount, more),
  ...(more.max !== undefined && { maximumMinor: usd(more.max) }),
})

export const raise = (bidder: number, amount: number, max: number, more: Consequences = {}): MaximumRaised => ({
  type: 'maximum-raised',
  ...sent(bidder, amount, more),
  maximumMinor: usd(max),
})

export const bought = (buyer: number, price = 300): AuctionEvent => ({
  type: 'bought',
  buyerId: toUserId(buyer),
  priceMinor: usd(price),
})

export const cancelled = (reason?: string, isForced?: true): AuctionEvent => ({
  type: 'cancelled',
  ...(reason !== undefined && { reason }),
  ...(isForced && { isForced }),
})

export const corrected = (texts: Pick<Corrected, 'title' | 'description' | 'by'>): Corrected => ({
  type: 'corrected',
  editor: 'staff',
  by: 'staff',
  ...texts,
})

const byStaff = { reason: 'outage', editor: 'staff' }

export const extended = (endMs: number, previousEndMs: number): AuctionEvent => ({
  type: 'extended',
  endMs,
  previousEndMs,
  ...byStaff,
})

export const endedEarly = (endMs: number, previousEndMs: number): AuctionEvent => ({
  type: 'ended-early',
  endMs,
  previousEndMs,
  ...byStaff,
})

/** A withdrawal, with the leader and the number of bids after it. */
export const withdrawn = (
  bidder: number,
  leader: readonly [bidId: number, bidder: number, amount: number, max?: number] | null,
  bidCount: number,
  block: Pick<Withdrawn, 'isBlocked' | 'isUnblocked'> = {},
): AuctionEvent => ({
  type: 'withdrawn',
  bidderId: toUserId(bidder),
  leader: leader && {
    bidId: toBidId(leader[0]),
    bidderId: toUserId(leader[1]),
    amountMinor: usd(leader[2]),
    ...(leader[3] !== undefined && { maximumMinor: usd(leader[3]) }),
  },
  bidCount,
  ...block,
  ...byStaff,
})

export const lowered = (
  reserve: number,
  { reply, by = 'staff' }: Pick<Consequences, 'reply'> & Pick<ReserveLowered, 'by'> = {},
): AuctionEvent => ({
  type: 'reserve-lowered',
  reservePriceMinor: usd(reserve),
  ...(reply && { automatic: { bidderId: toUserId(reply[0]), amountMinor: usd(reply[1]) } }),
  ...byStaff,
  by,
})

export const sold = (bidId: number, winner: number, price: number, isEndedEarly?: true): AuctionEvent => ({
  type: 'closed',
  result: {
    outcome: 'sold',
    bidId: toBidId(bidId),
    winnerId: toUserId(winner),
    priceMinor: usd(price),
    ...(isEndedEarly && { isEndedEarly }),
  },
})

export const unsold = (reason: 'no-bids' | 'reserve-not-met', isEndedEarly?: true): AuctionEvent => ({
  type: 'closed',
  result: { outcome: 'unsold', reason, ...(isEndedEarly && { isEndedEarly }) },
})

/** An event of a story. By default, the nth event is recorded n minutes after the start, with the id 10n. */
export type Move = AuctionEvent | readonly [atMs: number, event: AuctionEvent]

/** A ledger of events, each with a request and a correct response. */
export const storyOf = (terms: AuctionSample, ...moves: readonly Move[]): History =>
  storyOn(sampleAuction(terms), moves)

/** The same for an auction of any format. */
export function storyOn(auction: Auction, moves: readonly Move[]): History {
  const ledger: Entry[] = []
  for (const [index, move] of moves.entries()) {
    const [atMs, event] = 'type' in move ? [startMs + (index + 1) * 60_000, move] : move
    const recorded = { id: toEntryId(10 * (index + 1)), sequence: index + 1, atMs, event }
    const state = evolve(ledger.at(-1)?.state ?? initialStateOf(auction), recorded)
    ledger.push({ ...recorded, auctionId: auction.id, currency: auction.currency, state })
  }
  const { id: _, createdAtMs: __, ...fields } = auction
  const [sentAtMs, respondedAtMs] = afterCreation(-1, 1)
  const creation: Attempt = {
    type: 'create-auction',
    auction: fields,
    sentAtMs,
    respondedAtMs,
    response: { outcome: 'accepted', auction },
  }
  const attempts = ledger.flatMap((entry) => asked(auction, entry))
  return { auctions: [auction], attempts: [creation, ...attempts], ledger, clockErrorMs: 0, marginMs }
}

/** The request of an entry, with its accepted result. */
function asked(auction: Auction, entry: Entry): readonly Attempt[] {
  const { id, auctionId, atMs, event, state } = entry
  const times = { sentAtMs: atMs - 2, respondedAtMs: atMs + 3 }
  switch (event.type) {
    case 'bid-placed':
    case 'maximum-raised': {
      const { bidderId, amountMinor, maximumMinor } = event
      const withResponse = event.type === 'bid-placed' ? amountMinor : (state.leader?.amountMinor ?? amountMinor)
      const bid = { auctionId, bidderId, ...amountsOf(amountMinor, maximumMinor) }
      const leaderId = state.leader?.bidderId
      const response = { id: bidIdOf(id), auctionId, bidderId, amountMinor: withResponse, timestampMs: atMs, leaderId }
      return [{ type: 'place-bid', bid, ...times, response: { outcome: 'accepted', bid: response } }]
    }
    case 'bought':
    case 'purchased': {
      const purchase = { auctionId, buyerId: event.buyerId }
      return [
        { type: 'buy-now', purchase, ...times, response: { outcome: 'accepted', auction: seenOf(auction, entry) } },
      ]
    }
    case 'cancelled': {
      const { reason, isForced: mayForce } = event
      const cancellation = { auctionId, ...(reason !== undefined && { reason }), ...(mayForce && { mayForce }) }
      const response = { outcome: 'accepted' as const, auction: seenOf(auction, entry) }
      return [{ type: 'cancel-auction', cancellation, ...times, response }]
    }
    case 'corrected': {
      const { type: _, metadata, terms, by, ...texts } = event
      const requester = by === 'owner' ? { requesterId: auction.ownerId } : {}
      const sent = { ...fieldsSent(terms, auction), ...(metadata && { metadata: metadata.patch }) }
      const response = { outcome: 'accepted' as const, auction: seenOf(auction, entry) }
      return [
        { type: 'correct-auction', correction: { auctionId, ...texts, ...sent, ...requester }, ...times, response },
      ]
    }
    case 'extended':
    case 'withdrawn':
    case 'ended-early':
    case 'reserve-lowered': {
      const response = { outcome: 'accepted' as const, auction: seenOf(auction, entry) }
      return [{ ...repairOf(auction, event), ...times, response }]
    }
    case 'sealed-bid': {
      if (!('amountMinor' in event)) throw new Error('a story seals its bids when it is complete')
      const { bidderId, amountMinor } = event
      const bid = { auctionId, bidderId, ...amountsOf(amountMinor) }
      const response = { id: bidIdOf(id), auctionId, bidderId, amountMinor, timestampMs: atMs }
      return [{ type: 'place-bid', bid, ...times, response: { outcome: 'accepted', bid: response } }]
    }
    case 'sealed-withdrawal': {
      const withdrawal = { auctionId, bidderId: event.bidderId }
      const response = { outcome: 'accepted' as const, auction: seenOf(auction, entry) }
      return [{ type: 'withdraw-own-bid', withdrawal, ...times, response }]
    }
    case 'closed':
      return []
    default:
      return event satisfies never
  }
}

/** The request of a repair. */
function repairOf({ id: auctionId, currency, ownerId }: Auction, event: Repair): WantedRepair {
  const { editor, reason = '' } = event
  const common = { auctionId, editor, reason }
  switch (event.type) {
    case 'extended':
      return { type: 'extend-auction', repair: { ...common, endTime: momentAt(event.endMs) } }
    case 'withdrawn': {
      const { bidderId, isUnblocked, isBlocked = isUnblocked && false } = event
      return { type: 'withdraw-bidder', repair: { ...common, bidderId, ...(isBlocked !== undefined && { isBlocked }) } }
    }
    case 'ended-early':
      return { type: 'end-auction', repair: common }
    case 'reserve-lowered':
      return {
        type: 'lower-reserve',
        repair: {
          ...common,
          reservePrice: toDecimal(event.reservePriceMinor, currency) as Decimal, // An amount.
          ...(event.by === 'owner' && { requesterId: ownerId }),
        },
      }
    default:
      return event satisfies never
  }
}

/** The corrected terms as a client sends them. */
function fieldsSent(terms: Corrected['terms'], { currency }: Auction): Correction {
  const named = terms?.fields.map((name) => {
    const values: Readonly<Record<string, unknown>> = terms.result
    const minor = values[`${name}Minor`]
    return [name, minor === undefined ? (values[name] ?? null) : toDecimal(minor as AmountMinor, currency)] // By its name.
  })
  return Object.fromEntries(named ?? [])
}

export const amountsOf = (amountMinor: number, maximumMinor?: number) => ({
  amount: (amountMinor / 100) as Decimal, // Positive whole units.
  ...(maximumMinor !== undefined && { maximumAmount: (maximumMinor / 100) as Decimal }),
})

/** The view of a reader after an entry, or before all of them. */
export function seenOf(auction: Auction, entry: Entry | undefined, atMs = entry?.atMs ?? startMs): SeenAuction {
  const { auction: shown, effectiveEndTime, ...view } = viewOf(auction, entry?.state ?? initialStateOf(auction), atMs)
  return {
    id: auction.id,
    title: shown.title,
    metadata: shown.metadata,
    ...view,
    effectiveEndMs: effectiveEndTime.epochMs,
  }
}

/** A story with more attempts. */
export const and = (story: History, ...attempts: readonly Attempt[]): History => ({
  ...story,
  attempts: [...story.attempts, ...attempts],
})

/** A story whose nth entry has an unknown response. */
export const withoutResponse = (story: History, sequence: number): History => ({
  ...story,
  attempts: story.attempts.map(
    (attempt, index) => (index === sequence ? ({ ...attempt, response: { outcome: 'unknown' } } as Attempt) : attempt), // Any response may be unknown.
  ),
})

/** A story whose last entry was created under a key. */
export const underKey = (story: History, key: string): History => ({
  ...story,
  ledger: story.ledger.map((entry) =>
    entry === story.ledger.at(-1) ? { ...entry, requestKey: sampleKey(key) } : entry,
  ),
})

// From 100 USD in increments of 5, with all formats, with none, or with one.
export const all = (...moves: readonly Move[]) => storyOf(allFormats, ...moves)
export const plain = (...moves: readonly Move[]) => storyOf({}, ...moves)
export const reserve = (...moves: readonly Move[]) => storyOf({ reservePriceMinor: 150_00 }, ...moves)
export const buyable = (...moves: readonly Move[]) => storyOf({ buyNowPriceMinor: 300_00 }, ...moves)
/** In increments of 10 from 120 on. */
export const stepped = (...moves: readonly Move[]) =>
  storyOf({ incrementSteps: [{ fromPriceMinor: 120_00, incrementMinor: 10_00 }] }, ...moves)
/** In increments of 10 %, but at least 5. */
export const tenPercent = (...moves: readonly Move[]) => storyOf({ incrementBasisPoints: 1_000 }, ...moves)
/** With bids of at most 50 above the price. */
export const guarded = (...moves: readonly Move[]) => storyOf({ maximumBidIncrementMinor: 50_00 }, ...moves)

export const minuteMs = 60_000
/** One minute before the end: a bid at that time moves the end by a minute. */
export const lateMs = endMs - minuteMs
/** After more than two minutes, so that the responses to two entries have arrived. */
export const thenMs = startMs + 2 * minuteMs + 10

export const overtime = all([lateMs + 10_000, bid(2, 100, { endsMs: endMs + 70_000 })])
export const purchase = all(bid(2, 100), bought(3))
export const cancellation = all(bid(2, 100), cancelled('broken'))
