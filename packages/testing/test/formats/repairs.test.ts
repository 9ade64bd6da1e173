import type { PublicEvent } from '@auction/domain'
import { toUserId } from '@auction/domain/ids'
import { momentAt } from '@auction/domain/moment'
import type { Follower, History, WantedRepair } from '../../src/history.ts'
import { sampleKey } from '../../src/samples.ts'
import { endMs, marginMs, refused, startMs } from '../sample-history.ts'
import { bidding, buying, figures, headOf, readingAfter } from './attempts.ts'
import { testBroken, testKept } from './histories.ts'
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
  raise,
  reserve,
  sold,
  unanswered,
  underKey,
  unsold,
  withdrawn,
} from './stories.ts'

const hourMs = 3_600_000
const closedMs = endMs + marginMs
/** The time of the nth entry. */
const at = (n: number) => startMs + n * minuteMs

/** A leader, another bidder, and the first one again. */
const duel = [bid(2, 100, { max: 200 }), bid(3, 150, { reply: [2, 155] }), bid(4, 300, { max: 400 })] as const

const blocked = { isBlocked: true } as const
const unblocked = { isUnblocked: true } as const
const withdrawal = plain(...duel, withdrawn(4, [21, 2, 155, 200], 3), bid(4, 160, { reply: [2, 165] }))
const blocking = plain(...duel, withdrawn(4, [21, 2, 155, 200], 3, blocked))
/** A bidder whose automatic bids another one has caused. */
const fallen = plain(...duel, withdrawn(4, [21, 2, 155, 200], 3), withdrawn(3, [10, 2, 100, 200], 1))
const extension = plain(bid(2, 100), extended(endMs + hourMs, endMs))
const early = plain(bid(2, 100), endedEarly(at(2) + 1, endMs))

/** A refused request for the repair of a story. */
function refusedRepair(story: History, atMs: number, code: string, change: object): History {
  const attempt = story.attempts.findLast((each) => 'repair' in each)
  if (attempt === undefined || !('repair' in attempt)) throw new Error('a story has a repair')
  const wanted = { type: attempt.type, repair: { ...attempt.repair, ...change } } as WantedRepair // Of the same type.
  return and(story, { ...wanted, sentAtMs: atMs, answeredAtMs: atMs + 5, answer: refused(code) })
}

/** What a follower sees of the second withdrawal of a story. */
function seenWithdrawal(change: Partial<PublicEvent> = {}): Follower {
  const [{ id: auctionId, currency, endTime: effectiveEndTime }] = headOf(fallen)
  const event = {
    ...{ type: 'withdrawn', auctionId, sequence: 5, atMs: at(5), reason: 'outage', bidderId: toUserId(3), currency },
    ...{ ...figures(100, 105), maximumNextBidMinor: undefined, bidCount: 1, leaderId: toUserId(2), effectiveEndTime },
    ...{ by: 'staff', isReserveMet: undefined, isBuyNowOffered: undefined, ...change },
  } as PublicEvent // Wrong on purpose, with a change.
  return { auctionId, from: 4, position: 5, seen: [{ event, atMs: event.atMs }] }
}

/** A story in which no client has sent the last request. */
const unsent = (story: History): History => ({ ...story, attempts: story.attempts.slice(0, -1) })

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
  'the answer to a repair is unknown': unanswered(blocking, 4),
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

/** A story whose last request was sent after its entry has its time: that of a repair after the end. */
function sentLater(story: History): History {
  const last = story.attempts.at(-1)
  if (last === undefined) return story
  const times = { sentAtMs: last.sentAtMs + 10, answeredAtMs: last.answeredAtMs + 10 }
  return unanswered({ ...story, attempts: story.attempts.with(-1, { ...last, ...times }) }, story.attempts.length - 1)
}

/** A lower reserve by the owner, after one by staff or the owner. */
const again = (by: 'owner' | 'staff') => reserve(lowered(140, { by }), lowered(130, { by: 'owner' }))

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
    const { startTime, startingPriceMinor, minimumBidIncrementMinor } = auction
    const result = { startTime, endTime: momentAt(endMs + hourMs), startingPriceMinor, minimumBidIncrementMinor }
    const terms = { fields: ['endTime'], result }
    const correction = { ...corrected({}), terms }
    return sentLater(plain(correction, bid(2, 100), [endMs + hourMs - 1, withdrawn(2, null, 0)]))
  })(),
})

