import * as v from 'valibot'
import { StoredAmountMinor } from '../values/amount.ts'
import { defined } from '../values/defined.ts'
import { automaticBidId, type BidId, StoredBidId, StoredUserId, type UserId } from '../values/ids.ts'
import { latestMs, momentAt } from '../values/moment.ts'
import { AMOUNT_LIMIT_MINOR, type AmountMinor, addAmounts, ONE_MINOR } from '../values/money.ts'
import { StoredCount, StoredInteger } from '../values/primitives.ts'
import { CorrectableTerms, isCorrectable, type Terms } from './auction.ts'
import {
  type AuctionEvent,
  type BidPlaced,
  bought,
  type Corrected,
  cancelled,
  type EndedEarly,
  type Extended,
  LeaderFields,
  type MaximumRaised,
  type ReserveLowered,
  SoldFields,
  UnsoldFields,
  type Withdrawn,
} from './events.ts'
import { type Increments, incrementAt } from './increments.ts'
import { StoredMetadata } from './metadata.ts'

/** The highest bidder and their bid. */
export type Leader = Readonly<v.InferOutput<typeof LeaderFields>>

const ResultFields = v.variant('outcome', [
  SoldFields,
  UnsoldFields,
  v.object({ outcome: v.literal('bought'), ...bought }),
  v.object({ outcome: v.literal('cancelled'), ...cancelled }),
])
/** How an auction ended. A result never changes. */
export type AuctionResult = Readonly<v.InferOutput<typeof ResultFields>>

/** When and how an auction ended. */
export type AuctionEnd = { readonly endedMs: number; readonly outcome: AuctionResult['outcome'] }

/** The corrections of an auction. The long description stays in its entry, since every later entry has this state. */
const CorrectionsFields = v.object({
  count: v.pipe(StoredInteger, v.minValue(1)),
  /** The time of the last one, in milliseconds since 1970. */
  atMs: StoredInteger,
  /** The corrected title, null if it was removed. Absent if only the description was corrected. */
  title: v.exactOptional(v.nullable(v.string())),
  /** The id of the entry with the corrected description. Absent if only the title was corrected. */
  descriptionIn: v.exactOptional(StoredBidId),
  /** The metadata after a correction, null if it was removed. */
  metadata: v.exactOptional(v.nullable(StoredMetadata)),
  /** The terms after a correction of terms: they replace those of the creation. */
  terms: v.exactOptional(CorrectableTerms),
})

/** The repairs of an auction. */
const RepairsFields = v.object({
  /** The ids of their entries, the oldest first: at least one. */
  entryIds: v.array(StoredBidId),
  /** The sum of all moves of the end by staff. The latest end of a soft close moves as much. */
  latestEndShiftMs: v.exactOptional(StoredInteger),
  /** Set while the end is one to which staff have brought it forward. */
  isEndedEarly: v.exactOptional(v.literal(true)),
  /** The lowered reserve; 0 if it was removed. */
  reservePriceMinor: v.exactOptional(StoredAmountMinor),
  /**
   * The bidders whose bids up to this sequence do not count, and whether they may bid again. 0: the bidder was blocked
   * before the first bid of the auction.
   */
  withdrawn: v.exactOptional(
    v.array(
      v.object({
        bidderId: StoredUserId,
        throughSequence: StoredInteger,
        isBlocked: v.exactOptional(v.literal(true)),
      }),
    ),
  ),
})
type Repairs = v.InferOutput<typeof RepairsFields>

const inEveryPhase = {
  bidCount: StoredCount,
  leader: v.nullable(LeaderFields),
  /** The time of the last entry, in milliseconds since 1970; 0 without entries. It never decreases. */
  atMs: StoredInteger,
  /** The effective end, in milliseconds since 1970, if bids or staff have moved it. */
  extendedEndMs: v.exactOptional(StoredInteger),
  /** Absent if the auction is as it was created. */
  corrections: v.exactOptional(CorrectionsFields),
  /** Absent if the auction was never repaired. */
  repairs: v.exactOptional(RepairsFields),
}

