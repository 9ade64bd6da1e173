import { endMs, refused, startMs, unknown } from '../sample-history.ts'
import { buying, cancelling, seenAfter } from './attempts.ts'
import { testBroken } from './histories.ts'
import { all, and, bid, bought, buyable, cancellation, cancelled, minuteMs, plain, raise, underKey } from './stories.ts'

const auctionUnderKey = plain()

testBroken(1, /auction 1 is stored without the key k of its request/, {
  'an auction is stored without the key of its request': {
    ...auctionUnderKey,
    attempts: auctionUnderKey.attempts.map((attempt) =>
      attempt.type === 'create-auction' ? { ...attempt, key: 'k' } : attempt,
    ),
  },
})

testBroken(1, /is stored without a request/, {
  'a purchase is stored without a request': { ...buyable(bought(3)), attempts: buyable().attempts },
  'a cancellation is stored without a request': { ...plain(cancelled()), attempts: plain().attempts },
  'a refused cancellation is stored': and(
    { ...plain(cancelled()), attempts: plain().attempts },
    cancelling(startMs + minuteMs - 1, refused('overloaded')),
  ),
  'a cancellation is stored that only another user requested': and(
    { ...plain(cancelled()), attempts: plain().attempts },
    cancelling(startMs + minuteMs - 1, unknown, { requester: 2 }),
  ),
  'a cancellation has another reason': { ...cancellation, attempts: all(bid(2, 100), cancelled('lost')).attempts },
  'a bid is stored with another maximum': {
    ...plain(bid(2, 100, { max: 140 })),
    attempts: plain(bid(2, 100, { max: 141 })).attempts,
  },
})

testBroken(1, /was accepted as .*, and is (not stored|stored as)/, {
  'a purchase is stored for another buyer': and(
    buyable(bought(3)),
    buying(startMs + minuteMs, 4, { outcome: 'accepted', auction: seenAfter(buyable(bought(4))) }),
  ),
  'an accepted purchase is not stored': { ...buyable(bought(3)), ledger: [] },
  'a buyer receives an open auction': and(
    all(),
    buying(startMs + minuteMs, 3, { outcome: 'accepted', auction: seenAfter(all()) }),
  ),
  'an accepted cancellation is not stored': { ...cancellation, ledger: cancellation.ledger.slice(0, 1) },
  'the response to a maximum has an amount that does not lead': {
    ...plain(bid(2, 100), raise(2, 120, 140)),
    attempts: plain(bid(2, 100), bid(2, 120, { max: 140 })).attempts,
  },
})

testBroken(1, /was requested as/, {
  'two buyers receive an accepted purchase': and(
    buyable(bought(3)),
    buying(startMs + minuteMs, 4, { outcome: 'accepted', auction: seenAfter(buyable(bought(3))) }),
  ),
})

testBroken(3, /before its request/, {
  'a cancellation has a time before its request': and(
    { ...plain(cancelled()), attempts: plain().attempts },
    cancelling(startMs + minuteMs + 1, unknown),
  ),
})

testBroken(5, /key k/, {
  'a key with a purchase is refused': and(
    underKey({ ...buyable(bought(3)), attempts: buyable().attempts }, 'k'),
    buying(startMs + minuteMs - 1, 3, { outcome: 'accepted', auction: seenAfter(buyable(bought(3))) }, 'k'),
    buying(startMs + 2 * minuteMs, 3, refused('auction-ended'), 'k'),
  ),
  'a key with a cancellation is refused': and(
    underKey({ ...plain(cancelled()), attempts: plain().attempts }, 'k'),
    cancelling(startMs + minuteMs - 1, { outcome: 'accepted', auction: seenAfter(plain(cancelled())) }, { key: 'k' }),
    cancelling(endMs + minuteMs, refused('auction-ended'), { key: 'k' }),
  ),
})

testBroken(6, /is not the owner/, {
  'a user other than the owner cancels the auction': and(
    cancellation,
    cancelling(startMs + 3 * minuteMs, { outcome: 'accepted', auction: seenAfter(cancellation) }, { requester: 2 }),
  ),
})
