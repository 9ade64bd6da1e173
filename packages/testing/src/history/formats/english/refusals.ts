import type { NewBid } from '@auction/domain/auction'
import { type Currency, toMinor } from '@auction/domain/money'
import type { Refused } from '../../../history.ts'
import { lowererOf } from '../../attempts.ts'
import type { LedgerState } from '../../ledger-states.ts'
import type { IsTrue, RefusedCommand } from '../format.ts'
import { judge } from './prices.ts'
import { hasOwnersRepair, isLowering } from './terms.ts'
import type { Before, EnglishAuction } from './types.ts'

export const refusals = {
  'validation-failed': (refused) =>
    isTrueOfBid(refused) ||
    isTrueOfLowering(refused) ||
    (refused.attempt.type === 'buy-now' && refused.attempt.purchase.atMost !== undefined),
  'owner-cannot-buy': ({ attempt, timeline: { auction } }) =>
    attempt.type === 'buy-now' && attempt.purchase.buyerId === auction.ownerId,
  'buy-now-not-offered': ({ attempt, states, response }) =>
    attempt.type === 'buy-now' &&
    states.some((state) => !state.isClosed && state.figures.isBuyNowOffered !== true && hasFigures(state, response)),
  'reserve-lowered-before': ({ attempt, timeline, states }) =>
    attempt.type === 'lower-reserve' &&
    lowererOf(attempt.repair, timeline.auction.ownerId) === 'owner' &&
    english(states).some(({ head }) => hasOwnersRepair(head)),
  'bid-too-low': isTrueOfBid,
  'bid-too-high': isTrueOfBid,
  'bid-not-on-step': isTrueOfBid,
  'buy-now-is-lower': isTrueOfBid,
  'maximum-not-raised': isTrueOfBid,
} satisfies Readonly<Record<string, IsTrue>>

type EnglishLedgerState = LedgerState & { readonly auction: EnglishAuction; readonly head: Before }

/** The cast: an auction of the format has states of the format. */
const english = (states: readonly LedgerState[]) => states as readonly EnglishLedgerState[]

function isTrueOfLowering({ attempt, states, timeline }: RefusedCommand): boolean {
  if (attempt.type !== 'lower-reserve') return false
  const { reservePrice, reason } = attempt.repair
  const { ownerId, currency } = timeline.auction
  if (reason === undefined && lowererOf(attempt.repair, ownerId) === 'staff') return true
  const reserveMinor = toMinor(reservePrice, currency)
  return english(states).some(({ auction }) => reserveMinor === undefined || !isLowering(auction, reserveMinor))
}

function isTrueOfBid({ attempt, timeline, states, response }: RefusedCommand): boolean {
  return attempt.type === 'place-bid' && isBidRefused(attempt.bid, timeline.auction.currency, english(states), response)
}

function isBidRefused(
  bid: NewBid,
  currency: Currency,
  states: readonly EnglishLedgerState[],
  response: Refused,
): boolean {
  const amountMinor = toMinor(bid.amount, currency)
  const maximumMinor = toMinor(bid.maximumAmount ?? bid.amount, currency)
  const isValid = amountMinor !== undefined && maximumMinor !== undefined && maximumMinor >= amountMinor
  if (response.code === 'validation-failed' || !isValid) return response.code === 'validation-failed' && !isValid
  return states.some((state) => {
    if (state.isClosed || !hasFigures(state, response) || !hasPrice(response, state.auction)) return false
    const offer = { bidderId: bid.bidderId, amountMinor, ...(bid.maximumAmount !== undefined && { maximumMinor }) }
    return judge(state.auction, state.head, offer).faults.some((code) => code === response.code)
  })
}

const hasPrice = ({ buyNowPriceMinor }: Refused, auction: EnglishAuction): boolean =>
  buyNowPriceMinor === undefined || buyNowPriceMinor === auction.buyNowPriceMinor

/** Returns whether the figures of a refusal, if it has any, are those of a state. */
const hasFigures = ({ figures }: LedgerState, refusal: Refused): boolean =>
  (refusal.currentPriceMinor === undefined || refusal.currentPriceMinor === figures.currentPriceMinor) &&
  (!('minimumNextBidMinor' in refusal) || refusal.minimumNextBidMinor === figures.minimumNextBidMinor) &&
  (!('maximumNextBidMinor' in refusal) || refusal.maximumNextBidMinor === figures.maximumNextBidMinor)
