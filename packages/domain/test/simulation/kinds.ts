import type { Attempt } from '@auction/testing/history'
import type { Entry } from '../../src/auction/entry.ts'

/** How many seeds the short form of the simulation runs. They have every kind of answer and entry. */
export const shortLength = 100

export const answerKinds: readonly string[] = [
  'buy-now: accepted',
  'buy-now: auction-cancelled',
  'buy-now: auction-ended',
  'buy-now: auction-not-found',
  'buy-now: auction-not-started',
  'buy-now: buy-now-not-offered',
  'buy-now: idempotency-key-reused',
  'buy-now: overloaded',
  'buy-now: owner-cannot-buy',
  'buy-now: store-unavailable',
  'buy-now: unknown',
  'cancel-auction: accepted',
  'cancel-auction: auction-ended',
  'cancel-auction: auction-has-bids',
  'cancel-auction: auction-not-found',
  'cancel-auction: idempotency-key-reused',
  'cancel-auction: not-the-owner',
  'cancel-auction: overloaded',
  'cancel-auction: store-unavailable',
  'cancel-auction: unknown',
  'correct-auction: accepted',
  'correct-auction: auction-cancelled',
  'correct-auction: auction-ended',
  'correct-auction: auction-has-bids',
  'correct-auction: auction-not-found',
  'correct-auction: idempotency-key-reused',
  'correct-auction: overloaded',
  'correct-auction: precondition-failed',
  'correct-auction: store-unavailable',
  'correct-auction: unknown',
  'create-auction: accepted',
  'create-auction: idempotency-key-reused',
  'create-auction: store-unavailable',
  'create-auction: unknown',
  'create-auction: validation-failed',
  'list-auctions: listed',
  'list-auctions: unknown',
  'place-bid: accepted',
  'place-bid: auction-cancelled',
  'place-bid: auction-ended',
  'place-bid: auction-not-found',
  'place-bid: auction-not-started',
  'place-bid: bid-too-low',
  'place-bid: buy-now-is-lower',
  'place-bid: idempotency-key-reused',
  'place-bid: maximum-not-raised',
  'place-bid: overloaded',
  'place-bid: owner-cannot-bid',
  'place-bid: store-unavailable',
  'place-bid: unknown',
  'place-bid: validation-failed',
  'read-auction: auction-not-found',
  'read-auction: read',
  'read-auction: unknown',
]

export const entryKinds: readonly string[] = [
  'bid-placed',
  'bid-placed, moves the end',
  'bid-placed, the leader replies',
  'bid-placed, the leader replies, moves the end',
  'bid-placed, with an automatic raise',
  'bid-placed, with an automatic raise, moves the end',
  'bought',
  'cancelled',
  'cancelled with bids',
  'cancelled with bids, forced',
  'cancelled, forced',
  'closed: no-bids',
  'closed: reserve-not-met',
  'closed: sold',
  'corrected: description',
  'corrected: title',
  'maximum-raised',
  'maximum-raised, with an automatic raise',
  'maximum-raised, with an automatic raise, moves the end',
]

export const answerKindOf = ({ type, answer }: Attempt): string =>
  `${type}: ${answer.outcome === 'refused' ? answer.code : answer.outcome}`

/** The rules that an entry covers. */
export function entryKindOf({ event, state }: Entry): string {
  switch (event.type) {
    case 'bid-placed':
    case 'maximum-raised': {
      const { automatic, bidderId, extendedEndMs } = event
      const isOwn = automatic?.bidderId === bidderId
      const reply = automatic === undefined ? '' : isOwn ? ', with an automatic raise' : ', the leader replies'
      return `${event.type}${reply}${extendedEndMs === undefined ? '' : ', moves the end'}`
    }
    case 'bought':
      return event.type
    case 'cancelled':
      return `${event.type}${state.bidCount > 0 ? ' with bids' : ''}${event.isForced ? ', forced' : ''}`
    case 'corrected':
      return `corrected: ${Object.keys(event).filter((name) => name === 'title' || name === 'description')}`
    case 'closed':
      return `closed: ${event.result.outcome === 'unsold' ? event.result.reason : event.result.outcome}`
    default:
      return event satisfies never
  }
}
