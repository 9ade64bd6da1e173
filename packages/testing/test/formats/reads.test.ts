import { toUserId } from '@auction/domain/ids'
import { toAmountMinor } from '@auction/domain/money'
import { endMs } from '../sample-history.ts'
import { listing, listingByEnd, readingAfter, seenAfter } from './attempts.ts'
import { testBroken } from './histories.ts'
import {
  all,
  and,
  bid,
  bought,
  cancellation,
  guarded,
  lateMs,
  minuteMs,
  overtime,
  plain,
  purchase,
  stepped,
  thenMs,
} from './stories.ts'

const duel = plain(bid(2, 100, { max: 140 }), bid(3, 120, { reply: [2, 125] }))
const higher = stepped(bid(2, 120))
const limited = guarded(bid(2, 120))

testBroken(6, /had \w+/, {
  'a reader sees the end before it was moved': and(
    overtime,
    readingAfter(overtime, 1, lateMs + 20_000, { effectiveEndMs: endMs }),
  ),
  'a reader sees the minimum next bid below a step': and(
    higher,
    readingAfter(higher, 1, thenMs, { minimumNextBidMinor: toAmountMinor(125_00) }),
  ),
  'a reader sees the maximum next bid before a bid': and(
    limited,
    readingAfter(limited, 1, thenMs, { maximumNextBidMinor: toAmountMinor(150_00) }),
  ),
  'a reader sees a reserve that is met': and(overtime, readingAfter(overtime, 1, endMs + 10, { isReserveMet: true })),
  'a reader sees a reserve of an auction without one': and(
    duel,
    readingAfter(duel, 2, thenMs, { isReserveMet: false }),
  ),
  'a reader does not see an offer': and(overtime, readingAfter(overtime, 1, endMs + 10, { isBuyNowOffered: false })),
  'a reader sees an offer after the purchase': and(
    purchase,
    readingAfter(purchase, 2, thenMs, { isBuyNowOffered: true }),
  ),
  'a reader does not see a reply': and(
    duel,
    readingAfter(duel, 2, thenMs, { currentPriceMinor: toAmountMinor(120_00) }),
  ),
  'a reader sees the bidder who was outbid by a reply as the leader': and(
    duel,
    readingAfter(duel, 2, thenMs, { leaderId: toUserId(3) }),
  ),
})

testBroken(6, /did not have this status/, {
  'a reader sees the end in overtime': and(
    overtime,
    readingAfter(overtime, 1, endMs + 10, { status: 'Ended', isBuyNowOffered: false }),
  ),
  'a reader sees a cancelled auction as ended': and(
    cancellation,
    readingAfter(cancellation, 2, thenMs, { status: 'Ended' }),
  ),
  'a reader sees a bought auction as cancelled': and(
    purchase,
    readingAfter(purchase, 2, thenMs, { status: 'Cancelled' }),
  ),
})

testBroken(6, /(not in this state then|never in this state)/, {
  'a reader sees a bought auction as open': and(purchase, readingAfter(purchase, 1, thenMs)),
})

testBroken(6, /does not end with this result/, {
  'a reader sees a purchase that did not happen': and(
    cancellation,
    readingAfter(all(bid(2, 100), bought(3)), 2, thenMs),
  ),
})

testBroken(6, /is missing/, {
  'a list of active auctions omits one in overtime': and(overtime, listing(endMs + 10, 'Active')),
  'a list by ends omits an active auction': and(overtime, listingByEnd(endMs + 10)),
  'a list of ended auctions omits one that was bought': and(purchase, listing(endMs + minuteMs, 'Ended')),
  'a list of cancelled auctions omits one': and(cancellation, listing(endMs + minuteMs, 'Cancelled')),
})

testBroken(6, /does not match the query/, {
  'a list of active auctions has one that was bought': and(purchase, listing(thenMs, 'Active', [seenAfter(purchase)])),
})
