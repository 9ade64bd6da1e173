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

testBroken({
  'a reader sees the end before it was moved': {
    invariant: 6,
    message: /had the end \d+ then/,
    history: and(overtime, readingAfter(overtime, 1, lateMs + 20_000, { effectiveEndMs: endMs })),
  },
  'a reader sees the minimum next bid below a step': {
    invariant: 6,
    message: /the prices of auction 1 were 12000 and 13000/,
    history: and(higher, readingAfter(higher, 1, thenMs, { minimumNextBidMinor: toAmountMinor(125_00) })),
  },
  'a reader sees the maximum next bid before a bid': {
    invariant: 6,
    message: /had the maximum next bid 17000 then/,
    history: and(limited, readingAfter(limited, 1, thenMs, { maximumNextBidMinor: toAmountMinor(150_00) })),
  },
  'a reader sees the end in overtime': {
    invariant: 6,
    message: /did not have this status/,
    history: and(overtime, readingAfter(overtime, 1, endMs + 10, { status: 'Ended', isBuyNowOffered: false })),
  },
  'a reader sees a reserve that is met': {
    invariant: 6,
    message: /the reserve of auction 1/,
    history: and(overtime, readingAfter(overtime, 1, endMs + 10, { isReserveMet: true })),
  },
  'a reader sees a reserve of an auction without one': {
    invariant: 6,
    message: /the reserve of auction 1/,
    history: and(duel, readingAfter(duel, 2, thenMs, { isReserveMet: false })),
  },
  'a reader does not see an offer': {
    invariant: 6,
    message: /had another offer/,
    history: and(overtime, readingAfter(overtime, 1, endMs + 10, { isBuyNowOffered: false })),
  },
  'a reader sees an offer after the purchase': {
    invariant: 6,
    message: /had another offer/,
    history: and(purchase, readingAfter(purchase, 2, thenMs, { isBuyNowOffered: true })),
  },
  'a reader sees a cancelled auction as ended': {
    invariant: 6,
    message: /did not have this status/,
    history: and(cancellation, readingAfter(cancellation, 2, thenMs, { status: 'Ended' })),
  },
  'a reader sees a bought auction as cancelled': {
    invariant: 6,
    message: /did not have this status/,
    history: and(purchase, readingAfter(purchase, 2, thenMs, { status: 'Cancelled' })),
  },
  'a reader sees a bought auction as open': {
    invariant: 6,
    message: /was not in this state then/,
    history: and(purchase, readingAfter(purchase, 1, thenMs)),
  },
  'a reader sees a purchase that did not happen': {
    invariant: 6,
    message: /does not end with this result/,
    history: and(cancellation, readingAfter(all(bid(2, 100), bought(3)), 2, thenMs)),
  },
  'a reader does not see a reply': {
    invariant: 6,
    message: /the prices of auction 1 were/,
    history: and(duel, readingAfter(duel, 2, thenMs, { currentPriceMinor: toAmountMinor(120_00) })),
  },
  'a reader sees the bidder who was outbid by a reply as the leader': {
    invariant: 6,
    message: /the leader of auction 1 was 2 then/,
    history: and(duel, readingAfter(duel, 2, thenMs, { leaderId: toUserId(3) })),
  },
  'a reader sees no leader after the purchase': {
    invariant: 6,
    message: /the leader of auction 1 was 2 then/,
    history: and(purchase, readingAfter(purchase, 2, thenMs, { leaderId: undefined })),
  },
  'a list has another leader': {
    invariant: 6,
    message: /the leader of auction 1 was 2 then/,
    history: and(duel, listing(thenMs, 'Active', [{ ...seenAfter(duel), leaderId: toUserId(3) }])),
  },
  'a list of active auctions omits one in overtime': {
    invariant: 6,
    message: /is missing/,
    history: and(overtime, listing(endMs + 10, 'Active')),
  },
  'a list by ends omits an active auction': {
    invariant: 6,
    message: /is missing/,
    history: and(overtime, listingByEnd(endMs + 10)),
  },
  'a list of ended auctions omits one that was bought': {
    invariant: 6,
    message: /is missing/,
    history: and(purchase, listing(endMs + minuteMs, 'Ended')),
  },
  'a list of cancelled auctions omits one': {
    invariant: 6,
    message: /is missing/,
    history: and(cancellation, listing(endMs + minuteMs, 'Cancelled')),
  },
  'a list of active auctions has one that was bought': {
    invariant: 6,
    message: /does not match the query/,
    history: and(purchase, listing(thenMs, 'Active', [seenAfter(purchase)])),
  },
})
