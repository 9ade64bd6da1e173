import type { Auction, OfFormat } from '@auction/domain/auction'
import { toUserId } from '@auction/domain/ids'
import type { Moment } from '@auction/domain/moment'
import { toAmountMinor } from '@auction/domain/money'
import type { Attempt, History, SeenAuction } from '../../src/history.ts'
import { sampleAuction } from '../../src/samples.ts'
import { amountsOf, seenOf } from './stories.ts'

type Of<Type extends Attempt['type']> = Extract<Attempt, { readonly type: Type }>
type ResponseTo<Type extends Attempt['type']> = Of<Type>['response']
/** The times of a request with a response 5 ms later. */
const at = (sentAtMs: number) => ({ sentAtMs, respondedAtMs: sentAtMs + 5 })
const auctionId = sampleAuction().id

export const bidding = (
  ms: number,
  bidder: number,
  amount: number,
  response: ResponseTo<'place-bid'>,
  max?: number,
): Attempt => ({
  type: 'place-bid',
  bid: { auctionId, bidderId: toUserId(bidder), ...amountsOf(amount * 100, max && max * 100) },
  ...at(ms),
  response,
})

export const buying = (ms: number, buyer: number, response: ResponseTo<'buy-now'>, key?: string): Attempt => ({
  type: 'buy-now',
  purchase: { auctionId, buyerId: toUserId(buyer) },
  ...at(ms),
  response,
  ...(key && { key }),
})

export const cancelling = (
  ms: number,
  response: ResponseTo<'cancel-auction'>,
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
  response,
  ...(asked.key && { key: asked.key }),
})

export const correcting = (
  ms: number,
  response: ResponseTo<'correct-auction'>,
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
  response,
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
  return { type: 'read-auction', auctionId, ...at(ms), response: { outcome: 'read', auction: seen } }
}

export const listing = (ms: number, status: SeenAuction['status'], auctions: readonly SeenAuction[] = []): Attempt => ({
  type: 'list-auctions',
  query: { status },
  ...at(ms),
  response: { outcome: 'listed', auctions, isWhole: true },
})

/** All pages of the active auctions by their ends, without an auction. */
export const listingByEnd = (ms: number): Attempt => ({
  type: 'list-auctions',
  query: { status: 'Active', order: 'agenda' },
  ...at(ms),
  response: { outcome: 'listed', auctions: [], isWhole: true },
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

/** The auction of a story that is English. */
export function english(auction: Auction): OfFormat<'english', Auction> {
  if (auction.format !== undefined) throw new Error('the story is of another format')
  return auction
}

export const seenAfter = (story: History): SeenAuction => seenOf(...headOf(story))
