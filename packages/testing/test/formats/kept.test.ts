import { endMs, marginMs, refused, startMs, unknown } from '../sample-history.ts'
import {
  bidding,
  buying,
  cancelling,
  figures,
  headOf,
  highest,
  listing,
  offer,
  readingAfter,
  seenAfter,
} from './attempts.ts'
import { testKept } from './histories.ts'
import {
  all,
  and,
  bid,
  bought,
  cancellation,
  cancelled,
  guarded,
  lateMs,
  minuteMs,
  overtime,
  plain,
  purchase,
  raise,
  reserve,
  seenOf,
  sold,
  stepped,
  storyOf,
  thenMs,
  underKey,
  unsold,
  withoutResponse,
} from './stories.ts'

const duel = reserve(
  bid(2, 100, { max: 140 }),
  bid(3, 120, { reply: [2, 125] }), // An increment above what was bid.
  bid(3, 130, { max: 138, reply: [2, 140] }), // No more than the maximum.
  bid(3, 145, { max: 146 }), // Enough by itself, and short of the reserve.
  bid(4, 151, { max: 170 }), // Enough by itself, and above it.
  bid(5, 160, { max: 170, reply: [4, 170] }), // The first of equal maximums leads.
  bid(5, 175, { max: 300 }),
  bid(2, 200, { max: 302, reply: [2, 302] }), // An increment above the other maximum is more than this one.
  bid(2, 310), // The leader raises its own bid,
  bid(2, 320), // and has no maximum left.
  raise(2, 1, 400), // It names one, whatever the amount.
  bid(3, 330, { max: 350, reply: [2, 355] }),
  [endMs + marginMs, sold(121, 2, 355)],
)

const lifted = reserve(
  bid(2, 100, { max: 120 }),
  raise(2, 101, 160, { reply: [2, 150] }),
  bid(3, 155, { max: 500, reply: [3, 165] }),
  [endMs + marginMs, sold(31, 3, 165)],
)

const keptMaximum = plain(
  bid(2, 100, { max: 140 }),
  bid(2, 110), // The leader raises its own bid, and keeps its maximum.
  bid(3, 120, { reply: [2, 125] }),
)

const raisedByBids = reserve(
  bid(2, 100, { max: 140 }),
  bid(2, 110, { max: 140 }), // The leader raises its own bid, and names its maximum again,
  bid(2, 120, { max: 145 }), // raises both,
  raise(2, 124, 148), // or only the maximum.
  bid(2, 130, { max: 400, reply: [2, 150] }), // The new maximum covers the reserve.
  [endMs + marginMs, sold(51, 2, 150)],
)

const offered = all(
  bid(2, 100, { max: 120 }),
  raise(2, 104, 140),
  bid(3, 299, { max: 900 }), // A maximum may be above the offer.
  bid(2, 304, { max: 305, reply: [3, 310] }), // The reserve is met, so nothing is offered.
  [endMs + marginMs, sold(41, 3, 310)],
)

const movedEnd = all(
  [lateMs - 1, bid(2, 100)],
  [lateMs, bid(3, 105, { endsMs: lateMs + 120_000 })],
  [lateMs + 10, raise(3, 105, 120)],
  [endMs + 50_000, bid(2, 110, { reply: [3, 115], endsMs: endMs + 170_000 })],
  [endMs + 160_000, bid(2, 200, { endsMs: endMs + 280_000 })],
  [endMs + 279_999, bid(3, 205, { endsMs: endMs + 300_000 })], // No further than the cap,
  [endMs + 299_999, bid(2, 210)], // where it stays.
  [endMs + 300_000 + marginMs, sold(70, 2, 210)],
)