export const StateFields = v.variant('phase', [
  v.object({ phase: v.literal('open'), ...inEveryPhase }),
  v.object({ phase: v.literal('closed'), ...inEveryPhase, result: ResultFields }),
])
/** The state of an auction. Every entry contains the state after it, so decisions need only the last entry. */
export type AuctionState = Readonly<v.InferOutput<typeof StateFields>>

/** The final state. */
export type ClosedState = Extract<AuctionState, { readonly phase: 'closed' }>

/** The state of an auction without entries. */
export const initialState: AuctionState = Object.freeze({ phase: 'open', bidCount: 0, leader: null, atMs: 0 })

/**
 * The terms in a state: those of the creation, unless they were corrected, with the reserve and the latest end as repairs
 * have left them. It keeps all other fields.
 */
export function termsIn<Fields extends Terms>(created: Fields, { corrections, repairs }: AuctionState): Fields {
  // Bids of most auctions pass only this line.
  if (corrections === undefined && repairs === undefined) return created
  const terms = corrections === undefined ? created : asCorrected(created, corrections)
  return repairs === undefined ? terms : asRepaired(terms, repairs)
}

function asCorrected<Fields extends Terms>(
  created: Fields,
  { metadata, terms }: NonNullable<AuctionState['corrections']>,
): Fields {
  if (terms === undefined && metadata === undefined) return created
  const kept = Object.entries(created).filter(([name]) => {
    return (terms === undefined || !isCorrectable(name)) && (metadata === undefined || name !== 'metadata')
  })
  return { ...Object.fromEntries(kept), ...terms, ...(metadata && { metadata }) } as Fields // The removed ones are optional.
}

function asRepaired<Fields extends Terms>(terms: Fields, { reservePriceMinor, latestEndShiftMs = 0 }: Repairs): Fields {
  const { softClose } = terms
  const isMoved = softClose !== undefined && latestEndShiftMs !== 0
  if (reservePriceMinor === undefined && !isMoved) return terms
  const { reservePriceMinor: before, ...others } = terms
  const reserve = { reservePriceMinor: reservePriceMinor ?? before }
  const shiftedMs = isMoved ? Math.min(softClose.latestEndTime.epochMs + latestEndShiftMs, latestMs) : 0
  return {
    ...others,
    ...(reserve.reservePriceMinor !== undefined && reservePriceMinor !== 0 && reserve),
    ...(isMoved && { softClose: { ...softClose, latestEndTime: momentAt(shiftedMs) } }),
  } as Fields // The cast: the reserve is optional.
}

/** How often what the agenda knows of an auction may have been changed by corrections and repairs. */
export const changesOf = ({ corrections, repairs }: AuctionState): number =>
  (corrections?.count ?? 0) + (repairs?.entryIds.length ?? 0)

/** Whether the auction has had bids, even if all were withdrawn: the terms for which bidders have bid stay. */
export const hasHadBids = ({ leader, repairs }: AuctionState): boolean =>
  leader !== null || repairs?.withdrawn?.some(({ throughSequence }) => throughSequence > 0) === true

export const isBlocked = ({ repairs }: AuctionState, bidderId: UserId): boolean =>
  repairs?.withdrawn?.some((bidder) => bidder.bidderId === bidderId && bidder.isBlocked === true) === true

/** The highest bid, or the starting price if the auction has no bids. */
export const currentPriceMinor = (terms: Pick<Terms, 'startingPriceMinor'>, { leader }: AuctionState): AmountMinor =>
  leader === null ? terms.startingPriceMinor : leader.amountMinor

/** The minimum next bid: at least one minor unit. It is undefined if it would exceed the largest amount. */
export function minimumNextBidMinor(
  terms: Increments & Pick<Terms, 'startingPriceMinor'>,
  { leader }: AuctionState,
): AmountMinor | undefined {
  if (leader === null) return terms.startingPriceMinor > 0 ? terms.startingPriceMinor : ONE_MINOR
  return addAmounts(leader.amountMinor, incrementAt(terms, leader.amountMinor))
}

