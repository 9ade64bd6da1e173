import { endMs, refused, startMs, unknown } from '../sample-history.ts'
import { buying, cancelling, seenAfter } from './attempts.ts'
import { testBroken } from './histories.ts'
import { all, and, bid, bought, buyable, cancellation, cancelled, minuteMs, plain, raise, underKey } from './stories.ts'

const auctionUnderKey = plain()

testBroken({
  'an auction is stored without the key of its request': {
    invariant: 1,
    message: /auction 1 is stored without the key k of its request/,
    history: {
      ...auctionUnderKey,
      attempts: auctionUnderKey.attempts.map((attempt) =>
        attempt.type === 'create-auction' ? { ...attempt, key: 'k' } : attempt,
      ),
    },
  },
  'a purchase is stored without a request': {
    invariant: 1,
    message: /purchase 1 is stored without a request/,
    history: { ...buyable(bought(3)), attempts: buyable().attempts },
  },
  'a refused purchase is stored': {
    invariant: 1,
    message: /purchase 1 is stored without a request/,
    history: and(
      { ...buyable(bought(3)), attempts: buyable().attempts },
      buying(startMs + minuteMs - 1, 3, refused('overloaded')),
    ),
  },
  'a purchase is stored for another buyer': {
    invariant: 1,
    message: /purchase 1 was accepted as .*"buyerId":4.*, and is stored as/,
    history: and(
      buyable(bought(3)),
      buying(startMs + minuteMs, 4, { outcome: 'accepted', auction: seenAfter(buyable(bought(4))) }),
    ),
  },
  'an accepted purchase is not stored': {
    invariant: 1,
    message: /purchase 1 was accepted as .*, and is not stored/,
    history: { ...buyable(bought(3)), ledger: [] },
  },
  'a buyer receives an open auction': {
    invariant: 1,
    message: /purchase 1 was accepted as undefined, and is not stored/,
    history: and(all(), buying(startMs + minuteMs, 3, { outcome: 'accepted', auction: seenAfter(all()) })),
  },
  'two buyers receive an accepted purchase': {
    invariant: 1,
    message: /was requested as/,
    history: and(
      buyable(bought(3)),
      buying(startMs + minuteMs, 4, { outcome: 'accepted', auction: seenAfter(buyable(bought(3))) }),
    ),
  },
  'a cancellation is stored without a request': {
    invariant: 1,
    message: /cancellation [12]0 is stored without a request/,
    history: { ...plain(cancelled()), attempts: plain().attempts },
  },
  'a refused cancellation is stored': {
    invariant: 1,
    message: /cancellation [12]0 is stored without a request/,
    history: and(
      { ...plain(cancelled()), attempts: plain().attempts },
      cancelling(startMs + minuteMs - 1, refused('overloaded')),
    ),
  },
  'a cancellation is stored that only another user requested': {
    invariant: 1,
    message: /cancellation [12]0 is stored without a request/,
    history: and(
      { ...plain(cancelled()), attempts: plain().attempts },
      cancelling(startMs + minuteMs - 1, unknown, { requester: 2 }),
    ),
  },
  'a cancellation has another reason': {
    invariant: 1,
    message: /cancellation [12]0 is stored without a request/,
    history: { ...cancellation, attempts: all(bid(2, 100), cancelled('lost')).attempts },
  },
  'an accepted cancellation is not stored': {
    invariant: 1,
    message: /cancellation 0 was accepted as .*, and is not stored/,
    history: { ...cancellation, ledger: cancellation.ledger.slice(0, 1) },
  },
  'a user other than the owner cancels the auction': {
    invariant: 6,
    message: /user 2 is not the owner/,
    history: and(
      cancellation,
      cancelling(startMs + 3 * minuteMs, { outcome: 'accepted', auction: seenAfter(cancellation) }, { requester: 2 }),
    ),
  },
  'a cancellation has a time before its request': {
    invariant: 3,
    message: /cancellation [12]0 has the time \d+, before its request at/,
    history: and({ ...plain(cancelled()), attempts: plain().attempts }, cancelling(startMs + minuteMs + 1, unknown)),
  },
  'a bid is stored with another maximum': {
    invariant: 1,
    message: /bid 10 is stored without a request/,
    history: {
      ...plain(bid(2, 100, { max: 140 })),
      attempts: plain(bid(2, 100, { max: 141 })).attempts,
    },
  },
  'the answer to a maximum has an amount that does not lead': {
    invariant: 1,
    message: /bid 20 was accepted as 12000 .*, and is stored as 10000/,
    history: {
      ...plain(bid(2, 100), raise(2, 120, 140)),
      attempts: plain(bid(2, 100), bid(2, 120, { max: 140 })).attempts,
    },
  },
  'a key with a purchase is refused': {
    invariant: 5,
    message: /key k has made purchase 1/,
    history: and(
      underKey({ ...buyable(bought(3)), attempts: buyable().attempts }, 'k'),
      buying(startMs + minuteMs - 1, 3, { outcome: 'accepted', auction: seenAfter(buyable(bought(3))) }, 'k'),
      buying(startMs + 2 * minuteMs, 3, refused('auction-ended'), 'k'),
    ),
  },
  'a key with a cancellation is refused': {
    invariant: 5,
    message: /key k has made cancellation 10/,
    history: and(
      underKey({ ...plain(cancelled()), attempts: plain().attempts }, 'k'),
      cancelling(startMs + minuteMs - 1, { outcome: 'accepted', auction: seenAfter(plain(cancelled())) }, { key: 'k' }),
      cancelling(endMs + minuteMs, refused('auction-ended'), { key: 'k' }),
    ),
  },
})
