import type { Auction } from '@auction/domain/auction'
import { momentAt } from '@auction/domain/moment'
import { type Decimal, toAmountMinor, toDecimal, toMinor } from '@auction/domain/money'
import type { AuctionEntry, Entry } from '@auction/domain/store'
import { type SeenFigures, show } from '../../../history.ts'
import { endMs, isEnd } from '../../life.ts'
import type { Format, RefusedCommand } from '../format.ts'

type FallingAuction = Extract<Auction, { readonly format: 'falling' }>
type Purchased = Extract<AuctionEntry['event'], { readonly type: 'purchased' }>
type FallingEntry = Omit<AuctionEntry, 'event'> & { readonly event: Purchased }

/** The price at a time: the whole intervals since the start, in exact integers. */
function priceMinor({ startingPriceMinor, falling, startTime }: FallingAuction, atMs: number): number {
  const elapsedMs = BigInt(Math.max(0, atMs - startTime.epochMs))
  const steps = elapsedMs / BigInt(falling.intervalSeconds * 1_000)
  const fallen = BigInt(startingPriceMinor) - steps * BigInt(falling.decrementMinor)
  const floor = BigInt(falling.floorPriceMinor)
  return Number(fallen > floor ? fallen : floor)
}

/** The price at a time, and the next step, if it is before the end. After the end, the last price stays. */
function figuresAt(auction: FallingAuction, head: Entry | undefined, atMs: number): Partial<SeenFigures> {
  // An entry that only records the key of a repeated cancellation leaves the state as it is.
  const isOver = isEnd(head)
  const endsMs = endMs(auction, head)
  const shownMs = Math.min(isOver ? (head?.state.atMs ?? atMs) : atMs, endsMs - 1)
  const price = priceMinor(auction, shownMs)
  const intervalMs = auction.falling.intervalSeconds * 1_000
  const intoStepMs = Math.max(0, shownMs - auction.startTime.epochMs) % intervalMs
  const nextMs = Math.max(shownMs, auction.startTime.epochMs) - intoStepMs + intervalMs
  const isLast = isOver || atMs >= endsMs || nextMs >= endsMs || price === auction.falling.floorPriceMinor
  return {
    currentPriceMinor: toAmountMinor(price),
    nextPriceMinor: isLast ? undefined : toAmountMinor(priceMinor(auction, nextMs)),
    nextPriceTime: isLast ? undefined : momentAt(nextMs),
  }
}

const lastMs = ({ nextPriceTime }: Partial<SeenFigures>): number =>
  nextPriceTime === undefined ? Number.POSITIVE_INFINITY : nextPriceTime.epochMs - 1

/** A refusal has the price of a time at which the request may have arrived, above what the buyer pays. */
function isPriceHigher({ attempt, response, states, earliestMs, latestMs }: RefusedCommand): boolean {
  if (attempt.type !== 'buy-now') return false
  const { atMost = 0 } = attempt.purchase
  const { currentPriceMinor, nextPriceMinor, nextPriceTime } = response
  const shown = { currentPriceMinor, nextPriceMinor, nextPriceTime }
  return falling(states).some(({ auction, head, isClosed }) => {
    const atMs = Math.max(Math.min(lastMs(response), latestMs), earliestMs, head?.atMs ?? earliestMs)
    const isTrue = show(figuresAt(auction, head, atMs)) === show(shown)
    return !isClosed && isTrue && Number(currentPriceMinor) > Number(toMinor(atMost, auction.currency))
  })
}

type FallingState = RefusedCommand['states'][number] & { readonly auction: FallingAuction }

/** The cast: an auction of the format has states of the format. */
const falling = (states: RefusedCommand['states']) => states as readonly FallingState[]

export const fallingPrice = {
  none: {},
  isFixedFromStart: true,
  lacks: ['lower-reserve', 'withdraw-own-bid'],
  standingIn: () => ({}),
  hasOffers: () => false,
  requestIn({ auctionId, currency, event: { buyerId, atMostMinor } }: FallingEntry) {
    const atMost = toDecimal(atMostMinor, currency) as Decimal // As it was sent.
    return { type: 'buy-now', purchase: { auctionId, buyerId, atMost } } as const
  },
  findingsOf(auction: FallingAuction, _before: Entry | undefined, { atMs, event }: FallingEntry) {
    const price = priceMinor(auction, atMs)
    return [
      event.priceMinor !== price && ([6, `is a purchase for ${event.priceMinor} instead of ${price}`] as const),
      event.priceMinor > event.atMostMinor && ([6, `is a purchase above ${event.atMostMinor}`] as const),
    ]
  },
  changeBy: (_: Auction, __: Entry | undefined, { event: { buyerId, priceMinor, admission } }: FallingEntry) => ({
    result: { outcome: 'bought', buyerId, priceMinor, paddle: admission?.paddle },
  }),
  again: () => ({}),
  result: () => ({ outcome: 'unsold', reason: 'no-bids' }),
  problemOf: ({ startingPriceMinor, falling: { decrementMinor, intervalSeconds, floorPriceMinor } }: FallingAuction) =>
    decrementMinor > 0 && intervalSeconds >= 5 && intervalSeconds <= 86_400 && floorPriceMinor < startingPriceMinor
      ? undefined
      : 'a price that cannot fall',
  figures: () => ({}),
  byTime: { figuresAt, lastMs },
  publicEvent: () => undefined,
  secrets: ['atMostMinor'],
  refusals: {
    'validation-failed': ({ attempt, timeline: { auction } }) =>
      attempt.type === 'buy-now' &&
      (attempt.purchase.atMost === undefined || toMinor(attempt.purchase.atMost, auction.currency) === undefined),
    'owner-cannot-buy': ({ attempt, timeline: { auction } }) =>
      attempt.type === 'buy-now' && attempt.purchase.buyerId === auction.ownerId,
    'bids-not-taken': ({ attempt }) => attempt.type === 'place-bid',
    'price-is-higher': isPriceHigher,
  },
} satisfies Format
