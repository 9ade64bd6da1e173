import { defined } from '../values/defined.ts'
import type { Terms } from './auction.ts'
import type { AuctionEvent } from './events.ts'
import { type AnyTypes, formatOf, type Named, versionOf } from './formats/formats.ts'
import { afterRepair, closed, type Life, type Recorded } from './life.ts'
import type { Corrected, EndedEarly, Extended } from './life-events.ts'

/** The state of an auction. Every entry contains the state after it, so decisions need only the last entry. */
export type AuctionState = AnyTypes['state']

const initial = (members: Named & { readonly version?: 2 }): AuctionState =>
  // The cast: these are all members of a state of the format.
  Object.freeze({ phase: 'open', ...members, ...formatOf(members).none, atMs: 0 }) as AuctionState

/** The state of an English auction without entries, of the first version. */
export const initialState: AuctionState = initial({})

/** The states of auctions of the same format. */
type SameFormat<Of extends Named> = Extract<AuctionState, { readonly format?: Of['format'] }>

/** The state of an auction without entries. */
export function initialStateOf(terms: {
  readonly format?: 'english' | undefined
}): SameFormat<{ readonly format?: 'english' }>
export function initialStateOf<Of extends Named>(terms: Of): SameFormat<Of>
export function initialStateOf(terms: Named): AuctionState {
  if (versionOf(terms) === 1) return initialState
  const { format } = terms
  return initial({ ...(format !== undefined && { format }), version: 2 })
}

/**
 * The terms in a state: those of the creation, unless they were corrected, with the reserve and the latest end as
 * repairs have left them. It keeps all other fields.
 */
export function termsIn<Fields extends Terms>(created: Fields, { corrections, repairs }: AuctionState): Fields {
  // Bids of most auctions pass only this line.
  if (corrections === undefined && repairs === undefined) return created
  const terms = corrections === undefined ? created : asCorrected(created, corrections)
  if (repairs === undefined) return terms
  // The cast: a format keeps all other fields.
  return (formatOf(created).withRepairs?.(terms, repairs) ?? terms) as Fields
}

function asCorrected<Fields extends Terms>(
  created: Fields,
  { metadata, terms }: NonNullable<AuctionState['corrections']>,
): Fields {
  if (terms === undefined && metadata === undefined) return created
  const { correctable } = formatOf(created).stored
  const kept = Object.entries(created).filter(([name]) => {
    return (terms === undefined || !Object.hasOwn(correctable, name)) && (metadata === undefined || name !== 'metadata')
  })
  // The removed ones are optional.
  return { ...Object.fromEntries(kept), ...terms, ...(metadata && { metadata }) } as Fields
}

/** Whether the auction has had bids, even if all were withdrawn: the terms for which bidders have bid stay. */
const hasHadBids = (state: AuctionState): boolean =>
  formatOf(state).hasOffers(state) ||
  state.repairs?.withdrawn?.some(({ throughSequence }) => throughSequence > 0) === true

/** The reason why the owner can no longer change the auction freely: bidders must know what they bid for. */
export function refusalIfFixed(
  terms: Terms,
  state: AuctionState,
  nowMs: number,
): 'auction-has-bids' | 'auction-started' | undefined {
  if (formatOf(terms).isFixedFromStart === true) return nowMs < terms.startTime.epochMs ? undefined : 'auction-started'
  return hasHadBids(state) ? 'auction-has-bids' : undefined
}

/** The state after an event. */
export function evolve<State extends AuctionState>(state: State, recorded: Recorded<AuctionEvent>): SameFormat<State>
export function evolve(state: AuctionState, recorded: Recorded<AuctionEvent>): AuctionState {
  const next = afterEvent(state, recorded)
  const { actorOf, afterPublic } = formatOf(state)
  const isKept = afterPublic === undefined || next === state || actorOf(recorded.event) !== undefined
  return isKept ? next : afterPublic(next, recorded.sequence)
}

function afterEvent(state: AuctionState, recorded: Recorded<AuctionEvent>): AuctionState {
  const { id, sequence, atMs, event } = recorded
  switch (event.type) {
    case 'corrected':
      // The cast: the event has the terms of its format.
      return { ...state, atMs, corrections: correctionsAfter(state, recorded, event) } as AuctionState
    case 'extended':
    case 'ended-early':
      return { ...afterRepair(state, recorded, movedBy(state, event)), extendedEndMs: event.endMs }
    case 'withdrawn': {
      const { standingIn, keepsBidsApart } = formatOf(state)
      const standing = standingIn(event)
      const throughSequence = keepsBidsApart === true || hasHadBids(state) ? sequence - 1 : 0
      // The cast: what stands is that of the format.
      return {
        ...afterRepair(state, recorded, withdrawnBy(state, throughSequence, event)),
        ...standing,
      } as AuctionState
    }
    case 'cancelled':
      if (state.phase === 'closed') return state // Records only the key of a request.
      return closed(state, atMs, defined({ outcome: 'cancelled', reason: event.reason } as const))
    case 'closed':
      return closed(state, atMs, event.result)
    default:
      return formatOf(state).evolve(state, { id, sequence, atMs, event })
  }
}

function movedBy({ repairs }: Life, { type, endMs, previousEndMs }: Extended | EndedEarly) {
  const movedMs = endMs - previousEndMs
  // A repeated closing moves nothing.
  const isEndedEarly = type === 'ended-early' && (movedMs < 0 || repairs?.isEndedEarly === true)
  return {
    latestEndShiftMs: (repairs?.latestEndShiftMs ?? 0) + movedMs,
    isEndedEarly: isEndedEarly ? (true as const) : undefined,
  }
}

function withdrawnBy(
  { repairs }: Life,
  throughSequence: number,
  { bidderId, isBlocked, isUnblocked }: Extract<AuctionEvent, { type: 'withdrawn' }>,
) {
  const others = repairs?.withdrawn?.filter((earlier) => earlier.bidderId !== bidderId) ?? []
  const earlier = repairs?.withdrawn?.find((bidder) => bidder.bidderId === bidderId)
  const stays = isUnblocked === true ? undefined : earlier?.isBlocked
  return { withdrawn: [...others, defined({ bidderId, throughSequence, isBlocked: isBlocked ?? stays })] }
}

function correctionsAfter(
  { corrections }: Life,
  { id, atMs }: Recorded<unknown>,
  { title, description, metadata, terms }: Corrected,
): NonNullable<Life['corrections']> {
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
