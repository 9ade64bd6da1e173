import { sealed } from '../../../../src/auction/formats/sealed/sealed.ts'
import type { SealedEvent } from '../../../../src/auction/formats/sealed/state.ts'
import { createTally } from '../../../../src/auction/formats/sealed/tally.ts'
import type { SealedTerms } from '../../../../src/auction/formats/sealed/terms.ts'
import type { Closed } from '../../../../src/auction/life-events.ts'
import { toCurrency } from '../../../../src/values/currency.ts'
import { toAuctionId, toEntryId, toUserId } from '../../../../src/values/ids.ts'
import { toMoment } from '../../../../src/values/moment.ts'
import { toAmountMinor } from '../../../../src/values/money.ts'

export type SealedSample = Readonly<{
  pricing?: 'first' | 'second'
  startingPriceMinor?: number
  reservePriceMinor?: number
  minimumBidIncrementMinor?: number
  currency?: string
}>

/** The terms of an auction by user 1, at the first price from 100 yen. */
export const sealedTerms = (sample: SealedSample = {}): SealedTerms => ({
  format: 'sealed',
  id: toAuctionId(1),
  ownerId: toUserId(1),
  pricing: sample.pricing ?? 'first',
  startingPriceMinor: toAmountMinor(sample.startingPriceMinor ?? 100),
  ...(sample.reservePriceMinor !== undefined && { reservePriceMinor: toAmountMinor(sample.reservePriceMinor) }),
  ...(sample.minimumBidIncrementMinor !== undefined && {
    minimumBidIncrementMinor: toAmountMinor(sample.minimumBidIncrementMinor),
  }),
  currency: toCurrency(sample.currency ?? 'JPY'),
  startTime: toMoment('2030-01-31T12:00:00Z'),
  endTime: toMoment('2030-02-07T12:00:00Z'),
  key: 'k',
})

/** What a ledger records: a bid, or a withdrawal by the bidder or by staff. */
export type Request = readonly [bidderId: number, request: number | 'own' | 'staff' | 'unblock']

export function eventOf([user, request]: Request): SealedEvent {
  const bidderId = toUserId(user)
  if (request === 'own') return { type: 'sealed-withdrawal', bidderId }
  if (request === 'staff') return { type: 'withdrawn', bidderId, reason: 'r', editor: 'e' }
  if (request === 'unblock') return { type: 'withdrawn', bidderId, isUnblocked: true, reason: 'r', editor: 'e' }
  return { type: 'sealed-bid', bidderId, amountMinor: toAmountMinor(request) }
}

/** The result after these requests, whose entries have the ids 10, 20, 30 … */
export function resultAfter(terms: SealedTerms, requests: readonly Request[]): Closed['result'] {
  const tally = createTally()
  for (const [index, request] of requests.entries())
    tally.add({ id: toEntryId((index + 1) * 10), sequence: index + 1, event: eventOf(request) })
  const state = { phase: 'open', format: 'sealed', version: 2, bidCount: 0, atMs: 0 } as const
  return sealed.settle(terms, { ...state, publicSequences: [] }, undefined, tally)
}
