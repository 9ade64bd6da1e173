import type { Auction, AuctionEvent } from '@auction/domain/auction'
import type { Entry } from '@auction/domain/store'
import { type ReserveReductionOf, show } from '../history.ts'
import { endMs, type Finding, hasHadBids, leaderOf } from './rules.ts'
import { afterLowering, type Standing } from './standing.ts'

const mostRepairs = 50
const furthestExtensionMs = 30 * 24 * 3_600_000

export type RepairEvent = Extract<
  AuctionEvent,
  { readonly type: 'extended' | 'withdrawn' | 'ended-early' | 'reserve-lowered' }
>

export const isRepair = (event: AuctionEvent): event is RepairEvent =>
  ['extended', 'withdrawn', 'ended-early', 'reserve-lowered'].includes(event.type)

/** Returns whether staff have used up their repairs. What may be the only repair by the owner does not count. */
export const isRepairedOften = (before: Entry | undefined): boolean =>
  (before?.state.repairs?.entryIds.length ?? 0) - (wasLowered(before) ? 1 : 0) >= mostRepairs

/** Returns whether the reserve is lower than that of the creation, or was removed. */
export const wasLowered = (before: Entry | undefined): boolean => before?.state.repairs?.reservePriceMinor !== undefined

/** Returns whether repairs have changed terms before the first bid: a block changes none. */
export const hasRepairedTerms = (before: Entry | undefined): boolean =>
  before?.state.repairs?.latestEndShiftMs !== undefined || wasLowered(before)

/** Returns whether a withdrawal changes something: one that unblocks withdraws no bids. */
export const isEffective = (wanted: boolean | undefined, wasBlocked: boolean, hasBids: boolean): boolean =>
  wanted === false ? wasBlocked : hasBids || (wanted === true && !wasBlocked)

/** Who lowers a reserve: an owner who may lower any does so as staff, with a reason. */
export const lowererOf = ({ requesterId, mayLowerAny, reason }: ReserveReductionOf, ownerId: number | undefined) =>
  requesterId === ownerId && requesterId !== undefined && !(mayLowerAny === true && reason !== undefined)
    ? 'owner'
    : 'staff'

/** What a withdrawal says about blocking: true, false for a bidder who may bid again, or nothing. */
export const blockIn = ({ isBlocked, isUnblocked }: Extract<RepairEvent, { readonly type: 'withdrawn' }>) =>
  isUnblocked === true ? false : isBlocked

export const isBlocked = (bidderId: number, before: Entry | undefined): boolean =>
  before?.state.repairs?.withdrawn?.some((each) => each.bidderId === bidderId && each.isBlocked === true) === true

/** Returns whether an end can replace the one in effect at a time. */
export const isExtension = (wantedMs: number, presentMs: number, atMs: number): boolean =>
  wantedMs > Math.max(presentMs, atMs) && wantedMs <= presentMs + furthestExtensionMs

/** The end that a closing makes: bids that arrived until then count. */
const endOfClosing = (presentMs: number, atMs: number): number => Math.min(presentMs, atMs + 1)

/** Returns whether a reserve is lower than the one in effect; 0 removes any. */
export const isLowering = ({ reservePriceMinor }: Auction, wantedMinor: number): boolean =>
  reservePriceMinor !== undefined && (wantedMinor < reservePriceMinor || wantedMinor === 0)

/** The standing after a repair. That after a withdrawal is computed from all entries. */
export function standingAfterRepair(
  { id, event }: Entry<RepairEvent>,
  before: Entry | undefined,
  withdrawn: Standing | undefined,
): Standing {
  const present = { leader: leaderOf(before), bidCount: before?.state.bidCount ?? 0 }
  if (event.type === 'withdrawn') return withdrawn ?? present
  if (event.type === 'reserve-lowered') return afterLowering(id + 1, event.reservePriceMinor, present)
  return present
}

