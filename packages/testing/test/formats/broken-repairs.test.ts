import { toUserId } from '@auction/domain/ids'
import { sampleKey } from '../../src/samples.ts'
import { endMs, marginMs, refused, startMs } from '../sample-history.ts'
import { bidding, english, figures, headOf, readingAfter } from './attempts.ts'
import { testBroken } from './histories.ts'
import {
  again,
  at,
  blocked,
  closedMs,
  duel,
  early,
  extension,
  fallen,
  hourMs,
  refusedRepair,
  seenWithdrawal,
  sentLater,
  unblocked,
  unsent,
  withdrawal,
} from './repair-stories.ts'
import {
  all,
  and,
  bid,
  bought,
  buyable,
  cancelled,
  corrected,
  endedEarly,
  extended,
  lowered,
  minuteMs,
  plain,
  reserve,
  sold,
  underKey,
  unsold,
  withdrawn,
} from './stories.ts'

testBroken(1, /is stored without a request/, {
  'a repair is stored without a request': unsent(extension),
})

testBroken(2, /has the standing/, {
  'a maximum of the withdrawn bidder still counts': plain(...duel, withdrawn(4, [21, 2, 200], 3)),
  'a withdrawal keeps the price that the withdrawn bidder has made': plain(
    ...duel,
    withdrawn(4, [21, 2, 155, 200], 3),
    withdrawn(3, [10, 2, 155, 200], 1),
  ),
  'a withdrawal forgets another bid': plain(bid(2, 100), bid(3, 105), withdrawn(3, null, 0)),
})

testBroken(2, /has the reply .* instead of/, {
  'a lowered reserve is not bid': reserve(bid(2, 100, { max: 130 }), lowered(120)),
})

testBroken(3, /before its request/, {
  'an owner lowered the reserve after the end, with a time before it': sentLater(
    reserve([endMs - 1, lowered(140, { by: 'owner' })]),
  ),
})

testBroken(3, /, after the end/, {
  'a repair that leaves the end has a time after it': plain(bid(2, 100), [endMs, withdrawn(2, null, 0)]),
})

testBroken(3, /moves the end to/, {
  'bids move an extended end past its latest end': all(extended(endMs + hourMs, endMs), [
    endMs + hourMs - 1,
    bid(2, 100, { endsMs: endMs + hourMs + 400_000 }),
  ]),
})

testBroken(4, /was never true between/, {
  'the first lower reserve was refused to its owner': refusedRepair(
    reserve(lowered(140)),
    startMs + 10,
    'reserve-lowered-before',
    { requesterId: toUserId(1) },
  ),
  'a bidder who was not blocked was refused': and(withdrawal, bidding(at(6), 4, 170, refused('bidder-blocked'))),
  'a bid before an extended end was refused': and(extension, bidding(endMs + 1, 3, 105, refused('auction-ended'))),
  'a closing loses a bid that arrived before it': and(early, bidding(at(2) - 8, 3, 105, refused('auction-ended'))),
})

testBroken(5, /key k/, {
  'a key makes two repairs': (() => {
    const story = underKey(reserve(lowered(140), lowered(130)), 'k')
    const [first, ...others] = story.ledger
    return first === undefined ? story : { ...story, ledger: [{ ...first, requestKey: sampleKey('k') }, ...others] }
  })(),
})

testBroken(6, /lowers the reserve again for its owner/, {
  'an owner lowered the reserve again': again('owner'),
  'an owner lowered the reserve that staff had lowered': again('staff'),
})

testBroken(6, /is by staff, but its request was by owner/, {
  'a lower reserve of the owner is called one of staff': {
    ...reserve(lowered(140)),
    attempts: reserve(lowered(140, { by: 'owner' })).attempts,
  },
})

testBroken(6, /entry 20 .* is wrong about whether bidder 3 was blocked/, {
  'a user who was not blocked was unblocked': plain(bid(2, 100), withdrawn(3, [10, 2, 100], 1, unblocked)),
})

