import { expect, test } from 'vitest'
import type { AuctionResult } from '../../src/auction/state.ts'
import { standingOf } from '../../src/auction/view.ts'
import { toBidId, toUserId } from '../../src/values/ids.ts'
import { toAmountMinor } from '../../src/values/money.ts'

const [anna, ben] = [toUserId(2), toUserId(3)]
const priceMinor = toAmountMinor(100_00)
const soldTo = (winnerId: typeof anna): AuctionResult => ({ outcome: 'sold', bidId: toBidId(1), winnerId, priceMinor })
const boughtBy = (buyerId: typeof anna): AuctionResult => ({ outcome: 'bought', buyerId, priceMinor })
const unsold: AuctionResult = { outcome: 'unsold', reason: 'reserve-not-met' }
const cancelled: AuctionResult = { outcome: 'cancelled', reason: 'It broke.' }

test.each([
  { title: 'no result, and Anna leads', leaderId: anna, result: undefined, standing: 'leading' },
  { title: 'no result, and Ben leads', leaderId: ben, result: undefined, standing: 'outbid' },
  { title: 'sold to Anna', leaderId: anna, result: soldTo(anna), standing: 'won' },
  { title: 'sold to Ben', leaderId: ben, result: soldTo(ben), standing: 'lost' },
  { title: 'bought by Anna, who led', leaderId: anna, result: boughtBy(anna), standing: 'won' },
  { title: 'bought by Anna, while Ben led', leaderId: ben, result: boughtBy(anna), standing: 'won' },
  { title: 'bought by Ben, while Anna led', leaderId: anna, result: boughtBy(ben), standing: 'lost' },
  { title: 'unsold, though Anna led', leaderId: anna, result: unsold, standing: 'lost' },
  { title: 'unsold, and Ben led', leaderId: ben, result: unsold, standing: 'lost' },
  { title: 'cancelled, while Anna led', leaderId: anna, result: cancelled, standing: 'cancelled' },
  { title: 'cancelled, while Ben led', leaderId: ben, result: cancelled, standing: 'cancelled' },
])('with $title, Anna is $standing', ({ leaderId, result, standing }) => {
  expect(standingOf(anna, { leaderId, result })).toBe(standing)
})
