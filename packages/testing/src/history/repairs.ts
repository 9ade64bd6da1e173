import type { Auction } from '@auction/domain/auction'
import { momentAt } from '@auction/domain/moment'
import type { Entry } from '@auction/domain/store'
import { show, type WantedRepair } from '../history.ts'
import type { Finding } from './formats/format.ts'
import { formatOf } from './formats/formats.ts'
import { blockIn, endMs, endOfClosing, isBlocked, isExtension } from './life.ts'
import { hasHadBids, requestIn } from './rules.ts'

const mostRepairs = 50

/** The repair that an entry records, as clients request it, without its consequences; undefined for other entries. */
export function repairIn(entry: Entry): WantedRepair | undefined {
  const { auctionId, event } = entry
  switch (event.type) {
    case 'extended': {
      const { editor, reason } = event
      return { type: 'extend-auction', repair: { auctionId, editor, reason, endTime: momentAt(event.endMs) } }
    }
    case 'withdrawn': {
      const { bidderId, editor, reason } = event
      const block = blockIn(event)
      const repair = { auctionId, editor, reason, bidderId, ...(block !== undefined && { isBlocked: block }) }
      return { type: 'withdraw-bidder', repair }
    }
    case 'ended-early':
      return { type: 'end-auction', repair: { auctionId, editor: event.editor, reason: event.reason } }
    default: {
      const request = requestIn(entry)
      return request?.type === 'lower-reserve' ? request : undefined
    }
  }
}

/** The text of a request for a repair, without its user. */
export function askedForRepair({ type, repair }: WantedRepair): string {
  const endsMs = 'endTime' in repair ? repair.endTime.epochMs : undefined
  return show({ type, ...repair, requesterId: undefined, mayLowerAny: undefined, endTime: endsMs })
}

/** Returns whether staff have used up their repairs. What may be the only repair by the owner does not count. */
export const isRepairedOften = (before: Entry | undefined): boolean =>
  (before?.state.repairs?.entryIds.length ?? 0) - (hasOwnersRepair(before) ? 1 : 0) >= mostRepairs

/** Returns whether repairs have changed terms before the first bid: a block changes none. */
export const hasRepairedTerms = (before: Entry | undefined): boolean =>
  before?.state.repairs?.latestEndShiftMs !== undefined || hasOwnersRepair(before)

const hasOwnersRepair = (before: Entry | undefined): boolean =>
  before !== undefined && formatOf(before.state).hasOwnersRepair?.(before) === true

/** Returns whether an entry is by the owner, if owner and staff may send its request. */
export const isByOwner = ({ event }: Entry): boolean => 'by' in event && event.by === 'owner'

/**
 * The repairs in the state after an entry.
 * @param own the members that the format adds
 */
export function expectedRepairs(auction: Auction, entry: Entry, before: Entry | undefined, own: object | undefined) {
  const { id, sequence, event } = entry
  const earlier = before?.state.repairs
  if (repairIn(entry) === undefined) return earlier
  const repairs = { ...earlier, entryIds: [...(earlier?.entryIds ?? []), id], ...own }
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
      const { hidesOwn } = formatOf(auction)
      const others = (earlier?.withdrawn ?? []).filter((each) => each.bidderId !== bidderId)
      const throughSequence = hidesOwn === true || hasHadBids(before) ? sequence - 1 : 0
      // A blocked bidder stays blocked until a request with `block` false.
      const isStill = event.isUnblocked !== true && isBlocked(bidderId, before)
      const withdrawn = { bidderId, throughSequence, isBlocked: event.isBlocked ?? (isStill || undefined) }
      return { ...repairs, withdrawn: [...others, withdrawn] }
    }
    default:
      return repairs
  }
}

/**
 * What is wrong with a repair.
 * @param withdrawn the standing after the withdrawal that the entry is
 */
export function findingsOfRepair(
  auction: Auction,
  before: Entry | undefined,
  entry: Entry,
  withdrawn: object | undefined,
): Finding[] {
  const { atMs, event } = entry
  const presentMs = endMs(auction, before)
  const common: Finding[] = [
    !isByOwner(entry) && isRepairedOften(before) && [6, 'is one repair too many'],
    event.type !== 'extended' && atMs >= presentMs && [3, `is a repair at ${atMs}, after the end`],
  ]
  const isMoved = 'previousEndMs' in event && event.previousEndMs !== presentMs
  if (isMoved) common.push([6, `moves the end from ${event.previousEndMs} instead of ${presentMs}`])
  switch (event.type) {
    case 'extended': {
      const isPossible = isExtension(event.endMs, presentMs, atMs)
      return [...common, !isPossible && [6, `extends the end at ${atMs} from ${presentMs} to ${event.endMs}`]]
    }
    case 'ended-early': {
      const expectedMs = endOfClosing(presentMs, atMs)
      return [
        ...common,
        event.endMs !== expectedMs && [6, `ends the auction at ${event.endMs} instead of ${expectedMs}`],
        atMs < auction.startTime.epochMs && [6, `ends the auction at ${atMs}, before its start`],
      ]
    }
    case 'withdrawn': {
      const recorded = show(formatOf(auction).standingIn(event))
      const isFreed = event.isUnblocked === true && !isBlocked(event.bidderId, before)
      return [
        ...common,
        isFreed && [6, `is wrong about whether bidder ${event.bidderId} was blocked`],
        recorded !== show(withdrawn) && [2, `has the standing ${recorded} instead of ${show(withdrawn)}`],
      ]
    }
    default:
      return common
  }
}
