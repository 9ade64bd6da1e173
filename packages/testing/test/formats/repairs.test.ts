import type { Corrected } from '@auction/domain/auction'
import { toUserId } from '@auction/domain/ids'
import { momentAt } from '@auction/domain/moment'
import { endMs, marginMs, refused } from '../sample-history.ts'
import { bidding, buying, english, figures, headOf, readingAfter } from './attempts.ts'
import { testKept } from './histories.ts'
import {
  at,
  blocked,
  blocking,
  closedMs,
  early,
  extension,
  fallen,
  hourMs,
  refusedRepair,
  seenWithdrawal,
  sentLater,
  unblocked,
  withdrawal,
} from './repair-stories.ts'
import {
  all,
  and,
  bid,
  bought,
  buyable,
  corrected,
  endedEarly,
  extended,
  lowered,
  plain,
  raise,
  reserve,
  sold,
  unsold,
  withdrawn,
  withoutResponse,
} from './stories.ts'

testKept({
  'the leader was withdrawn, and bid again': withdrawal,
  'the bidder who had raised the price was withdrawn': fallen,
  'two equal maximums were left, of which the first leads': plain(
    bid(2, 100, { max: 120 }),
    bid(3, 110, { reply: [2, 115] }),
    bid(4, 120, { reply: [2, 120] }),
    withdrawn(3, [31, 2, 120], 3),
  ),
  'only the withdrawn bidder had bid, who is blocked': plain(bid(2, 100), bid(2, 110), withdrawn(2, null, 0, blocked), [
    closedMs,
    unsold('no-bids'),
  ]),
  'a withdrawn bidder bid again and was withdrawn again': plain(
    bid(2, 100),
    bid(3, 105),
    withdrawn(3, [10, 2, 100], 1),
    bid(3, 110, { max: 150 }),
    bid(2, 120, { reply: [3, 125] }),
    withdrawn(3, [50, 2, 120], 2),
  ),
  'a leader had only raised the maximum, by an amount that would be a bid now': plain(
    bid(2, 100, { max: 110 }),
    bid(3, 105, { reply: [2, 110] }),
    raise(2, 110, 200),
    withdrawn(3, [10, 2, 100, 200], 1),
  ),
  'a reserve is not met any more': reserve(bid(2, 100), bid(3, 150), withdrawn(3, [10, 2, 100], 1), [
    closedMs,
    unsold('reserve-not-met'),
  ]),
  'buy-now is offered again': buyable(bid(2, 100), withdrawn(2, null, 0), bought(3)),
  'a withdrawn bidder had made the first bid at the reserve': reserve(
    bid(2, 150),
    bid(3, 155, { max: 200 }),
    withdrawn(2, [20, 3, 155, 200], 1),
  ),

  'a lowered reserve is bid at once, and met': reserve(bid(2, 100, { max: 130 }), lowered(120, { reply: [2, 120] }), [
    closedMs,
    sold(21, 2, 120),
  ]),
  'a maximum does not reach the lowered reserve': reserve(bid(2, 100, { max: 110 }), lowered(120)),
  'a removed reserve lets the auction be sold': reserve(bid(2, 100), lowered(0), [closedMs, sold(10, 2, 100)]),
  'the leader at a lowered reserve was withdrawn': reserve(
    bid(2, 100, { max: 130 }),
    bid(3, 105, { max: 125, reply: [2, 130] }),
    lowered(120),
    withdrawn(2, [20, 3, 120, 125], 2),
  ),

  'an auction was extended before its end': and(
    extension,
    bidding(endMs, 3, 104, refused('bid-too-low', figures(100, 105))),
  ),
  'an auction was extended after its end, and was sold': plain(
    bid(2, 100),
    [endMs + 500, extended(endMs + hourMs, endMs)],
    [endMs + hourMs - 1, bid(3, 105)],
    [endMs + hourMs + marginMs, sold(30, 3, 105)],
  ),
  'bids move an extended end up to the moved latest end': all(
    extended(endMs + hourMs, endMs),
    [endMs + hourMs - 1, bid(2, 100, { endsMs: endMs + hourMs + 119_999 })],
    [endMs + hourMs + 119_998, bid(3, 105, { endsMs: endMs + hourMs + 239_998 })],
    [endMs + hourMs + 239_997, bid(2, 110, { endsMs: endMs + hourMs + 300_000 })],
  ),
  'an auction was ended early, and a bid had arrived before': plain(
    bid(2, 100),
    [at(2), endedEarly(at(2) + 1, endMs)],
    [at(2), bid(3, 105)],
    [at(2) + 1 + marginMs, sold(30, 3, 105, true)],
  ),
  'an ended auction was extended': plain(
    bid(2, 100),
    endedEarly(at(2) + 1, endMs),
    [at(2) + 500, extended(at(9), at(2) + 1)],
    [at(9) + marginMs, sold(10, 2, 100)],
  ),
  'an auction was ended twice': plain(
    bid(2, 100),
    endedEarly(at(2) + 1, endMs),
    [at(2), endedEarly(at(2) + 1, at(2) + 1)],
    [at(2) + 1 + marginMs, sold(10, 2, 100, true)],
  ),
  'an extended auction was corrected': plain(extended(endMs + hourMs, endMs), corrected({ title: 'Oak desk' })),

  'a bid came after an early end': and(early, bidding(at(2) + 1, 3, 105, refused('auction-ended'))),
  'a blocked bidder bids and buys': and(
    blocking,
    bidding(at(5), 4, 160, refused('bidder-blocked')),
    buying(at(5), 4, refused('bidder-blocked')),
  ),
  'a fallen price is in a refusal': and(
    withdrawal,
    bidding(at(4) + 10, 5, 159, refused('bid-too-low', figures(155, 160))),
  ),
  'a follower sees a withdrawal': { ...fallen, followers: [seenWithdrawal()] },
  'a reader sees the fallen price': and(fallen, readingAfter(fallen, 5, at(6))),
  'the response to a repair is unknown': withoutResponse(blocking, 4),
  'a bidder without bids is withdrawn': refusedRepair(blocking, at(5), 'no-bids-of-bidder', {}),
  'an end is not later': refusedRepair(extension, at(3), 'validation-failed', {}),
  'a reserve is not lower': refusedRepair(reserve(lowered(120)), at(2), 'validation-failed', {}),
  'another user lowers a reserve': refusedRepair(reserve(lowered(120)), at(2), 'not-the-owner', {
    requesterId: toUserId(7),
  }),
  'a closed auction is extended': refusedRepair(
    plain(extended(endMs + hourMs, endMs), [endMs + hourMs + marginMs, unsold('no-bids')]),
    endMs + hourMs + marginMs + 1,
    'auction-ended',
    {},
  ),
})

