import { toUserId } from '@auction/domain/ids'
import type { Moment } from '@auction/domain/moment'
import { toAmountMinor } from '@auction/domain/money'
import type { Attempt, History, SeenAuction } from '../../src/history.ts'
import { sampleAuction } from '../../src/samples.ts'
import { amountsOf, seenOf } from './stories.ts'

type Of<Type extends Attempt['type']> = Extract<Attempt, { readonly type: Type }>
type Answer<Type extends Attempt['type']> = Of<Type>['answer']
/** The times of a request with an answer 5 ms later. */
const at = (sentAtMs: number) => ({ sentAtMs, answeredAtMs: sentAtMs + 5 })
const auctionId = sampleAuction().id

export const bidding = (
  ms: number,
  bidder: number,
  amount: number,
  answer: Answer<'place-bid'>,
  max?: number,
): Attempt => ({
  type: 'place-bid',
  bid: { auctionId, bidderId: toUserId(bidder), ...amountsOf(amount * 100, max && max * 100) },
  ...at(ms),
  answer,
})

export const buying = (ms: number, buyer: number, answer: Answer<'buy-now'>, key?: string): Attempt => ({
  type: 'buy-now',
  purchase: { auctionId, buyerId: toUserId(buyer) },
  ...at(ms),
  answer,
  ...(key && { key }),
})

export const cancelling = (
  ms: number,
  answer: Answer<'cancel-auction'>,
  asked: {
    readonly reason?: string
    readonly requester?: number
    readonly key?: string
    readonly mayForce?: true
  } = {},
): Attempt => ({
  type: 'cancel-auction',
  cancellation: {
    auctionId,
    ...(asked.reason !== undefined && { reason: asked.reason }),
    ...(asked.mayForce && { mayForce: true }),
    ...(asked.requester !== undefined && { requesterId: toUserId(asked.requester) }),
  },
  ...at(ms),
  answer,
  ...(asked.key && { key: asked.key }),
})

export const correcting = (
  ms: number,
  answer: Answer<'correct-auction'>,
  asked: Partial<Pick<Of<'correct-auction'>, 'expected' | 'key'>> & {
    readonly title?: string | null
    readonly endTime?: Moment
  } = {},
): Attempt => ({
  type: 'correct-auction',
  correction: {
    auctionId,
    title: asked.title ?? 'Oak desk',
    editor: 'staff',
    ...(asked.endTime && { endTime: asked.endTime }),
  },
  ...at(ms),
  answer,
  ...(asked.expected && { expected: asked.expected }),
  ...(asked.key && { key: asked.key }),
})

/** A read of the auction after an entry of a story, with a change. */
export function readingAfter(
  { auctions: [auction], ledger }: History,
  sequence: number,
  ms: number,
  change: Partial<SeenAuction> = {},
): Attempt {
  if (auction === undefined) throw new Error('a story has an auction')
  const seen = { ...seenOf(auction, ledger[sequence - 1], ms), ...change }
  return { type: 'read-auction', auctionId, ...at(ms), answer: { outcome: 'read', auction: seen } }
}

export const listing = (ms: number, status: SeenAuction['status'], auctions: readonly SeenAuction[] = []): Attempt => ({
  type: 'list-auctions',
  query: { status },
  ...at(ms),
  answer: { outcome: 'listed', auctions, isWhole: true },
})

/** All pages of the active auctions by their ends, without an auction. */
export const listingByEnd = (ms: number): Attempt => ({
  type: 'list-auctions',
  query: { status: 'Active', order: 'agenda' },
  ...at(ms),
  answer: { outcome: 'listed', auctions: [], isWhole: true },
})

/** The figures of a refusal, in whole units. */
export const figures = (current: number, next: number) => ({
  currentPriceMinor: toAmountMinor(current * 100),
  minimumNextBidMinor: toAmountMinor(next * 100),
})

/** The figures of a bid that is too high, in whole units. */
export const highest = (current: number, next: number) => ({
  currentPriceMinor: toAmountMinor(current * 100),
  maximumNextBidMinor: toAmountMinor(next * 100),
})

/** The figures of a refusal because of the offer in the stories. */
export const offer = (current: number, next: number, price = 300) => ({
  ...figures(current, next),
  buyNowPriceMinor: toAmountMinor(price * 100),
})

/** The auction of a story, with its last entry. */
export function headOf({ auctions: [auction], ledger }: History) {
  if (auction === undefined) throw new Error('a story has an auction')
  return [auction, ledger.at(-1)] as const
}

export const seenAfter = (story: History): SeenAuction => seenOf(...headOf(story))
