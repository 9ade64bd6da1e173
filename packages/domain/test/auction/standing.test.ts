import { expect, test } from 'vitest'
import { type Standing, standingOf } from '../../src/auction/standing.ts'
import type { AuctionResult } from '../../src/auction/state.ts'
import { toBidId, toUserId } from '../../src/values/ids.ts'
import { toAmountMinor } from '../../src/values/money.ts'

const [anna, ben] = [toUserId(2), toUserId(3)]
const priceMinor = toAmountMinor(100_00)
const soldTo = (winnerId: typeof anna): AuctionResult => ({ outcome: 'sold', bidId: toBidId(1), winnerId, priceMinor })
const boughtBy = (buyerId: typeof anna): AuctionResult => ({ outcome: 'bought', buyerId, priceMinor })

test.each<[phase: string, leaderId: typeof anna | undefined, result: AuctionResult | undefined, standing: Standing]>([
  ['no result, and Anna leads', anna, undefined, 'leading'],
  ['no result, and Ben leads', ben, undefined, 'outbid'],
  ['sold to Anna', anna, soldTo(anna), 'won'],
  ['sold to Ben', ben, soldTo(ben), 'lost'],
  ['bought by Anna, who led', anna, boughtBy(anna), 'won'],
  ['bought by Anna, while Ben led', ben, boughtBy(anna), 'won'],
  ['bought by Ben, while Anna led', anna, boughtBy(ben), 'lost'],
  ['bought by Ben, who led', ben, boughtBy(ben), 'lost'],
  ['unsold, though Anna led', anna, { outcome: 'unsold', reason: 'reserve-not-met' }, 'lost'],
  ['unsold, and Ben led', ben, { outcome: 'unsold', reason: 'reserve-not-met' }, 'lost'],
  ['cancelled, while Anna led', anna, { outcome: 'cancelled' }, 'cancelled'],
  ['cancelled, while Ben led', ben, { outcome: 'cancelled', reason: 'It broke.' }, 'cancelled'],
])('with %s, the standing of Anna', (_, leaderId, result, standing) => {
  expect(standingOf(anna, { leaderId, result })).toBe(standing)
})