/**
 * The highest amount of the next bid; undefined without a `maximumBidIncrementMinor`. It does not limit maximums. A
 * percentage may make the increment larger than that: then the increment is the limit, so that bidding can go on.
 */
export function maximumNextBidMinor(
  terms: Increments & Pick<Terms, 'startingPriceMinor' | 'maximumBidIncrementMinor'>,
  state: AuctionState,
): AmountMinor | undefined {
  const { maximumBidIncrementMinor } = terms
  if (maximumBidIncrementMinor === undefined) return undefined
  const priceMinor = currentPriceMinor(terms, state)
  const riseMinor = Math.max(maximumBidIncrementMinor, incrementAt(terms, priceMinor))
  return Math.min(priceMinor + riseMinor, AMOUNT_LIMIT_MINOR - 1) as AmountMinor // A sum of amounts, within the limit.
}

/** Whether the highest bid meets the reserve. Without a reserve, any bid does. */
export const isReserveMet = (
  { reservePriceMinor = 0 as AmountMinor }: Pick<Terms, 'reservePriceMinor'>,
  { leader }: AuctionState,
): boolean => leader !== null && leader.amountMinor >= reservePriceMinor

/** A recorded event, with the id, position and time of its entry. */
type RecordedEvent = {
  readonly id: BidId
  readonly sequence: number
  readonly atMs: number
  readonly event: AuctionEvent
}

/** The state after an event. */
export function evolve(state: AuctionState, recorded: RecordedEvent): AuctionState {
  const { event, atMs } = recorded
  switch (event.type) {
    case 'bid-placed':
    case 'maximum-raised':
      return afterBid(state, recorded, event)
    case 'corrected':
      return { ...state, atMs, corrections: correctionsAfter(state, recorded, event) }
    case 'extended':
    case 'ended-early':
      return { ...afterRepair(state, recorded, movedBy(state, event)), extendedEndMs: event.endMs }
    case 'withdrawn': {
      const { leader, bidCount } = event
      const throughSequence = hasHadBids(state) ? recorded.sequence - 1 : 0
      return { ...afterRepair(state, recorded, withdrawnBy(state, throughSequence, event)), leader, bidCount }
    }
    case 'reserve-lowered':
      return afterLowering(state, recorded, event)
    case 'bought':
      return closed(state, atMs, { outcome: 'bought', buyerId: event.buyerId, priceMinor: event.priceMinor })
    case 'cancelled':
      if (state.phase === 'closed') return state // Records only the key of a request.
      return closed(state, atMs, defined({ outcome: 'cancelled', reason: event.reason } as const))
    case 'closed':
      return closed(state, atMs, event.result)
    default:
      return event satisfies never
  }
}

function afterBid(state: AuctionState, { id, atMs }: RecordedEvent, event: BidPlaced | MaximumRaised): AuctionState {
  const extendedEndMs = event.extendedEndMs ?? state.extendedEndMs
  const next = {
    phase: 'open',
    bidCount: state.bidCount + bidsIn(event),
    leader: leaderAfter(state.leader, id, event),
    atMs,
  } as const
  return withRest(next, extendedEndMs, state)
}

/** The number of bids in an event. */
export const bidsIn = ({ type, automatic }: BidPlaced | MaximumRaised): number =>
  (type === 'bid-placed' ? 1 : 0) + (automatic === undefined ? 0 : 1)

/** Most auctions have none of these members, so their states are not copied. */
function withRest<State extends AuctionState>(
  next: State,
  extendedEndMs: number | undefined,
  { corrections, repairs }: AuctionState,
): State {
  if (extendedEndMs === undefined && corrections === undefined && repairs === undefined) return next
  return { ...next, ...defined({ extendedEndMs, corrections, repairs }) }
}