testBroken(6, /entry 50 .* is a withdrawal that changes nothing/, {
  'a bidder without bids was withdrawn': plain(
    ...duel,
    withdrawn(4, [21, 2, 155, 200], 3),
    withdrawn(4, [21, 2, 155, 200], 3),
  ),
})

testBroken(6, /of a blocked bidder/, {
  'a blocked bidder bid': plain(...duel, withdrawn(4, [21, 2, 155, 200], 3, blocked), bid(4, 160, { reply: [2, 165] })),
  'a blocked bidder bought': buyable(bid(2, 100), withdrawn(2, null, 0, blocked), bought(2)),
})

testBroken(6, /corrects an auction that has bids/, {
  'an auction with withdrawn bids was corrected': plain(
    bid(2, 100),
    withdrawn(2, null, 0),
    corrected({ title: 'Oak desk' }),
  ),
})

testBroken(6, /cancels an auction that has bids/, {
  'an auction with withdrawn bids was cancelled without force': plain(
    bid(2, 100),
    withdrawn(2, null, 0),
    cancelled('broken'),
  ),
})

testBroken(6, /before the end of the margin/, {
  'an extended auction was closed at its previous end': plain(bid(2, 100), extended(endMs + hourMs, endMs), [
    closedMs,
    sold(10, 2, 100),
  ]),
})

testBroken(6, /extends the end at/, {
  'an extension is longer than 30 days': plain(extended(endMs + 30 * 24 * hourMs + 1, endMs)),
  'an extension is over before it is made': plain([endMs + 500, extended(endMs + 500, endMs)]),
})

testBroken(6, /moves the end from/, {
  'an extension follows another end': plain(extended(endMs + hourMs, endMs - 1)),
})

testBroken(6, /ends the auction at .* instead of/, {
  'a closing ends the auction before its own time': plain(bid(2, 100), endedEarly(at(2), endMs)),
})

testBroken(6, /has the result/, {
  'a result does not show that it was early': plain(bid(2, 100), endedEarly(at(2) + 1, endMs), [
    at(2) + 1 + marginMs,
    sold(10, 2, 100),
  ]),
  'the result follows the reserve from before': reserve(bid(2, 120), lowered(120), [
    closedMs,
    unsold('reserve-not-met'),
  ]),
})

testBroken(6, /before its start/, {
  'an auction is ended before its start': plain([startMs - minuteMs, endedEarly(startMs - minuteMs + 1, endMs)]),
})

testBroken(6, /lowers the reserve to/, {
  'a reserve is raised': reserve(lowered(160)),
  'an auction without a reserve gets one': plain(lowered(110)),
})

testBroken(6, /follows the end/, {
  'a closed auction was extended': plain(
    [closedMs, unsold('no-bids')],
    [closedMs + 1, extended(endMs + hourMs, endMs)],
  ),
})

testBroken(6, /corrects the terms of a repaired auction/, {
  'the terms of an extended auction were corrected': (() => {
    const [auction] = headOf(plain())
    const { startTime, endTime, startingPriceMinor, minimumBidIncrementMinor } = english(auction)
    const result = { startTime, endTime, startingPriceMinor, minimumBidIncrementMinor }
    return plain(extended(endMs + hourMs, endMs), {
      type: 'corrected',
      terms: { fields: ['startingPrice'], result },
      editor: 'staff',
    })
  })(),
})

testBroken(6, /had \w+/, {
  'a reader sees the price from before a withdrawal': and(fallen, readingAfter(fallen, 5, at(6), figures(155, 160))),
})

testBroken(7, /it saw .* instead of/, {
  'a follower sees a withdrawal with the price from before it': {
    ...fallen,
    followers: [seenWithdrawal(figures(155, 160))],
  },
  'a follower sees the editor of a repair': { ...fallen, followers: [seenWithdrawal({ editor: 'staff' } as object)] },
})

testBroken(8, /its ledger shows .*\[4,"withdrawn"\],\[5,"withdrawn"\]/, {
  'a receiver does not receive a withdrawal': { ...fallen, deliveries: { receiver: [] } },
})
