import { createMemorySealer } from '@auction/adapters/memory'
import type { AuctionEvent, Closed } from '@auction/domain/auction'
import { toBidId, toUserId } from '@auction/domain/ids'
import { type Decimal, toAmountMinor } from '@auction/domain/money'
import type { Entry } from '@auction/domain/store'
import type { Attempt, History, Refused, SeenAuction } from '../../src/history.ts'
import { sampleSealedAuction } from '../../src/samples.ts'
import { endMs, marginMs, refused, startMs } from '../sample-history.ts'
import { bidding, buying, cancelling, correcting, readingAfter } from './attempts.ts'
import { testBroken, testKept } from './histories.ts'
import { and, cancelled, corrected, endedEarly, extended, type Move, minuteMs, storyOn, thenMs } from './stories.ts'

const usd = (amount: number) => toAmountMinor(amount * 100)
const bid = (bidder: number, amount: number): AuctionEvent => ({
  ...({ type: 'sealed-bid', bidderId: toUserId(bidder), amountMinor: usd(amount) } as const),
})
const own = (bidder: number): AuctionEvent => ({ type: 'sealed-withdrawal', bidderId: toUserId(bidder) })
const staff = (bidder: number, block: { isBlocked?: true; isUnblocked?: true } = {}): AuctionEvent => ({
  // The cast: without what stands, since states of the format do not have it.
  ...({ type: 'withdrawn', bidderId: toUserId(bidder), ...block, reason: 'outage', editor: 'staff' } as AuctionEvent),
})

const at = endMs + marginMs
const closed = (result: Closed['result'], atMs = at): Move => [atMs, { type: 'closed', result }]
const sold = (bidId: number, winner: number, price: number, bidderCount: number, atMs = at): Move =>
  closed(
    { ...{ outcome: 'sold', bidId: toBidId(bidId), winnerId: toUserId(winner) }, priceMinor: usd(price), bidderCount },
    atMs,
  )
const unsold = (reason: 'no-bids' | 'reserve-not-met', bidderCount: number): Move =>
  closed({ outcome: 'unsold', reason, bidderCount })

const sealer = createMemorySealer()

/** The ledger as it is stored. */
function sealedIn({ id: entryId, auctionId, event, ...entry }: Entry): Entry {
  if (event.type !== 'sealed-bid' || !('amountMinor' in event)) return { ...entry, id: entryId, auctionId, event }
  const { type, bidderId, amountMinor } = event
  const sealed = sealer.seal(amountMinor, { auctionId, entryId, bidderId })
  return { ...entry, id: entryId, auctionId, event: { type, bidderId, ...sealed } }
}
const sealed = (history: History): History => ({ ...history, sealer, ledger: history.ledger.map(sealedIn) })

/** From 100 USD, at the second price, at the first one, or with a reserve of 150. */
const second = (...moves: readonly Move[]) => sealed(storyOn(sampleSealedAuction(), moves))
const first = (...moves: readonly Move[]) => sealed(storyOn(sampleSealedAuction({ pricing: 'first' }), moves))
const reserve = (...moves: readonly Move[]) => sealed(storyOn(sampleSealedAuction({ reservePrice: 150 }), moves))

const auctionId = sampleSealedAuction().id
const withdrawing = (ms: number, bidder: number, response: Refused): Attempt => ({
  ...{ type: 'withdraw-own-bid', withdrawal: { auctionId, bidderId: toUserId(bidder) } },
  ...{ sentAtMs: ms, respondedAtMs: ms + 5, response },
})
const lowering: Attempt = {
  ...{ type: 'lower-reserve', sentAtMs: thenMs, respondedAtMs: thenMs + 5, response: refused('not-in-format') },
  repair: { auctionId, editor: 'staff', reason: 'outage', reservePrice: 0 as Decimal }, // No reserve.
}
const tooLow = (figures: object = {}) => refused('bid-too-low', { minimumNextBidMinor: usd(100), ...figures })

const two = second(bid(2, 100), bid(3, 120))
const read = (history: History, sequence: number, change: Partial<SeenAuction> = {}) =>
  and(history, readingAfter(history, sequence, startMs + sequence * minuteMs + 10, change))