/** The leader after a bid or a raised maximum whose entry has this id. */
export function leaderAfter(before: Leader | null, id: BidId, event: BidPlaced | MaximumRaised): Leader | null {
  const { automatic, bidderId, maximumMinor } = event
  if (automatic !== undefined) {
    const ceilingMinor = automatic.bidderId === bidderId ? maximumMinor : before?.maximumMinor
    return leaderWith(automaticBidId(id), automatic.bidderId, automatic.amountMinor, ceilingMinor)
  }
  if (event.type === 'maximum-raised') return before && { ...before, maximumMinor: event.maximumMinor }
  // A leader who raises their bid keeps their maximum.
  const own = maximumMinor ?? (before?.bidderId === bidderId ? before.maximumMinor : undefined)
  return leaderWith(id, bidderId, event.amountMinor, own)
}

/** The state with another repair: its members replace those of earlier ones, and undefined removes one. */
const afterRepair = (
  state: AuctionState,
  { id, atMs }: RecordedEvent,
  members: { readonly [Name in Exclude<keyof Repairs, 'entryIds'>]?: Repairs[Name] | undefined },
): AuctionState => {
  const entryIds = [...(state.repairs?.entryIds ?? []), id]
  return { ...state, atMs, repairs: { ...defined({ ...state.repairs, ...members }), entryIds } }
}

function movedBy({ repairs }: AuctionState, { type, endMs, previousEndMs }: Extended | EndedEarly) {
  const movedMs = endMs - previousEndMs
  // A repeated closing moves nothing.
  const isEndedEarly = type === 'ended-early' && (movedMs < 0 || repairs?.isEndedEarly === true)
  return {
    latestEndShiftMs: (repairs?.latestEndShiftMs ?? 0) + movedMs,
    isEndedEarly: isEndedEarly ? (true as const) : undefined,
  }
}

function withdrawnBy({ repairs }: AuctionState, throughSequence: number, { bidderId, isBlocked }: Withdrawn) {
  const others = repairs?.withdrawn?.filter((earlier) => earlier.bidderId !== bidderId) ?? []
  return { withdrawn: [...others, defined({ bidderId, throughSequence, isBlocked })] }
}

function afterLowering(state: AuctionState, recorded: RecordedEvent, event: ReserveLowered): AuctionState {
  const { reservePriceMinor, automatic } = event
  const lowered = afterRepair(state, recorded, { reservePriceMinor })
  if (automatic === undefined) return lowered
  const bidId = automaticBidId(recorded.id)
  const leader = leaderWith(bidId, automatic.bidderId, automatic.amountMinor, state.leader?.maximumMinor)
  return { ...lowered, leader, bidCount: state.bidCount + 1 }
}

function correctionsAfter(
  { corrections }: AuctionState,
  { id, atMs }: Omit<RecordedEvent, 'event'>,
  { title, description, metadata, terms }: Corrected,
): NonNullable<AuctionState['corrections']> {
  return {
    ...corrections,
    count: (corrections?.count ?? 0) + 1,
    atMs,
    ...defined({
      title,
      descriptionIn: description === undefined ? undefined : id,
      metadata: metadata?.result,
      terms: terms?.result,
    }),
  }
}

/** Omits a maximum that does not exceed the amount. */
export const leaderWith = (
  bidId: BidId,
  bidderId: Leader['bidderId'],
  amountMinor: AmountMinor,
  maximumMinor: AmountMinor | undefined,
): Leader =>
  maximumMinor !== undefined && maximumMinor > amountMinor
    ? { bidId, bidderId, amountMinor, maximumMinor }
    : { bidId, bidderId, amountMinor }

function closed(state: AuctionState, atMs: number, result: AuctionResult): AuctionState {
  const { bidCount, leader, extendedEndMs } = state
  return withRest({ phase: 'closed', bidCount, leader, atMs, result }, extendedEndMs, state)
}
