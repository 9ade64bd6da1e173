import { toAmountMinor } from '../../../src/money.ts'
import { endMs } from '../sample-history.ts'
import { listing, readingBehind, seenAfter } from './attempts.ts'
import { testBroken } from './broken.ts'
import { all, and, bid, bought, cancellation, lateMs, overtime, plain, purchase, thenMs } from './stories.ts'

const duel = plain(bid(2, 100, { max: 140 }), bid(3, 120, { reply: [2, 125] }))

testBroken([
  [
    'a reader sees the end before it was moved',
    6,
    /was to end at/,
    and(overtime, readingBehind(overtime, 1, lateMs + 20_000, { effectiveEndMs: endMs })),
  ],
  [
    'a reader sees the end in overtime',
    6,
    /did not have this status/,
    and(overtime, readingBehind(overtime, 1, endMs + 10, { status: 'Ended', isBuyNowOffered: false })),
  ],
  [
    'a reader sees a reserve that is met',
    6,
    /the reserve of auction 1/,
    and(overtime, readingBehind(overtime, 1, endMs + 10, { isReserveMet: true })),
  ],
  [
    'a reader sees a reserve where there is none',
    6,
    /the reserve of auction 1/,
    and(duel, readingBehind(duel, 2, thenMs, { isReserveMet: false })),
  ],
  [
    'a reader sees no offer where there is one',
    6,
    /was not offered so/,
    and(overtime, readingBehind(overtime, 1, endMs + 10, { isBuyNowOffered: false })),
  ],
  [
    'a reader sees an offer behind the purchase',
    6,
    /was not offered so/,
    and(purchase, readingBehind(purchase, 2, thenMs, { isBuyNowOffered: true })),
  ],
  [
    'a reader sees a cancelled auction as ended',
    6,
    /did not have this status/,
    and(cancellation, readingBehind(cancellation, 2, thenMs, { status: 'Ended' })),
  ],
  [
    'a reader sees a bought auction as cancelled',
    6,
    /did not have this status/,
    and(purchase, readingBehind(purchase, 2, thenMs, { status: 'Cancelled' })),
  ],
  ['a reader sees a bought auction go on', 6, /did not say so then/, and(purchase, readingBehind(purchase, 1, thenMs))],
  [
    'a reader is told of a purchase that there was not',
    6,
    /does not end with this result/,
    and(cancellation, readingBehind(all(bid(2, 100), bought(3)), 2, thenMs)),
  ],
  [
    'a reader sees no reply',
    6,
    /the prices of auction 1 were/,
    and(duel, readingBehind(duel, 2, thenMs, { currentPriceMinor: toAmountMinor(120_00) })),
  ],
  [
    'a list of active auctions leaves out one in overtime',
    6,
    /is missing/,
    and(overtime, listing(endMs + 10, 'Active')),
  ],
  ['a list of ended auctions leaves out one that was bought', 6, /is missing/, and(purchase, listing(thenMs, 'Ended'))],
  ['a list of cancelled auctions leaves out one', 6, /is missing/, and(cancellation, listing(thenMs, 'Cancelled'))],
  [
    'a list of active auctions has one that was bought',
    6,
    /was not asked for/,
    and(purchase, listing(thenMs, 'Active', [seenAfter(purchase)])),
  ],
])
