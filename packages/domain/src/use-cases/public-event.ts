import type { ListedAuction } from '../auction/auction.ts'
import type { Bid } from '../auction/bid.ts'
import { type CorrectedField, correctedFields } from '../auction/correction.ts'
import { automaticBidOf, bidOf, type Entry, isBidEntry } from '../auction/entry.ts'
import type { AuctionEvent, Corrected, Repair, Role } from '../auction/events.ts'
import type { Metadata } from '../auction/metadata.ts'
import type { AuctionResult, AuctionState } from '../auction/state.ts'
import { type AuctionStatus, shownAtMs } from '../auction/status.ts'
import { type ListedView, viewOf } from '../auction/view.ts'
import { defined } from '../values/defined.ts'
import type { AuctionId, UserId } from '../values/ids.ts'
import { type Moment, momentAt } from '../values/moment.ts'
import type { Currency } from '../values/money.ts'

/**
 * What anyone who may read an auction can see of one entry of its ledger: never a reserve or a maximum. An entry that
 * shows nothing, such as a raised maximum that leaves the price as it is, has no event, so sequences have gaps.
 */
export type PublicEvent = BidsEvent | CorrectedEvent | RepairEvent | EndedEvent

type Recorded = {
  readonly auctionId: AuctionId
  readonly sequence: number
  readonly atMs: number
}

/** A bid without what only its bidder may see. */
export type PublicBid = Pick<
  Bid,
  'id' | 'auctionId' | 'bidderId' | 'amountMinor' | 'currency' | 'timestampMs' | 'automatic'
>

type Shown = Pick<
  ListedView,
  | 'currentPriceMinor'
  | 'minimumNextBidMinor'
  | 'maximumNextBidMinor'
  | 'bidCount'
  | 'leaderId'
  | 'effectiveEndTime'
  | 'isReserveMet'
  | 'isBuyNowOffered'
> & { readonly currency: Currency }

/** One bid, or two: the second is the automatic bid that it caused. With the values of the view after them. */
export type BidsEvent = Recorded &
  Shown & {
    readonly type: 'bids'
    readonly bids: readonly PublicBid[]
    /** The leader whom the bids outbid; absent if the auction had no bids, or its leader still leads. */
    readonly previousLeaderId?: UserId
  }

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
  | ({ readonly type: 'reserve-lowered'; readonly reason?: string } & By & {
        /** The bid at the reserve that the service placed for the leader, if any: at most one. */
        readonly bids: readonly PublicBid[]
      })

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
export function publicEventOf(auction: ListedAuction, entry: Entry, before: AuctionState): PublicEvent | undefined {
  const { auctionId, sequence, atMs, state, currency } = entry
  const recorded = { auctionId, sequence, atMs }
  if (state.phase === 'closed') {
    // A second cancellation changes nothing.
    if (before.phase === 'closed') return undefined
    const { status, auction: shown } = viewOf(auction, state, atMs)
    const ended = { type: 'ended', ...recorded, status, result: state.result, currency } as const
    return shown.metadata === undefined ? ended : { ...ended, metadata: shown.metadata }
  }
  if (isCorrectedEntry(entry)) return correctedEventOf(entry)
  if (isRepairEntry(entry)) return repairEventOf(auction, entry)
  const bids = publicBidsOf(entry)
  return bids.length === 0
    ? undefined
    : { ...{ type: 'bids', ...recorded, bids, ...shownAfter(auction, entry) }, ...outbidLeaderOf(before, state) }
}

type RepairEntry = Entry<Repair>

const repairTypes: readonly AuctionEvent['type'][] = ['extended', 'withdrawn', 'ended-early', 'reserve-lowered']

export const isRepairEntry = (entry: Entry): entry is RepairEntry => repairTypes.includes(entry.event.type)

export const isCorrectedEntry = (entry: Entry): entry is Entry<Corrected> => entry.event.type === 'corrected'

export function correctedEventOf({ auctionId, sequence, atMs, event }: Entry<Corrected>): CorrectedEvent {
  const ofTerms: readonly string[] = event.terms?.fields ?? []
  const isCorrected = (name: CorrectedField) => Object.hasOwn(event, name) || ofTerms.includes(name)
  const fields = correctedFields.filter(isCorrected)
  return defined({ type: 'corrected', auctionId, sequence, atMs, fields, by: event.by } as const)
}

export function repairEventOf(auction: ListedAuction, entry: RepairEntry): RepairEvent {
  const { auctionId, sequence, atMs, event } = entry
  return { ...repairedBy(entry, event), auctionId, sequence, atMs, ...shownAfter(auction, entry) }
}

function repairedBy(entry: RepairEntry, event: Repair): Repaired {
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
    case 'reserve-lowered':
      return defined({ type: event.type, by: event.by, reason: event.reason, bids: publicBidsOf(entry) })
    default:
      return event satisfies never
  }
}

function outbidLeaderOf(before: AuctionState, { leader }: AuctionState): Pick<BidsEvent, 'previousLeaderId'> {
  const previousLeaderId = before.leader?.bidderId
  return previousLeaderId === undefined || previousLeaderId === leader?.bidderId ? {} : { previousLeaderId }
}

/** The bids of an entry, the first one first. */
function publicBidsOf(entry: Entry): readonly PublicBid[] {
  const own = isBidEntry(entry) && entry.event.type === 'bid-placed' ? [publicBid(bidOf(entry))] : []
  const automatic = automaticBidOf(entry)
  return automatic === undefined ? own : [...own, publicBid(automatic)]
}

const publicBid = ({ id, auctionId, bidderId, amountMinor, currency, timestampMs, automatic }: Bid): PublicBid =>
  defined({ id, auctionId, bidderId, amountMinor, currency, timestampMs, automatic })

function shownAfter(auction: ListedAuction, entry: Entry): Shown {
  const { state, currency } = entry
  const view = viewOf(auction, state, isRepairEntry(entry) ? shownAtMs(auction, state) : entry.atMs)
  return {
    currentPriceMinor: view.currentPriceMinor,
    minimumNextBidMinor: view.minimumNextBidMinor,
    maximumNextBidMinor: view.maximumNextBidMinor,
    bidCount: view.bidCount,
    leaderId: view.leaderId,
    effectiveEndTime: view.effectiveEndTime,
    isReserveMet: view.isReserveMet,
    isBuyNowOffered: view.isBuyNowOffered,
    currency,
  }
}