testKept({
  'two maximums compete': duel,
  'a raised maximum lifts the price to the reserve': lifted,
  'a leader raises its own bid': keptMaximum,
  'a leader raises its own bid and its maximum': raisedByBids,
  'bids are below an offer, and above it when it is over': offered,
  'bids move the end': movedEnd,
  'a reserve is not met': reserve(bid(2, 149), [endMs + marginMs, unsold('reserve-not-met')]),
  'a reserve is met to the cent': reserve(bid(2, 150), [endMs + marginMs, sold(10, 2, 150)]),
  'an auction is bought below its reserve': purchase,
  'an auction is bought without a bid': storyOf({ buyNowPriceMinor: 300_00 }, bought(3)),
  'an auction is cancelled with bids': cancellation,
  'an auction is cancelled before its start': plain([startMs - minuteMs, cancelled()]),

  'no client knows of a purchase': withoutResponse(purchase, 2),
  'no client knows of a cancellation': withoutResponse(cancellation, 2),
  'no client knows of a raised maximum': withoutResponse(plain(bid(2, 100, { max: 140 }), raise(2, 104, 200)), 2),
  'unknown purchases and cancellations are not stored': and(
    all(),
    buying(thenMs, 3, unknown),
    cancelling(thenMs, unknown),
  ),
  'a purchase is done after its unknown response': {
    ...all([startMs + 60 * minuteMs, bought(3)]),
    attempts: and(all(), buying(startMs + minuteMs, 3, unknown)).attempts,
  },
  'a cancelled auction is cancelled again, for another reason': and(
    cancellation,
    cancelling(thenMs, { outcome: 'accepted', auction: seenAfter(cancellation) }, { reason: 'lost' }),
  ),
  'a key of a purchase is used again, and by another buyer': and(
    underKey({ ...purchase, attempts: purchase.attempts.slice(0, 2) }, 'k'),
    buying(startMs + 2 * minuteMs - 1, 3, unknown, 'k'),
    buying(endMs, 3, { outcome: 'accepted', auction: seenAfter(purchase) }, 'k'),
    buying(endMs, 4, refused('idempotency-key-reused'), 'k'),
  ),
  'a key of a cancellation is used again, and for another reason': and(
    underKey({ ...cancellation, attempts: cancellation.attempts.slice(0, 2) }, 'k'),
    cancelling(startMs + 2 * minuteMs - 1, unknown, { key: 'k', reason: 'broken' }),
    cancelling(endMs, { outcome: 'accepted', auction: seenAfter(cancellation) }, { key: 'k', reason: 'broken' }),
    cancelling(endMs, refused('idempotency-key-reused'), { key: 'k', reason: 'lost' }),
  ),

  'bids and purchases come after a cancellation': and(
    cancellation,
    bidding(thenMs, 4, 200, refused('auction-cancelled')),
    buying(thenMs, 4, refused('auction-cancelled')),
  ),
  'bids, purchases and cancellations come after a purchase': and(
    purchase,
    bidding(thenMs, 4, 200, refused('auction-ended')),
    buying(thenMs, 4, refused('auction-ended')),
    cancelling(thenMs, refused('auction-ended')),
  ),
  'all commands come after the extended end': and(
    overtime,
    bidding(endMs + 70_000, 4, 200, refused('auction-ended')),
    buying(endMs + 70_000, 4, refused('auction-ended')),
    cancelling(endMs + 70_000, refused('auction-ended')),
  ),
  'a purchase comes before the start': and(all(), buying(startMs - minuteMs, 3, refused('auction-not-started'))),
  'an auction has bids': and(plain(bid(2, 100)), cancelling(thenMs, refused('auction-has-bids'))),
  'another user cancels': and(all(), cancelling(thenMs, refused('not-the-owner'), { requester: 2 })),
  'the owner buys': and(all(), buying(thenMs, 1, refused('owner-cannot-buy'))),
  'the auction has no offer': and(plain(), buying(thenMs, 3, refused('buy-now-not-offered', figures(100, 100)))),
  'the offer is over': and(all(bid(2, 150)), buying(thenMs, 3, refused('buy-now-not-offered', figures(150, 155)))),
  'a maximum is not raised': and(
    keptMaximum,
    bidding(startMs + 4 * minuteMs, 2, 1, refused('maximum-not-raised'), 140),
  ),
  'a maximum is lowered with a higher bid': and(
    keptMaximum,
    bidding(startMs + 4 * minuteMs, 2, 130, refused('maximum-not-raised'), 139),
  ),
  'a first bid is above an offer': and(all(), bidding(thenMs, 3, 300, refused('buy-now-is-lower', offer(100, 100)))),
  'a bid is above an offer, and its maximum, too': and(
    all(bid(2, 100)),
    bidding(thenMs, 3, 310, refused('buy-now-is-lower', offer(100, 105)), 400),
  ),
  'a bid of the leader with a maximum is above an offer': and(
    all(bid(2, 100, { max: 120 })),
    bidding(thenMs, 2, 310, refused('buy-now-is-lower', offer(100, 105)), 400),
  ),
  'a maximum is below the amount': and(all(), bidding(thenMs, 2, 120, refused('validation-failed'), 119)),
  'figures are those after a reply': and(
    keptMaximum,
    bidding(startMs + 4 * minuteMs, 3, 125, refused('bid-too-low', figures(125, 130)), 200),
  ),

  'bids and a reply follow steps': stepped(
    bid(2, 100, { max: 140 }),
    bid(3, 119, { reply: [2, 124] }),
    bid(3, 134, { max: 300, reply: [3, 150] }),
  ),
  'a bid is too low for a step': and(
    stepped(bid(2, 120)),
    bidding(thenMs, 3, 129, refused('bid-too-low', figures(120, 130))),
  ),
  'a bid is too high': and(
    guarded(bid(2, 110)),
    bidding(thenMs, 3, 161, refused('bid-too-high', highest(110, 160)), 900),
  ),
  'a bid of the highest amount and an unlimited maximum win': guarded(bid(2, 150, { max: 9_000 })),

  'a reader sees the reserve, the offer and the moved end': and(overtime, readingAfter(overtime, 1, endMs + 69_000)),
  'a reader sees the auction end at the moved end': and(overtime, readingAfter(overtime, 1, endMs + 70_000)),
  'a reader sees the purchase': and(purchase, readingAfter(purchase, 2, thenMs)),
  'a reader sees the cancellation': and(cancellation, readingAfter(cancellation, 2, thenMs)),
  'a reader sees an auction whose maximum was raised in the meantime': and(
    lifted,
    readingAfter(lifted, 1, startMs + 2 * minuteMs - 4),
  ),
  'a list of active auctions has one in overtime': and(
    overtime,
    listing(endMs + 10, 'Active', [seenOf(...headOf(overtime), endMs + 10)]),
  ),
  'a list of active auctions omits one that was bought': and(purchase, listing(thenMs, 'Active')),
  'a list of ended auctions has one that was bought': and(purchase, listing(thenMs, 'Ended', [seenAfter(purchase)])),
  'a list of ended auctions omits one in overtime': and(overtime, listing(endMs + 10, 'Ended')),
  'a list of cancelled auctions has one': and(cancellation, listing(thenMs, 'Cancelled', [seenAfter(cancellation)])),
})
