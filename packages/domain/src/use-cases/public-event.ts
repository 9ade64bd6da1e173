import type { Terms } from '../auction/auction.ts'
import { type CorrectedField, correctedFields } from '../auction/correction.ts'
import { type AuctionEntry, isRepairEntry } from '../auction/entry.ts'
import type { Corrected, OwnRepair, Repair } from '../auction/events.ts'
import type { AnyTypes, Named } from '../auction/formats/formats.ts'
import { formatOf } from '../auction/formats/formats.ts'
import type { AuctionResult, Role } from '../auction/life-events.ts'
import type { Metadata } from '../auction/metadata.ts'
import { publicSequenceOf } from '../auction/public-sequence.ts'
import type { AuctionState } from '../auction/state.ts'
import { type AuctionStatus, shownAtMs } from '../auction/status.ts'
import { type ListedView, viewOf } from '../auction/view.ts'
import { defined } from '../values/defined.ts'
import type { AuctionId, SaleId, UserId } from '../values/ids.ts'
import { type Moment, momentAt } from '../values/moment.ts'
import type { Currency } from '../values/money.ts'

/**
 * What anyone who may read an auction can see of one entry of its ledger: never a reserve or a maximum. An entry that
 * shows nothing, such as a raised maximum that leaves the price as it is, has no event, so sequences have gaps.
 */
export type PublicEvent = BidsEvent | CorrectedEvent | RepairEvent | EndedEvent

type Recorded = {
  readonly auctionId: AuctionId
  /** That of the ledger, or its number among the entries that everyone may see. */
  readonly sequence: number
  readonly atMs: number
  /** The sale of a lot, and its number in the sale. */
  readonly saleId?: SaleId
  readonly lot?: string
}

type Shown = AnyTypes['shown'] & Pick<ListedView, 'effectiveEndTime'> & Named & { readonly currency: Currency }

type OfType<Type extends string> = Extract<AnyTypes['publicEvent'], { readonly type: Type }>
type OwnRepairType = OwnRepair['type']

/** Bids of one entry, or other offers, with the values of the view after them. */
export type BidsEvent = Recorded & Shown & Exclude<AnyTypes['publicEvent'], { readonly type: OwnRepairType }>

/**
 * The auction was corrected. Without the texts, because a later correction may have removed them, and without other
 * values, because a reserve is secret.
 */
export type CorrectedEvent = Recorded & {
  readonly type: 'corrected'
  /** At least one. */
  readonly fields: readonly CorrectedField[]
} & By

/** Who did it. Undefined if an earlier version recorded it, which did not keep that. */
type By = { readonly by?: Role }

/**
 * The auction was repaired, with the values of the view after that: the price may be lower, and the end earlier or
 * later. Without the editor, who may be a user.
 */
export type RepairEvent = Recorded & Shown & Repaired

type Repaired =
  | ({ readonly type: 'extended' | 'ended-early' } & Reasoned & {
        /** The end before it. */
        readonly previousEndTime: Moment
      })
  | ({ readonly type: 'withdrawn' } & Reasoned & {
        /** All bids of this bidder so far do not count. */
        readonly bidderId: UserId
        /** True if the bidder may not bid again; false if the bidder was blocked, and may. */
        readonly isBlocked?: boolean
      })
  | OfType<OwnRepairType>

type Reasoned = { readonly by: 'staff'; readonly reason: string }

/** The final result. No event follows it. */
export type EndedEvent = Recorded & {
  readonly type: 'ended'
  readonly status: AuctionStatus
  readonly result: AuctionResult
  readonly currency: Currency
  /** That of the auction, if it has some. */
  readonly metadata?: Metadata
}

/** The event of an entry, if it shows anything. `before` is the state before the entry. */
export function publicEventOf(auction: Terms, entry: AuctionEntry, before: AuctionState): PublicEvent | undefined {
  const { atMs, state, currency } = entry
  const recorded = recordedOf(auction, entry)
  if (state.phase === 'closed') {
    // A second cancellation changes nothing.
    if (before.phase === 'closed') return undefined
    const { status, auction: shown } = viewOf(auction, state, atMs)
    const ended = { type: 'ended', ...recorded, status, result: state.result, currency } as const
    return shown.metadata === undefined ? ended : { ...ended, metadata: shown.metadata }
  }
  if (isCorrectedEntry(entry)) return correctedEventOf(auction, entry)
  if (isRepairEntry(entry)) return repairEventOf(auction, entry)
  const event = formatOf(auction).publicEvent(entry, before)
  // The cast: it is no repair.
  return event && ({ ...event, ...recorded, ...shownAfter(auction, entry) } as BidsEvent)
}

type RepairEntry = AuctionEntry<Repair>

export const isCorrectedEntry = (entry: AuctionEntry): entry is AuctionEntry<Corrected> =>
  entry.event.type === 'corrected'

export function correctedEventOf(auction: Terms, entry: AuctionEntry<Corrected>): CorrectedEvent {
  const { event } = entry
  const ofTerms: readonly string[] = event.terms?.fields ?? []
  const isCorrected = (name: CorrectedField) => Object.hasOwn(event, name) || ofTerms.includes(name)
  const fields = correctedFields.filter(isCorrected)
  return defined({ type: 'corrected', ...recordedOf(auction, entry), fields, by: event.by } as const)
}

export function repairEventOf(auction: Terms, entry: RepairEntry): RepairEvent | undefined {
  const repaired = repairedBy(entry, entry.event)
  return repaired && { ...repaired, ...recordedOf(auction, entry), ...shownAfter(auction, entry) }
}

function repairedBy(entry: RepairEntry, event: Repair): Repaired | undefined {
  switch (event.type) {
    case 'extended':
    case 'ended-early': {
      const { type, reason, previousEndMs } = event
      return { type, by: 'staff', reason, previousEndTime: momentAt(previousEndMs) }
    }
    case 'withdrawn': {
      const { type, reason, bidderId, isUnblocked } = event
      const isBlocked = isUnblocked === true ? false : event.isBlocked
      return defined({ type, by: 'staff', reason, bidderId, isBlocked } as const)
    }
    default:
      // The cast: an event of a repair, if it shows something, is of its type. It does not depend on the state before.
      return formatOf(entry.state).publicEvent(entry, entry.state) as OfType<OwnRepairType> | undefined
  }
}

function recordedOf({ saleId, lot }: Terms, { auctionId, state, sequence, atMs }: AuctionEntry): Recorded {
  const recorded = { auctionId, sequence: publicSequenceOf(state, sequence), atMs }
  return saleId === undefined || lot === undefined ? recorded : { ...recorded, saleId, lot }
}

function shownAfter(auction: Terms, entry: AuctionEntry): Shown {
  const { state, currency } = entry
  const view = viewOf(auction, state, isRepairEntry(entry) ? shownAtMs(auction, state) : entry.atMs)
  const { format } = auction
  return {
    ...(format !== undefined && { format }),
    ...formatOf(auction).shown(view),
    effectiveEndTime: view.effectiveEndTime,
    currency,
  }
}
