import { endMs, marginMs, startMs } from '../sample-history.ts'
import { testBroken } from './histories.ts'
import {
  all,
  bid,
  bought,
  buyable,
  cancelled,
  lateMs,
  minuteMs,
  plain,
  raise,
  reserve,
  sold,
  unsold,
} from './stories.ts'

testBroken({
  'a late bid does not move the end': {
    invariant: 3,
    message: /moves the end to undefined instead/,
    history: all([lateMs, bid(2, 100)]),
  },
  'a late bid moves the end too far': {
    invariant: 3,
    message: /moves the end to \d+ instead of \d+/,
    history: all([lateMs, bid(2, 100, { endsMs: lateMs + 120_001 })]),
  },
  'a bid moves the end before the window': {
    invariant: 3,
    message: /moves the end to \d+ instead of undefined/,
    history: all([lateMs - 1, bid(2, 100, { endsMs: endMs + 60_000 })]),
  },
  'bids move the end past the cap': {
    invariant: 3,
    message: /moves the end to \d+ instead of \d+/,
    history: all(
      [lateMs, bid(2, 100, { endsMs: lateMs + 120_000 })],
      [endMs + 50_000, bid(2, 105, { endsMs: endMs + 170_000 })],
      [endMs + 160_000, bid(2, 110, { endsMs: endMs + 280_000 })],
      [endMs + 270_000, bid(2, 115, { endsMs: endMs + 390_000 })],
    ),
  },
  'a raised maximum moves the end': {
    invariant: 3,
    message: /moves the end to \d+ instead of undefined/,
    history: all(bid(2, 100), [lateMs, raise(2, 100, 140, { endsMs: lateMs + 120_000 })]),
  },
  'the end of an auction without a soft close is moved': {
    invariant: 3,
    message: /moves the end to \d+ instead of undefined/,
    history: plain([lateMs, bid(2, 100, { endsMs: lateMs + 120_000 })]),
  },
  'a bid comes at the moved end': {
    invariant: 3,
    message: /outside the auction’s time/,
    history: all(
      [lateMs, bid(2, 100, { endsMs: endMs + minuteMs })],
      [endMs + minuteMs, bid(3, 105, { endsMs: endMs + 3 * minuteMs })],
    ),
  },
  'an auction is closed by its original end': {
    invariant: 6,
    message: /before the end of the margin/,
    history: all([lateMs, bid(2, 100, { endsMs: endMs + minuteMs })], [endMs + marginMs, unsold('reserve-not-met')]),
  },
  'the reserve is ignored': {
    invariant: 6,
    message: /has the result .*sold.* instead of .*reserve-not-met/,
    history: reserve(bid(2, 149), [endMs + marginMs, sold(10, 2, 149)]),
  },
  'a met reserve counts as not met': {
    invariant: 6,
    message: /has the result .*reserve-not-met.* instead of .*sold/,
    history: reserve(bid(2, 150), [endMs + marginMs, unsold('reserve-not-met')]),
  },
  'a reply is sold as the bid that it answers': {
    invariant: 6,
    message: /has the result .*"bidId":20.* instead of .*"bidId":21/,
    history: plain(bid(2, 100, { max: 140 }), bid(3, 120, { reply: [2, 125] }), [endMs + marginMs, sold(20, 2, 125)]),
  },
  'an auction with bids is bought': {
    invariant: 6,
    message: /without an offer/,
    history: buyable(bid(2, 100), bought(3)),
  },
  'an auction with a met reserve is bought': {
    invariant: 6,
    message: /without an offer/,
    history: all(bid(2, 150), bought(3)),
  },
  'an auction without a buy-now price is bought': {
    invariant: 6,
    message: /without an offer/,
    history: plain(bought(3)),
  },
  'a purchase has another price': {
    invariant: 6,
    message: /a purchase for 29900 instead of 30000/,
    history: buyable(bought(3, 299)),
  },
  'the owner buys': { invariant: 6, message: /a purchase by the owner/, history: buyable(bought(1)) },
  'a purchase comes before the start': {
    invariant: 3,
    message: /is a purchase at \d+, outside the auction’s time/,
    history: buyable([startMs - 1, bought(3)]),
  },
  'a purchase comes at the end': {
    invariant: 3,
    message: /is a purchase at \d+, outside the auction’s time/,
    history: buyable([endMs, bought(3)]),
  },
  'two buyers buy': { invariant: 6, message: /entry 20 .*follows the end/, history: buyable(bought(3), bought(4)) },
  'a bid follows a purchase': { invariant: 6, message: /follows the end/, history: buyable(bought(3), bid(2, 100)) },
  'a bid follows a cancellation': {
    invariant: 6,
    message: /follows the end/,
    history: plain(cancelled(), bid(2, 100)),
  },
  'a cancelled auction is closed': {
    invariant: 6,
    message: /follows the end/,
    history: plain(cancelled(), [endMs + marginMs, unsold('no-bids')]),
  },
  'an auction with bids is cancelled': {
    invariant: 6,
    message: /cancels an auction that has bids/,
    history: plain(bid(2, 100), cancelled()),
  },
  'a cancellation comes at the end': {
    invariant: 3,
    message: /is a cancellation at \d+, after the end/,
    history: plain([endMs, cancelled()]),
  },
})
