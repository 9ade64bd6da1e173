import type { Auction } from '../../auction/auction.ts'
import type { BidPlaced, MaximumRaised } from '../../auction/events.ts'
import type { BidEntry, Entry } from '../../ledger/entry.ts'
import { show } from '../history.ts'
import { ceilingMinor, expectedReply } from './bidding-rules.ts'
import type { Fault } from './check-end.ts'
import { endMs, expectedMove, leastMinor } from './rules.ts'

/** What of a bid, or of a maximum that was raised, the rules do not allow. */
export function faultsOfBid(
  auction: Auction,
  before: Entry | undefined,
  atMs: number,
  event: BidEntry['event'],
): readonly (Fault | false)[] {
  const leader = before?.state.leader ?? null
  const reply = expectedReply(auction, event, leader)
  const movedMs = expectedMove(auction, before, atMs, event)
  return [
    ...(event.type === 'bid-placed' ? faultsOfOffer(auction, before, event) : faultsOfRaise(before, event)),
    event.bidderId === auction.ownerId && [2, 'is a bid of the owner'],
    show(event.automatic) !== show(reply) && [2, `has the reply ${show(event.automatic)} instead of ${show(reply)}`],
    (atMs < auction.startTime.epochMs || atMs >= endMs(auction, before)) && [3, `is a bid of ${atMs}, out of time`],
    event.extendedEndMs !== movedMs && [3, `moves the end to ${event.extendedEndMs} instead of ${movedMs}`],
  ]
}

function faultsOfOffer(
  auction: Auction,
  before: Entry | undefined,
  { bidderId, amountMinor, maximumMinor }: BidPlaced,
): readonly (Fault | false)[] {
  const least = leastMinor(auction, before)
  const isRaise = maximumMinor !== undefined && before?.state.leader?.bidderId === bidderId
  return [
    (least === undefined || amountMinor < least) && [
      2,
      `offers ${amountMinor} where ${least} minor units were the least`,
    ],
    isRaise && [2, 'is a bid, where the leader only raised its maximum'],
    maximumMinor !== undefined && maximumMinor < amountMinor && [2, 'has a maximum below its amount'],
  ]
}

function faultsOfRaise(
  before: Entry | undefined,
  { bidderId, amountMinor, maximumMinor }: MaximumRaised,
): readonly (Fault | false)[] {
  const leader = before?.state.leader ?? null
  if (leader?.bidderId !== bidderId) return [[2, 'raises the maximum of somebody who does not lead']]
  const presentMinor = ceilingMinor(leader)
  return [
    maximumMinor <= presentMinor && [2, `raises a maximum to ${maximumMinor} from ${presentMinor} minor units`],
    maximumMinor < amountMinor && [2, 'has a maximum below its amount'],
  ]
}
