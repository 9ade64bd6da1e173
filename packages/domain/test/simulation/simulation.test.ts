import { describe, expect, test } from 'vitest'
import type { Entry } from '../../src/ledger/entry.ts'
import { seeds } from './seeds.ts'
import { simulate } from './simulate.ts'

describe('several processes over a faulty store', () => {
  test.each(seeds(0, 4))('keep every promise with seeds from %i * 250 on', async (block) => {
    for (const seed of seeds(block * 250, 250)) {
      const { problems } = await simulate(seed)
      expect(problems, `seed ${seed}; replay it with: pnpm simulate --seed ${seed}`).toEqual([])
    }
  })

  test('do the same again with the same seed', async () => {
    for (const seed of seeds(1, 20)) expect(await simulate(seed)).toEqual(await simulate(seed))
  })

  test('give every kind of answer, so that all of it is tried', async () => {
    const answers = new Set<string>()
    for (const seed of seeds(1, 200)) {
      for (const { type, answer } of (await simulate(seed)).attempts) {
        answers.add(`${type}: ${answer.outcome === 'refused' ? answer.code : answer.outcome}`)
      }
    }
    expect([...answers].sort()).toEqual([
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
    ])
  })
  test('make every kind of entry, so that all rules are tried', async () => {
    const kinds = new Set<string>()
    for (const seed of seeds(1, 200)) for (const entry of (await simulate(seed)).ledger) kinds.add(kindOf(entry))
    expect([...kinds].sort()).toEqual([
      'bid-placed',
      'bid-placed, moves the end',
      'bid-placed, the leader replies',
      'bid-placed, the leader replies, moves the end',
      'bid-placed, with a raise of its own',
      'bid-placed, with a raise of its own, moves the end',
      'bought',
      'cancelled',
      'cancelled with bids',
      'closed: no-bids',
      'closed: reserve-not-met',
      'closed: sold',
      'maximum-raised',
      'maximum-raised, with a raise of its own',
      'maximum-raised, with a raise of its own, moves the end',
    ])
  })
})

/** What an entry tries of the rules. */
function kindOf({ event, state }: Entry): string {
  switch (event.type) {
    case 'bid-placed':
    case 'maximum-raised': {
      const { automatic, bidderId, extendedEndMs } = event
      const isOwn = automatic?.bidderId === bidderId
      const reply = automatic === undefined ? '' : isOwn ? ', with a raise of its own' : ', the leader replies'
      return `${event.type}${reply}${extendedEndMs === undefined ? '' : ', moves the end'}`
    }
    case 'bought':
      return event.type
    case 'cancelled':
      return state.bidCount > 0 ? 'cancelled with bids' : event.type
    case 'closed':
      return `closed: ${event.result.outcome === 'unsold' ? event.result.reason : event.result.outcome}`
    default:
      return event satisfies never
  }
}
