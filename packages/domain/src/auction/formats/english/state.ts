import * as v from 'valibot'
import { StoredAmountMinor } from '../../../values/amount.ts'
import { automaticBidId, type BidId, bidIdOf, type EntryId } from '../../../values/ids.ts'
import { latestMs, momentAt } from '../../../values/moment.ts'
import { StoredCount } from '../../../values/primitives.ts'
import {
  afterRepair,
  boughtBy,
  closed,
  correctionsWith,
  moments,
  phasesWith,
  type Recorded,
  repairs,
  withdrawn,
  withRest,
} from '../../life.ts'
import { type BidPlaced, LeaderFields, type MaximumRaised, type OwnEvent, type ReserveLowered } from './events.ts'
import { CorrectableTerms, type EnglishTerms } from './terms.ts'

/** The highest bidder and their bid. */
export type Leader = Readonly<v.InferOutput<typeof LeaderFields>>

export const StateFields = phasesWith({
  format: v.exactOptional(v.literal('english')),
  bidCount: StoredCount,
  leader: v.nullable(LeaderFields),
  ...moments,
  corrections: v.exactOptional(correctionsWith(CorrectableTerms)),
  repairs: v.exactOptional(
    v.object({
      ...repairs,
      /** The lowered reserve; 0 if it was removed. */
      reservePriceMinor: v.exactOptional(StoredAmountMinor),
      withdrawn,
    }),
  ),
})
export type EnglishState = Readonly<v.InferOutput<typeof StateFields>>

export const noBids = { bidCount: 0, leader: null }

/** Who leads an auction, at which amount, and its number of bids. */
export type EnglishStanding = Pick<EnglishState, 'leader' | 'bidCount'>

/** The terms with the reserve and the latest end as repairs have left them. */
export function asRepaired<Terms extends EnglishTerms>(
  terms: Terms,
  { reservePriceMinor, latestEndShiftMs = 0 }: NonNullable<EnglishState['repairs']>,
): Terms {
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
  } as Terms // The cast: the reserve is optional.
}

/** The state after an event that other formats do not have. */
export function evolve(state: EnglishState, recorded: Recorded<OwnEvent>): EnglishState {
  const { event, atMs } = recorded
  switch (event.type) {
    case 'bid-placed':
    case 'maximum-raised':
      return afterBid(state, recorded, event)
    case 'reserve-lowered':
      return afterLowering(state, recorded, event)
    case 'bought':
      return closed(state, atMs, boughtBy(event))
    default:
      return event satisfies never
  }
}

function afterBid(
  state: EnglishState,
  { id, atMs }: Recorded<unknown>,
  event: BidPlaced | MaximumRaised,
): EnglishState {
  const extendedEndMs = event.extendedEndMs ?? state.extendedEndMs
  const next = {
    phase: 'open',
    bidCount: state.bidCount + bidCountOf(event),
    leader: leaderAfter(state.leader, id, event),
    atMs,
  } as const
  return withRest<EnglishState>(next, extendedEndMs, state)
}

/** The number of bids in an event. */
export const bidCountOf = ({ type, automatic }: BidPlaced | MaximumRaised): number =>
  (type === 'bid-placed' ? 1 : 0) + (automatic === undefined ? 0 : 1)

/** The leader after a bid or a raised maximum whose entry has this id. */
export function leaderAfter(before: Leader | null, id: EntryId, event: BidPlaced | MaximumRaised): Leader | null {
  const { automatic, bidderId, maximumMinor } = event
  if (automatic !== undefined) {
    const isOwn = automatic.bidderId === bidderId
    const ceilingMinor = isOwn ? maximumMinor : before?.maximumMinor
    const paddle = isOwn ? event.admission?.paddle : before?.paddle
    return leaderWith(automaticBidId(id), automatic.bidderId, automatic.amountMinor, ceilingMinor, paddle)
  }
  if (event.type === 'maximum-raised') return before && { ...before, maximumMinor: event.maximumMinor }
  // A leader who raises their bid keeps their maximum.
  const own = maximumMinor ?? (before?.bidderId === bidderId ? before.maximumMinor : undefined)
  return leaderWith(bidIdOf(id), bidderId, event.amountMinor, own, event.admission?.paddle)
}

function afterLowering(state: EnglishState, recorded: Recorded<unknown>, event: ReserveLowered): EnglishState {
  const { reservePriceMinor, automatic } = event
  const lowered = afterRepair(state, recorded, { reservePriceMinor })
  if (automatic === undefined) return lowered
  const bidId = automaticBidId(recorded.id)
  const leader = leaderWith(
    bidId,
    automatic.bidderId,
    automatic.amountMinor,
    state.leader?.maximumMinor,
    state.leader?.paddle,
  )
  return { ...lowered, leader, bidCount: state.bidCount + 1 }
}

/** Omits a maximum that does not exceed the amount. */
export const leaderWith = (
  bidId: BidId,
  bidderId: Leader['bidderId'],
  amountMinor: Leader['amountMinor'],
  maximumMinor: Leader['maximumMinor'],
  paddle: Leader['paddle'],
): Leader => {
  const leader =
    maximumMinor !== undefined && maximumMinor > amountMinor
      ? { bidId, bidderId, amountMinor, maximumMinor }
      : { bidId, bidderId, amountMinor }
  return paddle === undefined ? leader : { ...leader, paddle }
}
