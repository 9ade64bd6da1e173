import { describe, expect, test } from 'vitest'
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
    for (const seed of seeds(1, 100)) {
      for (const { type, answer } of (await simulate(seed)).attempts) {
        answers.add(`${type}: ${answer.outcome === 'refused' ? answer.code : answer.outcome}`)
      }
    }
    expect([...answers].sort()).toEqual([
      'create-auction: accepted',
      'create-auction: idempotency-key-reused',
      'create-auction: store-unavailable',
      'create-auction: unknown',
      'create-auction: validation-failed',
      'list-auctions: listed',
      'list-auctions: unknown',
      'place-bid: accepted',
      'place-bid: auction-ended',
      'place-bid: auction-not-found',
      'place-bid: auction-not-started',
      'place-bid: bid-too-low',
      'place-bid: idempotency-key-reused',
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
})
