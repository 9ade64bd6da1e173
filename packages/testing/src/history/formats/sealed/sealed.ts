import type { Auction, AuctionState, Closed } from '@auction/domain/auction'
import { bidIdOf, type UserId } from '@auction/domain/ids'
import { type AmountMinor, type Decimal, toDecimal, toMinor } from '@auction/domain/money'
import type { AuctionEntry, Entry } from '@auction/domain/store'
import { type Format, isOwn, type RecordedRequest, type RefusedCommand } from '../format.ts'

type SealedAuction = Extract<Auction, { readonly format: 'sealed' }>
type SealedState = Extract<AuctionState, { readonly format: 'sealed' }>
/** The events of opened entries. */
type OwnEvent =
  | { readonly type: 'sealed-bid'; readonly bidderId: UserId; readonly amountMinor: AmountMinor }
  | { readonly type: 'sealed-withdrawal'; readonly bidderId: UserId }
type SealedEntry = Omit<AuctionEntry, 'event'> & { readonly event: OwnEvent }

const amountIn = ({ event }: Entry): number => ('amountMinor' in event ? (event.amountMinor ?? 0) : 0)

const bidderIn = ({ event }: Entry): number | undefined => ('bidderId' in event ? event.bidderId : undefined)

const leastMinor = ({ startingPriceMinor }: SealedAuction): number => Math.max(startingPriceMinor, 1)

type Counted = { readonly bid: Entry; readonly amountMinor: number; readonly sinceSequence: number }

/** The last bid of each bidder, unless it was withdrawn, the best first: the highest, then who reached it first. */
function countedBids(entries: readonly Entry[]): readonly Counted[] {
  const about = Map.groupBy(entries, bidderIn)
  const counted = [...about].flatMap(([bidderId, own]): readonly Counted[] => {
    const bid = own.at(-1)
    if (bidderId === undefined || bid?.event.type !== 'sealed-bid') return []
    const amountMinor = amountIn(bid)
    const isSame = (entry: Entry) => entry.event.type === 'sealed-bid' && amountIn(entry) === amountMinor
    const change = own.findLastIndex((entry) => !isSame(entry))
    return [{ bid, amountMinor, sinceSequence: own[change + 1]?.sequence ?? bid.sequence }]
  })
  return counted.toSorted((a, b) => b.amountMinor - a.amountMinor || a.sinceSequence - b.sinceSequence)
}

/** The winner pays the own amount, or the highest one of another bidder, but at least start and reserve. */
function resultOf(auction: SealedAuction, entries: readonly Entry[]): object {
  const counted = countedBids(entries)
  const bidderCount = counted.length
  const [first, second] = counted
  if (first === undefined) return { outcome: 'unsold', reason: 'no-bids', bidderCount }
  const { startingPriceMinor, reservePriceMinor = 0, pricing } = auction
  if (first.amountMinor < reservePriceMinor) return { outcome: 'unsold', reason: 'reserve-not-met', bidderCount }
  const secondMinor = Math.max(startingPriceMinor, reservePriceMinor, second?.amountMinor ?? 0)
  const priceMinor = pricing === 'second' ? secondMinor : first.amountMinor
  const { event } = first.bid
  const paddle = 'admission' in event ? event.admission?.paddle : undefined
  const sold = { outcome: 'sold', bidId: bidIdOf(first.bid.id), winnerId: bidderIn(first.bid), priceMinor }
  return { ...sold, paddle, bidderCount }
}

function requestIn({ auctionId, currency, atMs, event }: SealedEntry): RecordedRequest {
  const { bidderId } = event
  if (event.type === 'sealed-withdrawal') return { type: 'withdraw-own-bid', withdrawal: { auctionId, bidderId } }
  const { amountMinor } = event
  const amount = toDecimal(amountMinor, currency) as Decimal // As it was sent.
  const response = { auctionId, bidderId, amountMinor, timestampMs: atMs }
  return { type: 'place-bid', bid: { auctionId, bidderId, amount }, response }
}

/** The only amount in a refusal is one that everybody knows, so that it tells nothing of other bids. */
function isTooLow({ attempt, response, timeline, states }: RefusedCommand): boolean {
  if (attempt.type !== 'place-bid') return false
  const { minimumNextBidMinor, currentPriceMinor, maximumNextBidMinor } = response
  const amountMinor = toMinor(attempt.bid.amount, timeline.auction.currency)
  return states.some(({ auction, isClosed }) => {
    const wantedMinor = leastMinor(auction as SealedAuction) // An auction of the format has states of the format.
    const isTrue = minimumNextBidMinor === wantedMinor && Number(amountMinor) < wantedMinor
    return !isClosed && isTrue && currentPriceMinor === undefined && maximumNextBidMinor === undefined
  })
}

const unseen = ['bidCount', 'publicSequences', 'currentPriceMinor', 'minimumNextBidMinor', 'leaderId', 'isReserveMet']
const nothing = Object.fromEntries(unseen.map((name) => [name, undefined]))

export const sealed = {
  none: {},
  isFixedFromStart: true,
  hidesOwn: true,
  lacks: ['buy-now', 'lower-reserve'],
  standingIn: () => ({}),
  hasOffers: () => false,
  requestIn,
  findingsOf(auction: SealedAuction, _before: Entry | undefined, entry: SealedEntry, earlier: readonly Entry[]) {
    const { event } = entry
    const isLow = event.type === 'sealed-bid' && event.amountMinor < leastMinor(auction)
    const isEmpty =
      event.type === 'sealed-withdrawal' && !countedBids(earlier).some(({ bid }) => bidderIn(bid) === event.bidderId)
    return [
      isLow && ([2, `is a bid of ${event.amountMinor} minor units, which is too low`] as const),
      isEmpty && ([6, 'is a withdrawal without bids'] as const),
    ]
  },
  changeBy: () => ({}),
  again: () => ({}),
  standingAfter(before: (Entry & { readonly state: SealedState }) | undefined, entry: Entry) {
    const { bidCount, publicSequences } = before?.state ?? { bidCount: 0, publicSequences: [] }
    const sequences = isOwn(entry) ? publicSequences : [...publicSequences, entry.sequence]
    return { bidCount: bidCount + (entry.event.type === 'sealed-bid' ? 1 : 0), publicSequences: sequences }
  },
  result: (auction: SealedAuction, _before: Entry | undefined, _closed: Closed, earlier: readonly Entry[]) =>
    resultOf(auction, earlier),
  problemOf: ({ startingPriceMinor, reservePriceMinor }: SealedAuction) =>
    (reservePriceMinor ?? startingPriceMinor) < startingPriceMinor ? 'a reserve below the starting price' : undefined,
  fixed: ['pricing', 'reveal', 'key'],
  figures: (_auction: SealedAuction, head: Entry | undefined) => ({
    ...nothing,
    bidderCount:
      head?.state.phase === 'closed' && 'bidderCount' in head.state.result ? head.state.result.bidderCount : undefined,
  }),
  publicEvent: () => undefined,
  secrets: ['sealed', 'publicSequences'],
  refusals: {
    'validation-failed': ({ attempt, timeline: { auction } }) =>
      attempt.type === 'place-bid' &&
      (attempt.bid.maximumAmount !== undefined || toMinor(attempt.bid.amount, auction.currency) === undefined),
    'bid-too-low': isTooLow,
  },
} satisfies Format
