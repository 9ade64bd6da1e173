import * as v from 'valibot'
import { defined } from '../values/defined.ts'
import { type EntryId, StoredEntryId, StoredUserId, type UserId } from '../values/ids.ts'
import type { AmountMinor } from '../values/money.ts'
import { StoredInteger } from '../values/primitives.ts'
import type { CommonCorrectableTerms } from './common-terms.ts'
import { type AuctionResult, ResultFields } from './life-events.ts'
import { StoredMetadata } from './metadata.ts'

// The state of an auction of any format. Each format has what stands after its offers among these members.

/**
 * The corrections of an auction. The long description stays in its entry, since every later entry has this state.
 * @param terms all terms of the format that can be corrected
 */
export const correctionsWith = <Terms extends v.GenericSchema>(terms: Terms) =>
  v.object({
    count: v.pipe(StoredInteger, v.minValue(1)),
    /** The time of the last one, in milliseconds since 1970. */
    atMs: StoredInteger,
    /** The corrected title, null if it was removed. Absent if only the description was corrected. */
    title: v.exactOptional(v.nullable(v.string())),
    /** The id of the entry with the corrected description. Absent if only the title was corrected. */
    descriptionIn: v.exactOptional(StoredEntryId),
    /** The metadata after a correction, null if it was removed. */
    metadata: v.exactOptional(v.nullable(StoredMetadata)),
    /** The terms after a correction of terms: they replace those of the creation. */
    terms: v.exactOptional(terms),
  })

/** The repairs of an auction. */
export const repairs = {
  /** The ids of their entries, the oldest first: at least one. */
  entryIds: v.array(StoredEntryId),
  /** The sum of all moves of the end by staff. The latest end of a soft close moves as much. */
  latestEndShiftMs: v.exactOptional(StoredInteger),
  /** Set while the end is one to which staff have brought it forward. */
  isEndedEarly: v.exactOptional(v.literal(true)),
}

/**
 * The bidders whose bids up to this sequence do not count, and whether they may bid again. 0: the bidder was blocked
 * before the first bid of the auction.
 */
export const withdrawn = v.exactOptional(
  v.array(
    v.object({
      bidderId: StoredUserId,
      throughSequence: StoredInteger,
      isBlocked: v.exactOptional(v.literal(true)),
    }),
  ),
)

const RepairsFields = v.object({ ...repairs, withdrawn })
type Repairs = Readonly<v.InferOutput<typeof RepairsFields>>

export const moments = {
  /** The version of stored entries with this state. Absent: the first. */
  version: v.exactOptional(v.literal(2)),
  /** The time of the last entry, in milliseconds since 1970; 0 without entries. It never decreases. */
  atMs: StoredInteger,
  /** The effective end, in milliseconds since 1970, if bids or staff have moved it. */
  extendedEndMs: v.exactOptional(StoredInteger),
}

/** The two phases of a state with these members. */
export const phasesWith = <Members extends v.ObjectEntries>(members: Members) =>
  v.variant('phase', [
    v.object({ phase: v.literal('open'), ...members }),
    v.object({ phase: v.literal('closed'), ...members, result: ResultFields }),
  ])

/** What the state of an auction of any format has. The absent name of the format is English. */
type InEveryPhase = {
  readonly atMs: number
  readonly extendedEndMs?: number
  readonly format?: string
  readonly version?: 2
  /** Absent if the auction is as it was created. */
  readonly corrections?: Readonly<
    v.InferOutput<ReturnType<typeof correctionsWith<v.GenericSchema<unknown, CommonCorrectableTerms>>>>
  >
  /** Absent if the auction was never repaired. */
  readonly repairs?: Repairs
}

/** The final state of an auction of any format. */
export type ClosedLife = InEveryPhase & { readonly phase: 'closed'; readonly result: AuctionResult }

/** The state of an auction of any format. */
export type Life = (InEveryPhase & { readonly phase: 'open' }) | ClosedLife

/** When and how an auction ended. */
export type AuctionEnd = { readonly endedMs: number; readonly outcome: AuctionResult['outcome'] }

/** How often what the agenda knows of an auction may have been changed by corrections and repairs. */
export const changeCountOf = ({ corrections, repairs }: Life): number =>
  (corrections?.count ?? 0) + (repairs?.entryIds.length ?? 0)

export const isBlocked = ({ repairs }: Life, bidderId: UserId): boolean =>
  repairs?.withdrawn?.some((bidder) => bidder.bidderId === bidderId && bidder.isBlocked === true) === true

/** An event with the id, position and time of its entry. */
export type Recorded<Event> = {
  readonly id: EntryId
  readonly sequence: number
  readonly atMs: number
  readonly event: Event
}

/** Most auctions have none of these members, so their states are not copied. */
export function withRest<State extends Life>(
  next: State,
  extendedEndMs: number | undefined,
  { version, corrections, repairs }: State,
): State {
  if (extendedEndMs === undefined && version === undefined && corrections === undefined && repairs === undefined)
    return next
  return { ...next, ...defined({ version, extendedEndMs, corrections, repairs }) }
}

/** The state with another repair: its members replace those of earlier ones, and undefined removes one. */
export function afterRepair<State extends Life>(
  state: State,
  { id, atMs }: Recorded<unknown>,
  members: { readonly [Name in keyof NonNullable<State['repairs']>]?: NonNullable<State['repairs']>[Name] | undefined },
): State {
  const entryIds = [...(state.repairs?.entryIds ?? []), id]
  return { ...state, atMs, repairs: { ...defined({ ...state.repairs, ...members }), entryIds } }
}

/** The result of a purchase. */
export const boughtBy = ({ buyerId, priceMinor, admission }: Purchased): AuctionResult =>
  defined({ outcome: 'bought', buyerId, priceMinor, paddle: admission?.paddle } as const)
type Purchased = {
  readonly buyerId: UserId
  readonly priceMinor: AmountMinor
  readonly admission?: { readonly paddle?: string }
}

export function closed<State extends Life>(state: State, atMs: number, result: AuctionResult): State {
  const { phase: _, atMs: __, extendedEndMs, corrections: ___, repairs: ____, ...standing } = state
  // The cast: these are all members of a state.
  return withRest({ phase: 'closed', ...standing, atMs, result } as Life, extendedEndMs, state) as State
}