/** The repairs in the state after an entry. */
export function expectedRepairs(auction: Auction, { id, sequence, event }: Entry, before: Entry | undefined) {
  const earlier = before?.state.repairs
  if (!isRepair(event)) return earlier
  const repairs = { ...earlier, entryIds: [...(earlier?.entryIds ?? []), id] }
  switch (event.type) {
    case 'extended':
    case 'ended-early': {
      const movedMs = event.endMs - endMs(auction, before)
      const latestEndShiftMs = (earlier?.latestEndShiftMs ?? 0) + movedMs
      const isEndedEarly = event.type === 'ended-early' && (movedMs < 0 || earlier?.isEndedEarly === true)
      return { ...repairs, latestEndShiftMs, isEndedEarly: isEndedEarly || undefined }
    }
    case 'withdrawn': {
      const { bidderId } = event
      const others = (earlier?.withdrawn ?? []).filter((each) => each.bidderId !== bidderId)
      const throughSequence = hasHadBids(before) ? sequence - 1 : 0
      const withdrawn = { bidderId, throughSequence, isBlocked: event.isBlocked }
      return { ...repairs, withdrawn: [...others, withdrawn] }
    }
    case 'reserve-lowered':
      return { ...repairs, reservePriceMinor: event.reservePriceMinor }
    default:
      return event satisfies never
  }
}

/** What is wrong with a repair on its own. */
export function findingsOfRepair(
  auction: Auction,
  before: Entry | undefined,
  { id, atMs, event }: Entry<RepairEvent>,
  withdrawn: Standing | undefined,
): Finding[] {
  const presentMs = endMs(auction, before)
  const isByOwner = event.type === 'reserve-lowered' && event.by === 'owner'
  const common: Finding[] = [
    !isByOwner && isRepairedOften(before) && [6, 'is one repair too many'],
    event.type !== 'extended' && atMs >= presentMs && [3, `is a repair at ${atMs}, after the end`],
  ]
  switch (event.type) {
    case 'extended':
      return [
        ...common,
        event.previousEndMs !== presentMs && [6, `moves the end from ${event.previousEndMs} instead of ${presentMs}`],
        !isExtension(event.endMs, presentMs, atMs) && [
          6,
          `extends the end at ${atMs} from ${presentMs} to ${event.endMs}`,
        ],
      ]
    case 'ended-early': {
      const expectedMs = endOfClosing(presentMs, atMs)
      return [
        ...common,
        event.previousEndMs !== presentMs && [6, `moves the end from ${event.previousEndMs} instead of ${presentMs}`],
        event.endMs !== expectedMs && [6, `ends the auction at ${event.endMs} instead of ${expectedMs}`],
        atMs < auction.startTime.epochMs && [6, `ends the auction at ${atMs}, before its start`],
      ]
    }
    case 'withdrawn': {
      const { leader, bidCount } = event
      const right = show(withdrawn)
      const isFreed = isBlocked(event.bidderId, before) && event.isBlocked !== true
      return [
        ...common,
        (event.isUnblocked === true) !== isFreed && [6, `is wrong about whether bidder ${event.bidderId} was blocked`],
        show({ leader, bidCount }) !== right && [
          2,
          `has the standing ${show({ leader, bidCount })} instead of ${right}`,
        ],
      ]
    }
    case 'reserve-lowered': {
      const lowered = standingAfterRepair({ id, event } as Entry<RepairEvent>, before, undefined)
      const { bidderId, amountMinor } = lowered.leader ?? {}
      const hasReply = lowered.bidCount > (before?.state.bidCount ?? 0)
      const reply = hasReply ? { bidderId, amountMinor } : undefined
      return [
        ...common,
        isByOwner && wasLowered(before) && [6, 'lowers the reserve again for its owner'],
        event.by === 'staff' && event.reason === undefined && [6, 'lowers the reserve for staff without a reason'],
        !isLowering(auction, event.reservePriceMinor) && [
          6,
          `lowers the reserve to ${event.reservePriceMinor} from ${auction.reservePriceMinor}`,
        ],
        show(event.automatic) !== show(reply) && [
          2,
          `has the reply ${show(event.automatic)} instead of ${show(reply)}`,
        ],
      ]
    }
    default:
      return event satisfies never
  }
}