testKept({
  'the second price is paid': second(bid(2, 150), bid(3, 200), bid(4, 120), sold(20, 3, 150, 3)),
  'the first price is paid': first(bid(2, 150), bid(3, 200), sold(20, 3, 200, 2)),
  'one bidder pays the starting price': second(bid(2, 150), sold(10, 2, 100, 1)),
  'one bidder above the reserve pays it': reserve(bid(2, 180), bid(3, 120), sold(10, 2, 150, 2)),
  'no bid meets the reserve': reserve(bid(2, 149), unsold('reserve-not-met', 1)),
  'it has no bids': second(unsold('no-bids', 0)),
  'the first of two equal bids wins': second(bid(2, 150), bid(3, 150), sold(10, 2, 150, 2)),
  'the same amount again keeps its place': second(bid(2, 150), bid(3, 150), bid(2, 150), sold(30, 2, 150, 2)),
  'a changed amount loses its place': second(
    ...[bid(2, 150), bid(3, 150), bid(2, 140), bid(2, 150)],
    sold(20, 3, 150, 2),
  ),
  'a lower bid replaces a higher one': second(bid(2, 200), bid(3, 150), bid(2, 110), sold(20, 3, 110, 2)),
  'bidders withdraw, and one bids again': second(
    ...[bid(2, 200), bid(3, 150), own(2), own(3), bid(3, 130)],
    sold(50, 3, 100, 1),
  ),
  'staff withdraw bids, of whom has none, too': second(
    ...[staff(5), bid(2, 200), staff(2, { isBlocked: true }), bid(3, 110)],
    sold(40, 3, 100, 1),
  ),
  'staff let a blocked bidder bid again': second(
    ...[staff(2, { isBlocked: true }), staff(2, { isUnblocked: true }), bid(2, 110)],
    sold(30, 2, 100, 1),
  ),
  'staff extend it': second(extended(endMs + 60_000, endMs), [endMs, bid(2, 110)], sold(20, 2, 100, 1, at + 60_000)),
  'staff end it': second(bid(2, 110), endedEarly(startMs + 2 * minuteMs + 1, endMs)),
  'it is corrected and cancelled before its start': second(
    [startMs - 2, corrected({ title: 'Oak desk', by: 'staff' })],
    [startMs - 1, cancelled()],
  ),
  'requests are refused by its rules': and(
    two,
    bidding(thenMs, 4, 99, tooLow()),
    bidding(thenMs, 4, 110, refused('validation-failed'), 120),
    withdrawing(thenMs, 4, refused('no-bids-of-bidder')),
    buying(thenMs, 4, refused('not-in-format')),
    lowering,
    correcting(thenMs, refused('auction-started')),
    cancelling(thenMs, refused('auction-started')),
  ),
  'reads count only what everyone sees': read(read(two, 2, { sequence: 0 }), 1, { sequence: 0 }),
})

const wrongResult = /has the result/
testBroken(6, wrongResult, {
  'the later of two equal bids wins': second(bid(2, 150), bid(3, 150), sold(20, 3, 150, 2)),
  'a changed amount keeps its place': second(
    ...[bid(2, 150), bid(3, 150), bid(2, 140), bid(2, 150)],
    sold(40, 2, 150, 2),
  ),
  'the second price ignores the reserve': reserve(bid(2, 180), bid(3, 120), sold(10, 2, 120, 2)),
  'the second price is that of the winner': second(bid(2, 110), bid(2, 150), sold(20, 2, 110, 1)),
  'a replaced bid still counts': second(bid(2, 200), bid(3, 150), bid(2, 110), sold(10, 2, 150, 2)),
  'a withdrawal by the bidder is ignored': second(bid(2, 200), bid(3, 150), own(2), sold(10, 2, 150, 2)),
  'a withdrawal by staff is ignored': second(bid(2, 200), bid(3, 150), staff(2), sold(10, 2, 150, 2)),
  'bids are counted instead of bidders': second(bid(2, 200), bid(2, 150), sold(20, 2, 100, 2)),
  'a bid below the reserve wins': reserve(bid(2, 149), sold(10, 2, 150, 1)),
})
testBroken(2, /too low/, { 'a bid below the starting price is recorded': second(bid(2, 99)) })
testBroken(6, /is a withdrawal without bids/, {
  'a withdrawal without bids is recorded': second(own(2)),
  'bids are withdrawn twice': second(bid(2, 100), own(2), own(2)),
})
testBroken(3, /outside the auction’s time/, {
  'bids are withdrawn after the end': second(bid(2, 100), [endMs, own(2)]),
})
testBroken(6, /corrects an auction that has bids or is fixed/, {
  'it is corrected after its start': second(corrected({ title: 'Oak desk', by: 'staff' })),
})
testBroken(2, /does not open/, {
  'a bid is stored as that of another bidder': {
    ...two,
    ledger: two.ledger.map((entry) => ({ ...entry, event: { ...entry.event, bidderId: toUserId(3) } as AuctionEvent })),
  },
})
testBroken(2, /has the state/, {
  'a state lists the sequence of a bid': {
    ...two,
    ledger: two.ledger.map((entry) => ({
      ...entry,
      state: { ...entry.state, publicSequences: [1] } as Entry['state'],
    })),
  },
})
testBroken(1, /without a request|is not stored/, {
  'a withdrawal is stored that no client requested': {
    ...second(bid(2, 100), own(2)),
    attempts: second(bid(2, 100)).attempts,
  },
  'an accepted withdrawal is not stored': {
    ...second(bid(2, 100)),
    attempts: second(bid(2, 100), own(2)).attempts,
  },
})
testBroken(6, /had (sequence|currentPriceMinor|bidderCount)|was never in this state/, {
  'a read counts bids as entries': read(two, 2, { sequence: 2 }),
  'a read has the number of bids': read(two, 2, { bidCount: 2 }),
  'a read has a price': read(two, 2, { currentPriceMinor: usd(120) }),
  'a read has the number of bidders': read(two, 2, { bidderCount: 2 }),
})
testBroken(4, /was never true/, {
  'a refusal has a price': and(two, bidding(thenMs, 4, 99, tooLow({ currentPriceMinor: usd(120) }))),
  'a lower bid than that of another bidder is refused': and(two, bidding(thenMs, 4, 110, tooLow())),
  'a bidder with bids cannot withdraw them': and(two, withdrawing(thenMs, 3, refused('no-bids-of-bidder'))),
})
