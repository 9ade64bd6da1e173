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

testBroken(3, /moves the end to/, {
  'a late bid does not move the end': all([lateMs, bid(2, 100)]),
  'a late bid moves the end too far': all([lateMs, bid(2, 100, { endsMs: lateMs + 120_001 })]),
  'a bid moves the end before the window': all([lateMs - 1, bid(2, 100, { endsMs: endMs + 60_000 })]),
  'bids move the end past the cap': all(
    [lateMs, bid(2, 100, { endsMs: lateMs + 120_000 })],
    [endMs + 50_000, bid(2, 105, { endsMs: endMs + 170_000 })],
    [endMs + 160_000, bid(2, 110, { endsMs: endMs + 280_000 })],
    [endMs + 270_000, bid(2, 115, { endsMs: endMs + 390_000 })],
  ),
  'a raised maximum moves the end': all(bid(2, 100), [lateMs, raise(2, 100, 140, { endsMs: lateMs + 120_000 })]),
  'the end of an auction without a soft close is moved': plain([lateMs, bid(2, 100, { endsMs: lateMs + 120_000 })]),
})

testBroken(3, /outside the auction’s time/, {
  'a bid comes at the moved end': all(
    [lateMs, bid(2, 100, { endsMs: endMs + minuteMs })],
    [endMs + minuteMs, bid(3, 105, { endsMs: endMs + 3 * minuteMs })],
  ),
  'a purchase comes before the start': buyable([startMs - 1, bought(3)]),
  'a purchase comes at the end': buyable([endMs, bought(3)]),
})

testBroken(3, /, after the end/, {
  'a cancellation comes at the end': plain([endMs, cancelled()]),
})

testBroken(6, /before the end of the margin/, {
  'an auction is closed by its original end': all(
    [lateMs, bid(2, 100, { endsMs: endMs + minuteMs })],
    [endMs + marginMs, unsold('reserve-not-met')],
  ),
})

testBroken(6, /has the result/, {
  'the reserve is ignored': reserve(bid(2, 149), [endMs + marginMs, sold(10, 2, 149)]),
  'a met reserve counts as not met': reserve(bid(2, 150), [endMs + marginMs, unsold('reserve-not-met')]),
  'a reply is sold as the bid to which it replies': plain(bid(2, 100, { max: 140 }), bid(3, 120, { reply: [2, 125] }), [
    endMs + marginMs,
    sold(20, 2, 125),
  ]),
})

testBroken(6, /is a purchase (without an offer|for|by the owner)/, {
  'an auction with bids is bought': buyable(bid(2, 100), bought(3)),
  'an auction with a met reserve is bought': all(bid(2, 150), bought(3)),
  'an auction without a buy-now price is bought': plain(bought(3)),
  'a purchase has another price': buyable(bought(3, 299)),
  'the owner buys': buyable(bought(1)),
})

testBroken(6, /follows the end/, {
  'two buyers buy': buyable(bought(3), bought(4)),
  'a cancelled auction is closed': plain(cancelled(), [endMs + marginMs, unsold('no-bids')]),
})

testBroken(6, /cancels an auction that has bids/, {
  'an auction with bids is cancelled': plain(bid(2, 100), cancelled()),
})