testKept({
  'a user without bids was blocked and unblocked, and bid': plain(
    withdrawn(3, null, 0, blocked),
    corrected({ title: 'Oak desk' }),
    withdrawn(3, null, 0, unblocked),
    bid(3, 100),
  ),
  'a bidder is blocked who is blocked': refusedRepair(blocking, at(5), 'no-bids-of-bidder', { isBlocked: true }),
  'an owner lowers the reserve again': refusedRepair(reserve(lowered(140)), at(3), 'reserve-lowered-before', {
    requesterId: toUserId(1),
  }),
  'an owner lowers the reserve after the end': refusedRepair(reserve(lowered(140)), endMs, 'auction-ended', {
    requesterId: toUserId(1),
  }),
  'staff lower the reserve without a reason': refusedRepair(reserve(lowered(140)), at(3), 'validation-failed', {
    reservePrice: 130,
    reason: undefined,
  }),
  'an owner lowers the reserve after 50 repairs by staff': reserve(
    ...Array.from({ length: 50 }, (_, index) => extended(endMs + index + 1, endMs + index)),
    lowered(140, { by: 'owner' }),
  ),
  'an auction with a corrected end is repaired after it': (() => {
    const [auction] = headOf(plain())
    const { startTime, startingPriceMinor, minimumBidIncrementMinor } = english(auction)
    const result = { startTime, endTime: momentAt(endMs + hourMs), startingPriceMinor, minimumBidIncrementMinor }
    const terms = { fields: ['endTime'], result }
    const correction = { ...corrected({}), terms } as Corrected // The terms of an English auction.
    return sentLater(plain(correction, bid(2, 100), [endMs + hourMs - 1, withdrawn(2, null, 0)]))
  })(),
})
