import { endMs, refused, startMs, unknown } from '../sample-history.ts'
import { buying, cancelling, seenAfter } from './attempts.ts'
import { testBroken } from './broken.ts'
import { all, and, bid, bought, buyable, cancellation, cancelled, minuteMs, plain, raise, underKey } from './stories.ts'

testBroken([
  [
    'a purchase is stored that nobody asked for',
    1,
    /purchase 1 is stored, and nobody/,
    { ...buyable(bought(3)), attempts: buyable().attempts },
  ],
  [
    'a purchase is stored that was refused',
    1,
    /purchase 1 is stored, and nobody/,
    and(
      { ...buyable(bought(3)), attempts: buyable().attempts },
      buying(startMs + minuteMs - 1, 3, refused('overloaded')),
    ),
  ],
  [
    'a purchase is stored for another buyer',
    1,
    /purchase 1 was accepted as .*"buyerId":4.*, and is stored as/,
    and(
      buyable(bought(3)),
      buying(startMs + minuteMs, 4, { outcome: 'accepted', auction: seenAfter(buyable(bought(4))) }),
    ),
  ],
  [
    'an accepted purchase is not stored',
    1,
    /purchase 1 was accepted as .*, and is not stored/,
    { ...buyable(bought(3)), ledger: [] },
  ],
  [
    'a buyer is told of an auction that goes on',
    1,
    /purchase 1 was accepted as undefined, and is not stored/,
    and(all(), buying(startMs + minuteMs, 3, { outcome: 'accepted', auction: seenAfter(all()) })),
  ],
  [
    'two buyers are told that they have bought',
    1,
    /was asked for as/,
    and(
      buyable(bought(3)),
      buying(startMs + minuteMs, 4, { outcome: 'accepted', auction: seenAfter(buyable(bought(3))) }),
    ),
  ],
  [
    'a cancellation is stored that nobody asked for',
    1,
    /cancellation [12]0 is stored, and nobody/,
    { ...plain(cancelled()), attempts: plain().attempts },
  ],
  [
    'a cancellation is stored that was refused',
    1,
    /cancellation [12]0 is stored, and nobody/,
    and(
      { ...plain(cancelled()), attempts: plain().attempts },
      cancelling(startMs + minuteMs - 1, refused('overloaded')),
    ),
  ],
  [
    'a cancellation is stored that only somebody else asked for',
    1,
    /cancellation [12]0 is stored, and nobody/,
    and(
      { ...plain(cancelled()), attempts: plain().attempts },
      cancelling(startMs + minuteMs - 1, unknown, { requester: 2 }),
    ),
  ],
  [
    'a cancellation has another reason',
    1,
    /cancellation [12]0 is stored, and nobody/,
    { ...cancellation, attempts: all(bid(2, 100), cancelled('lost')).attempts },
  ],
  [
    'an accepted cancellation is not stored',
    1,
    /cancellation 0 was accepted as .*, and is not stored/,
    { ...cancellation, ledger: cancellation.ledger.slice(0, 1) },
  ],
  [
    'somebody else than the owner is told that the auction is cancelled',
    6,
    /user 2 is not the owner/,
    and(
      cancellation,
      cancelling(startMs + 3 * minuteMs, { outcome: 'accepted', auction: seenAfter(cancellation) }, { requester: 2 }),
    ),
  ],
  [
    'a cancellation is of a time before it was asked for',
    3,
    /cancellation [12]0 is of \d+, and was sent at/,
    and({ ...plain(cancelled()), attempts: plain().attempts }, cancelling(startMs + minuteMs + 1, unknown)),
  ],
  [
    'a bid is stored with another maximum',
    1,
    /bid 10 is stored, and nobody/,
    {
      ...plain(bid(2, 100, { max: 140 })),
      attempts: plain(bid(2, 100, { max: 141 })).attempts,
    },
  ],
  [
    'a maximum is answered with an amount that does not lead',
    1,
    /bid 20 was accepted as 12000 .*, and is stored as 10000/,
    {
      ...plain(bid(2, 100), raise(2, 120, 140)),
      attempts: plain(bid(2, 100), bid(2, 120, { max: 140 })).attempts,
    },
  ],
  [
    'a key of a purchase is refused that has bought',
    5,
    /key k has made purchase 1/,
    and(
      underKey({ ...buyable(bought(3)), attempts: buyable().attempts }, 'k'),
      buying(startMs + minuteMs - 1, 3, { outcome: 'accepted', auction: seenAfter(buyable(bought(3))) }, 'k'),
      buying(startMs + 2 * minuteMs, 3, refused('auction-ended'), 'k'),
    ),
  ],
  [
    'a key of a cancellation is refused that has cancelled',
    5,
    /key k has made cancellation 10/,
    and(
      underKey({ ...plain(cancelled()), attempts: plain().attempts }, 'k'),
      cancelling(startMs + minuteMs - 1, { outcome: 'accepted', auction: seenAfter(plain(cancelled())) }, { key: 'k' }),
      cancelling(endMs + minuteMs, refused('auction-ended'), { key: 'k' }),
    ),
  ],
])