testBroken({
  'an owner lowered the reserve again': {
    invariant: 6,
    message: /entry 20 .* lowers the reserve again for its owner/,
    history: again('owner'),
  },
  'an owner lowered the reserve that staff had lowered': {
    invariant: 6,
    message: /lowers the reserve again for its owner/,
    history: again('staff'),
  },
  'an owner lowered the reserve after the end, with a time before it': {
    invariant: 3,
    message: /has the time .*, before its request/,
    history: sentLater(reserve([endMs - 1, lowered(140, { by: 'owner' })])),
  },
  'a lower reserve of the owner is called one of staff': {
    invariant: 6,
    message: /entry 10 .* is by staff, but its request was by owner/,
    history: { ...reserve(lowered(140)), attempts: reserve(lowered(140, { by: 'owner' })).attempts },
  },
  'the first lower reserve was refused to its owner': {
    invariant: 4,
    message: /reserve-lowered-before/,
    history: refusedRepair(reserve(lowered(140)), startMs + 10, 'reserve-lowered-before', { requesterId: toUserId(1) }),
  },
  'a user who was not blocked was unblocked': {
    invariant: 6,
    message: /entry 20 .* is wrong about whether bidder 3 was blocked/,
    history: plain(bid(2, 100), withdrawn(3, [10, 2, 100], 1, unblocked)),
  },
  'a maximum of the withdrawn bidder still counts': {
    invariant: 2,
    message: /entry 40 .* has the standing .* instead of .*"amountMinor":15500/,
    history: plain(...duel, withdrawn(4, [21, 2, 200], 3)),
  },
  'a withdrawal keeps the price that the withdrawn bidder has made': {
    invariant: 2,
    message: /entry 50 .* has the standing .* instead of .*"amountMinor":10000/,
    history: plain(...duel, withdrawn(4, [21, 2, 155, 200], 3), withdrawn(3, [10, 2, 155, 200], 1)),
  },
  'a withdrawal forgets another bid': {
    invariant: 2,
    message: /entry 30 .* has the standing/,
    history: plain(bid(2, 100), bid(3, 105), withdrawn(3, null, 0)),
  },
  'a bidder without bids was withdrawn': {
    invariant: 6,
    message: /entry 50 .* is a withdrawal that changes nothing/,
    history: plain(...duel, withdrawn(4, [21, 2, 155, 200], 3), withdrawn(4, [21, 2, 155, 200], 3)),
  },
  'a blocked bidder bid': {
    invariant: 6,
    message: /entry 50 .* is a bid of a blocked bidder/,
    history: plain(...duel, withdrawn(4, [21, 2, 155, 200], 3, blocked), bid(4, 160, { reply: [2, 165] })),
  },
  'a blocked bidder bought': {
    invariant: 6,
    message: /is a purchase of a blocked bidder/,
    history: buyable(bid(2, 100), withdrawn(2, null, 0, blocked), bought(2)),
  },
  'a bidder who was not blocked was refused': {
    invariant: 4,
    message: /bidder-blocked/,
    history: and(withdrawal, bidding(at(6), 4, 170, refused('bidder-blocked'))),
  },
  'an auction with withdrawn bids was corrected': {
    invariant: 6,
    message: /corrects an auction that has bids/,
    history: plain(bid(2, 100), withdrawn(2, null, 0), corrected({ title: 'Oak desk' })),
  },
  'an auction with withdrawn bids was cancelled without force': {
    invariant: 6,
    message: /cancels an auction that has bids/,
    history: plain(bid(2, 100), withdrawn(2, null, 0), cancelled('broken')),
  },
  'a repair that leaves the end has a time after it': {
    invariant: 3,
    message: /entry 20 .* is a repair at .*, after the end/,
    history: plain(bid(2, 100), [endMs, withdrawn(2, null, 0)]),
  },
  'an extended auction was closed at its previous end': {
    invariant: 6,
    message: /closes the auction at .*, before the end of the margin/,
    history: plain(bid(2, 100), extended(endMs + hourMs, endMs), [closedMs, sold(10, 2, 100)]),
  },
  'a bid before an extended end was refused': {
    invariant: 4,
    message: /auction-ended/,
    history: and(extension, bidding(endMs + 1, 3, 105, refused('auction-ended'))),
  },
  'an extension is longer than 30 days': {
    invariant: 6,
    message: /extends the end at/,
    history: plain(extended(endMs + 30 * 24 * hourMs + 1, endMs)),
  },
  'an extension is over before it is made': {
    invariant: 6,
    message: /extends the end at/,
    history: plain([endMs + 500, extended(endMs + 500, endMs)]),
  },
  'an extension follows another end': {
    invariant: 6,
    message: /moves the end from/,
    history: plain(extended(endMs + hourMs, endMs - 1)),
  },
  'bids move an extended end past its latest end': {
    invariant: 3,
    message: /moves the end to/,
    history: all(extended(endMs + hourMs, endMs), [
      endMs + hourMs - 1,
      bid(2, 100, { endsMs: endMs + hourMs + 400_000 }),
    ]),
  },
  'a closing loses a bid that arrived before it': {
    invariant: 4,
    message: /auction-ended/,
    history: and(early, bidding(at(2) - 8, 3, 105, refused('auction-ended'))),
  },
  'a closing ends the auction before its own time': {
    invariant: 6,
    message: /ends the auction at .* instead of/,
    history: plain(bid(2, 100), endedEarly(at(2), endMs)),
  },
  'a result does not show that it was early': {
    invariant: 6,
    message: /has the result/,
    history: plain(bid(2, 100), endedEarly(at(2) + 1, endMs), [at(2) + 1 + marginMs, sold(10, 2, 100)]),
  },
  'an auction is ended before its start': {
    invariant: 6,
    message: /before its start/,
    history: plain([startMs - minuteMs, endedEarly(startMs - minuteMs + 1, endMs)]),
  },
  'a reserve is raised': {
    invariant: 6,
    message: /lowers the reserve to 16000 from 15000/,
    history: reserve(lowered(160)),
  },
  'an auction without a reserve gets one': {
    invariant: 6,
    message: /lowers the reserve/,
    history: plain(lowered(110)),
  },
  'a lowered reserve is not bid': {
    invariant: 2,
    message: /has the reply undefined instead of/,
    history: reserve(bid(2, 100, { max: 130 }), lowered(120)),
  },
  'the result follows the reserve from before': {
    invariant: 6,
    message: /has the result/,
    history: reserve(bid(2, 120), lowered(120), [closedMs, unsold('reserve-not-met')]),
  },
  'a repair is stored without a request': {
    invariant: 1,
    message: /repair 20 is stored without a request/,
    history: unsent(extension),
  },
  'a key makes two repairs': {
    invariant: 5,
    message: /key k of lower-reserve made repair 10 and repair 20/,
    history: (() => {
      const story = underKey(reserve(lowered(140), lowered(130)), 'k')
      const [first, ...others] = story.ledger
      return first === undefined ? story : { ...story, ledger: [{ ...first, requestKey: sampleKey('k') }, ...others] }
    })(),
  },
  'a closed auction was extended': {
    invariant: 6,
    message: /follows the end/,
    history: plain([closedMs, unsold('no-bids')], [closedMs + 1, extended(endMs + hourMs, endMs)]),
  },
  'the terms of an extended auction were corrected': {
    invariant: 6,
    message: /corrects the terms of a repaired auction/,
    history: (() => {
      const [auction] = headOf(plain())
      const { startTime, endTime, startingPriceMinor, minimumBidIncrementMinor } = auction
      const result = { startTime, endTime, startingPriceMinor, minimumBidIncrementMinor }
      return plain(extended(endMs + hourMs, endMs), {
        type: 'corrected',
        terms: { fields: ['startingPrice'], result },
        editor: 'staff',
      })
    })(),
  },
  'a follower sees a withdrawal with the price from before it': {
    invariant: 7,
    message: /it saw .*"currentPriceMinor":15500.* instead of .*"currentPriceMinor":10000/,
    history: { ...fallen, followers: [seenWithdrawal(figures(155, 160))] },
  },
  'a follower sees the editor of a repair': {
    invariant: 7,
    message: /it saw .*"editor":"staff"/,
    history: { ...fallen, followers: [seenWithdrawal({ editor: 'staff' } as object)] },
  },
  'a receiver does not receive a withdrawal': {
    invariant: 8,
    message: /its ledger shows .*\[4,"withdrawn"\],\[5,"withdrawn"\]/,
    history: { ...fallen, deliveries: { receiver: [] } },
  },
  'a reader sees the price from before a withdrawal': {
    invariant: 6,
    message: /the prices of auction/,
    history: and(fallen, readingAfter(fallen, 5, at(6), figures(155, 160))),
  },
})
