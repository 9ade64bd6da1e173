import { expectTypeOf, test } from 'vitest'
import type { AuctionEvent, Query, Refusal, WebhookMessage } from '../src/client.ts'

// The compiler checks these.

test('a code identifies the members of a refusal, and only those that an operation has', () => {
  type BidRefusal = Refusal<'placeBid'>
  expectTypeOf<Extract<BidRefusal, { code: 'bid-too-low' }>['minimumNextBid']>().toEqualTypeOf<number | null>()
  expectTypeOf<Extract<BidRefusal, { code: 'auction-not-started' }>['startTime']>().toEqualTypeOf<string>()
  expectTypeOf<
    Extract<BidRefusal, { code: 'validation-failed' }>['errors'][number]['pointer']
  >().toEqualTypeOf<string>()
  expectTypeOf<Extract<Refusal<'readAuction'>, { code: 'bid-too-low' }>>().toBeNever()
  // The client sends the request again, or the call rejects.
  expectTypeOf<Extract<BidRefusal, { status: 429 | 500 | 503 }>>().toBeNever()
})

test('optional parameters may be undefined, and others are needed', () => {
  expectTypeOf<Query<'listBids'>>().toExtend<{ readonly cursor?: string | undefined }>()
  expectTypeOf<Query<'listBidsOfBidder'>['bidderId']>().toEqualTypeOf<number>()
  expectTypeOf<NonNullable<Query<'listAuctions'>['ids']>>().toEqualTypeOf<readonly number[]>()
})

test('the type of an event and of a message identifies its fields', () => {
  type Bid = Extract<AuctionEvent, { type: 'bid' }>
  expectTypeOf<Bid['effectiveEndTime']>().toEqualTypeOf<string>()
  expectTypeOf<Extract<AuctionEvent, { type: 'snapshot' }>['auction']['effectiveEndTime']>().toEqualTypeOf<string>()
  expectTypeOf<Extract<WebhookMessage, { type: 'auction.bid' }>['data']>().toEqualTypeOf<Bid>()
})
