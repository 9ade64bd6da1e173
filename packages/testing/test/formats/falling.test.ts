import type { AuctionEvent } from '@auction/domain/auction'
import { evolve, initialStateOf } from '@auction/domain/auction'
import { toEntryId, toUserId } from '@auction/domain/ids'
import { momentAt } from '@auction/domain/moment'
import { type Decimal, toAmountMinor } from '@auction/domain/money'
import type { Entry } from '@auction/domain/store'
import type { Attempt, History } from '../../src/history.ts'
import { sampleFallingAuction } from '../../src/samples.ts'
import { afterCreation, endMs, marginMs, refused, startMs } from '../sample-history.ts'
import { testBroken, testKept } from './histories.ts'
import { cancelled, corrected, extended, type Move, seenOf, unsold } from './stories.ts'

const auction = sampleFallingAuction()
const minuteMs = 60_000

const purchased = (price: number, atMost = price): AuctionEvent => ({
  type: 'purchased',
  buyerId: toUserId(2),
  priceMinor: toAmountMinor(price * 100),
  atMostMinor: toAmountMinor(atMost * 100),
})

/** The ledger of an auction whose price falls by 5 USD every minute from 100 to 60, with the request of each purchase. */
function story(...moves: readonly Extract<Move, readonly unknown[]>[]): History {
  const ledger: Entry[] = []
  for (const [index, [atMs, event]] of moves.entries()) {
    const recorded = { id: toEntryId(index + 1), sequence: index + 1, atMs, event }
    const state = evolve(ledger.at(-1)?.state ?? initialStateOf(auction), recorded)
    ledger.push({ ...recorded, auctionId: auction.id, currency: auction.currency, state })
  }
  const { id: _, createdAtMs: __, ...fields } = auction
  const [sentAtMs, respondedAtMs] = afterCreation(-1, 1)
  const response = { outcome: 'accepted', auction } as const
  const creation: Attempt = { type: 'create-auction', auction: fields, sentAtMs, respondedAtMs, response }
  const attempts = ledger.flatMap((entry) => requestOf(entry))
  return { auctions: [auction], attempts: [creation, ...attempts], ledger, clockErrorMs: 0, marginMs }
}

function requestOf(entry: Entry): readonly Attempt[] {
  const { auctionId, atMs, event } = entry
  const times = { sentAtMs: atMs - 2, respondedAtMs: atMs + 3 }
  const response = { outcome: 'accepted', auction: seenOf(auction, entry) } as const
  switch (event.type) {
    case 'purchased': {
      const atMost = (event.atMostMinor / 100) as Decimal // In whole units.
      return [{ type: 'buy-now', purchase: { auctionId, buyerId: event.buyerId, atMost }, ...times, response }]
    }
    case 'extended': {
      const { endMs: toMs, reason, editor } = event
      const repair = { auctionId, endTime: { iso: new Date(toMs).toISOString(), epochMs: toMs }, reason, editor }
      return [{ type: 'extend-auction', repair: repair as never, ...times, response }] // A valid moment.
    }
    case 'cancelled':
      return [{ type: 'cancel-auction', cancellation: { auctionId }, ...times, response }]
    case 'corrected': {
      const { title, editor } = event
      return [
        {
          type: 'correct-auction',
          correction: { auctionId, editor, ...(title != null && { title }) },
          ...times,
          response,
        },
      ]
    }
    default:
      return []
  }
}

/** A purchase that was refused two milliseconds after it was sent. */
const refusedPurchase = (atMs: number, atMost: number, data: Parameters<typeof refused>[1]): Attempt => ({
  type: 'buy-now',
  purchase: { auctionId: auction.id, buyerId: toUserId(3), atMost: atMost as Decimal },
  ...{ sentAtMs: atMs, respondedAtMs: atMs + 2 },
  response: refused('price-is-higher', data),
})
const withAttempt = (history: History, attempt: Attempt): History => ({
  ...history,
  attempts: [...history.attempts, attempt],
})
/** The price in whole units, and the next step after it, which is this many minutes after the start. */
const price = (units: number, minutes: number) => ({
  currentPriceMinor: toAmountMinor(units * 100),
  nextPriceMinor: toAmountMinor(units * 100 - 500),
  nextPriceTime: momentAt(startMs + minutes * minuteMs),
})

testKept({
  'it is bought at the start': story([startMs, purchased(100)]),
  'it is bought in the last millisecond before a step': story([startMs + minuteMs - 1, purchased(100)]),
  'it is bought at a step for less than the buyer would pay': story([startMs + minuteMs, purchased(95, 100)]),
  'it is bought at the floor, after an extension': story(
    [startMs + minuteMs, extended(endMs + 1_000, endMs)],
    [endMs + 999, purchased(60)],
  ),
  'it ends without a buyer': story([endMs + marginMs, unsold('no-bids')]),
  'it is corrected and cancelled before its start': story(
    [startMs - 2, corrected({ title: 'Oak desk' })],
    [startMs - 1, cancelled()],
  ),
  'a refusal names the price of its time': withAttempt(
    story(),
    refusedPurchase(startMs + minuteMs - 1, 90, price(95, 2)),
  ),
})

testBroken(6, /is a purchase for 10000 instead of 9500/, {
  'the price is that before the step': story([startMs + minuteMs, purchased(100)]),
})
testBroken(6, /is a purchase for 9500 instead of 10000/, {
  'the price is that after the step': story([startMs + minuteMs - 1, purchased(95)]),
})
testBroken(6, /is a purchase above 9000/, { 'atMost is ignored': story([startMs, purchased(100, 90)]) })
testBroken(3, /outside the auction’s time/, { 'it is bought before its start': story([startMs - 1, purchased(100)]) })
testBroken(6, /cancels an auction that has bids or is fixed/, {
  'it is cancelled after its start': story([startMs, cancelled()]),
})
testBroken(6, /corrects an auction that has bids or is fixed/, {
  'it is corrected after its start': story([startMs, corrected({ title: 'Oak desk' })]),
})
testBroken(4, /was never true/, {
  'a refusal names an earlier price': withAttempt(story(), refusedPurchase(startMs + minuteMs, 90, price(100, 1))),
  'a refusal names a price that the buyer would pay': withAttempt(
    story(),
    refusedPurchase(startMs, 100, price(100, 1)),
  ),
  'a refusal names another next step': withAttempt(story(), refusedPurchase(startMs, 90, price(100, 2))),
})

/** A read that is sent at a time, and is returned with what the service shows a moment later. */
const read = (sentAtMs: number, shownMs: number, respondedAtMs = sentAtMs + 2): Attempt => ({
  type: 'read-auction',
  auctionId: auction.id,
  ...{ sentAtMs, respondedAtMs },
  response: { outcome: 'read', auction: seenOf(auction, undefined, shownMs) },
})
const atStep = startMs + minuteMs

testKept({
  'reads show the price of their time': [startMs - 1, startMs, atStep - 1, atStep, endMs - 1].reduce(
    (history, ms) => withAttempt(history, read(ms, ms)),
    story(),
  ),
  'a read at a step shows the price before it, or after it': withAttempt(
    withAttempt(story(), read(atStep - 1, atStep - 1)),
    read(atStep - 1, atStep),
  ),
})
testBroken(6, /had currentPriceMinor 9500 then/, {
  'a read shows the price before a step': withAttempt(story(), read(atStep, atStep - 1)),
})
testBroken(6, /had currentPriceMinor 10000 then/, {
  'a read shows the price after a step': withAttempt(story(), read(atStep - 3, atStep)),
})
