import type { Auction, BidPlaced, MaximumRaised } from '@auction/domain/auction'
import type { BidEntry, Entry } from '@auction/domain/store'
import { show } from '../history.ts'
import { ceilingMinor, expectedReply } from './bidding-rules.ts'
import type { Finding } from './check-end.ts'
import { endMs, expectedMove, leastMinor } from './rules.ts'

/** The violations of the rules by a bid or a raised maximum. */
export function findingsOfBid(
  auction: Auction,
  before: Entry | undefined,
  atMs: number,
  event: BidEntry['event'],
): readonly (Finding | false)[] {
  const leader = before?.state.leader ?? null
  const reply = expectedReply(auction, event, leader)
  const movedMs = expectedMove(auction, before, atMs, event)
  return [
    ...(event.type === 'bid-placed' ? findingsOfOffer(auction, before, event) : findingsOfRaise(before, event)),
    event.bidderId === auction.ownerId && [2, 'is a bid of the owner'],
    show(event.automatic) !== show(reply) && [2, `has the reply ${show(event.automatic)} instead of ${show(reply)}`],
    (atMs < auction.startTime.epochMs || atMs >= endMs(auction, before)) && [
      3,
      `is a bid of ${atMs}, outside the auction’s time`,
    ],
    event.extendedEndMs !== movedMs && [3, `moves the end to ${event.extendedEndMs} instead of ${movedMs}`],
  ]
}

function findingsOfOffer(
  auction: Auction,
  before: Entry | undefined,
  { bidderId, amountMinor, maximumMinor }: BidPlaced,
): readonly (Finding | false)[] {
  const least = leastMinor(auction, before)
  const isRaise = maximumMinor !== undefined && before?.state.leader?.bidderId === bidderId
  return [
    (least === undefined || amountMinor < least) && [
      2,
      `offers ${amountMinor} minor units instead of at least ${least}`,
    ],
    isRaise && [2, 'is a bid, but the leader only raised its maximum'],
    maximumMinor !== undefined && maximumMinor < amountMinor && [2, 'has a maximum below its amount'],
  ]
}

function findingsOfRaise(
  before: Entry | undefined,
  { bidderId, amountMinor, maximumMinor }: MaximumRaised,
): readonly (Finding | false)[] {
  const leader = before?.state.leader ?? null
  if (leader?.bidderId !== bidderId) return [[2, 'raises the maximum of a bidder that does not lead']]
  const presentMinor = ceilingMinor(leader)
  return [
    maximumMinor <= presentMinor && [2, `raises a maximum to ${maximumMinor} from ${presentMinor} minor units`],
    maximumMinor < amountMinor && [2, 'has a maximum below its amount'],
  ]
}
