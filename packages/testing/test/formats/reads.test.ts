import { toUserId } from '@auction/domain/ids'
import { toAmountMinor } from '@auction/domain/money'
import { endMs } from '../sample-history.ts'
import { listing, readingAfter, seenAfter } from './attempts.ts'
import { testBroken } from './broken.ts'
import { all, and, bid, bought, cancellation, lateMs, overtime, plain, purchase, thenMs } from './stories.ts'

const duel = plain(bid(2, 100, { max: 140 }), bid(3, 120, { reply: [2, 125] }))

testBroken([
  [
    'a reader sees the end before it was moved',
    6,
    /had the end \d+ then/,
    and(overtime, readingAfter(overtime, 1, lateMs + 20_000, { effectiveEndMs: endMs })),
  ],
  [
    'a reader sees the end in overtime',
    6,
    /did not have this status/,
    and(overtime, readingAfter(overtime, 1, endMs + 10, { status: 'Ended', isBuyNowOffered: false })),
  ],
  [
    'a reader sees a reserve that is met',
    6,
    /the reserve of auction 1/,
    and(overtime, readingAfter(overtime, 1, endMs + 10, { isReserveMet: true })),
  ],
  [
    'a reader sees a reserve of an auction without one',
    6,
    /the reserve of auction 1/,
    and(duel, readingAfter(duel, 2, thenMs, { isReserveMet: false })),
  ],
  [
    'a reader does not see an offer',
    6,
    /had another offer/,
    and(overtime, readingAfter(overtime, 1, endMs + 10, { isBuyNowOffered: false })),
  ],
  [
    'a reader sees an offer after the purchase',
    6,
    /had another offer/,
    and(purchase, readingAfter(purchase, 2, thenMs, { isBuyNowOffered: true })),
  ],
  [
    'a reader sees a cancelled auction as ended',
    6,
    /did not have this status/,
    and(cancellation, readingAfter(cancellation, 2, thenMs, { status: 'Ended' })),
  ],
  [
    'a reader sees a bought auction as cancelled',
    6,
    /did not have this status/,
    and(purchase, readingAfter(purchase, 2, thenMs, { status: 'Cancelled' })),
  ],
  [
    'a reader sees a bought auction as open',
    6,
    /was not in this state then/,
    and(purchase, readingAfter(purchase, 1, thenMs)),
  ],
  [
    'a reader sees a purchase that did not happen',
    6,
    /does not end with this result/,
    and(cancellation, readingAfter(all(bid(2, 100), bought(3)), 2, thenMs)),
  ],
  [
    'a reader does not see a reply',
    6,
    /the prices of auction 1 were/,
    and(duel, readingAfter(duel, 2, thenMs, { currentPriceMinor: toAmountMinor(120_00) })),
  ],
  [
    'a reader sees the bidder who was outbid by a reply as the leader',
    6,
    /the leader of auction 1 was 2 then/,
    and(duel, readingAfter(duel, 2, thenMs, { leaderId: toUserId(3) })),
  ],
  [
    'a reader sees no leader after the purchase',
    6,
    /the leader of auction 1 was 2 then/,
    and(purchase, readingAfter(purchase, 2, thenMs, { leaderId: undefined })),
  ],
  [
    'a list has another leader',
    6,
    /the leader of auction 1 was 2 then/,
    and(duel, listing(thenMs, 'Active', [{ ...seenAfter(duel), leaderId: toUserId(3) }])),
  ],
  ['a list of active auctions omits one in overtime', 6, /is missing/, and(overtime, listing(endMs + 10, 'Active'))],
  ['a list of ended auctions omits one that was bought', 6, /is missing/, and(purchase, listing(thenMs, 'Ended'))],
  ['a list of cancelled auctions omits one', 6, /is missing/, and(cancellation, listing(thenMs, 'Cancelled'))],
  [
    'a list of active auctions has one that was bought',
    6,
    /does not match the query/,
    and(purchase, listing(thenMs, 'Active', [seenAfter(purchase)])),
  ],
])
