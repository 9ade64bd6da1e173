import { type Currency, isInexactIn, notInCurrency, toMinor } from '../../../values/money.ts'
import { accepted, type Result, refused } from '../../../values/result.ts'
import { type ValidationFailed, validationFailed } from '../../../values/validation.ts'
import { recordedAdmission, refusalIfBarred } from '../../admission.ts'
import { maximumBelowAmount, type PlaceBidCommand } from '../../offers.ts'
import { effectiveEndMs, refusalIfNotOpen } from '../../status.ts'
import { betweenSteps, countedMinor } from './bid-steps.ts'
import { buyNowOffer } from './buying.ts'
import type { AutomaticBid, BidPlaced, MaximumRaised } from './events.ts'
import { currentPriceMinor, maximumNextBidMinor, minimumNextBidMinor } from './prices.ts'
import { automaticBidAfter, ceilingOf } from './proxy.ts'
import type { PlaceBidRefusal } from './refusals.ts'
import type { EnglishState, Leader } from './state.ts'
import type { EnglishTerms } from './terms.ts'

export function decideBid(
  terms: EnglishTerms,
  state: EnglishState,
  command: PlaceBidCommand,
  nowMs: number,
): Result<BidPlaced | MaximumRaised, PlaceBidRefusal> {
  const { bidderId, amount, maximumAmount } = command
  const { currency } = terms
  const amountMinor = toMinor(amount, currency)
  const maximumMinor = maximumAmount === undefined ? undefined : toMinor(maximumAmount, currency)
  const isMaximumInexact = maximumAmount !== undefined && maximumMinor === undefined
  if (amountMinor === undefined || isMaximumInexact) return refused(inexactAmounts(command, currency))
  if (maximumMinor !== undefined && maximumMinor < amountMinor)
    return refused(validationFailed({ pointer: '/maximumAmount', message: maximumBelowAmount }))
  const closed = refusalIfNotOpen(terms, state, nowMs)
  if (closed !== undefined) return refused(closed)
  if (bidderId === terms.ownerId) return refused({ code: 'owner-cannot-bid' })
  const barred = refusalIfBarred(terms, state, bidderId, command, maximumMinor ?? amountMinor)
  if (barred !== undefined) return refused(barred)
  const admitted = recordedAdmission(command)
  const { leader } = state
  const least = minimumNextBidMinor(terms, state)
  const isTooLow = least === undefined || amountMinor < least
  if (leader?.bidderId === bidderId && maximumMinor !== undefined) {
    if (countedMinor(terms, maximumMinor) < ceilingOf(terms, leader)) return refused({ code: 'maximum-not-raised' })
    const raised = { type: 'maximum-raised', bidderId, amountMinor, maximumMinor, ...admitted } as const
    if (isTooLow) return decideRaise(terms, state, leader, raised, nowMs)
  }
  const prices = { currentPriceMinor: currentPriceMinor(terms, state), minimumNextBidMinor: least, currency }
  const offer = buyNowOffer(terms, state)
  // The rule holds even if no lower bid is possible: a user who may bid may also buy, for no more than the bid.
  if (offer.ok && amountMinor >= offer.value) {
    return refused({ code: 'buy-now-is-lower', auctionId: terms.id, buyNowPriceMinor: offer.value, ...prices })
  }
  if (isTooLow) return refused({ code: 'bid-too-low', ...prices })
  const most = maximumNextBidMinor(terms, state)
  if (most !== undefined && amountMinor > most) {
    const { currentPriceMinor } = prices
    return refused({ code: 'bid-too-high', currentPriceMinor, maximumNextBidMinor: most, currency })
  }
  const around = betweenSteps(terms, amountMinor, most)
  if (around !== undefined) return refused({ code: 'bid-not-on-step', ...around, currency })
  const placed: BidPlaced =
    maximumMinor === undefined
      ? { type: 'bid-placed', bidderId, amountMinor, ...admitted }
      : { type: 'bid-placed', bidderId, amountMinor, maximumMinor, ...admitted }
  return accepted(withConsequences(placed, automaticBidAfter(terms, leader, placed), terms, state, nowMs))
}

/** The parser of a bid does not know the currency. A maximum is secret, so its error does not name it. */
function inexactAmounts({ amount, maximumAmount }: PlaceBidCommand, currency: Currency): ValidationFailed {
  const isInexact = (decimal: number | undefined) => decimal !== undefined && toMinor(decimal, currency) === undefined
  return validationFailed(
    ...(isInexact(amount) ? [{ pointer: '/amount', message: notInCurrency(amount, currency) }] : []),
    ...(isInexact(maximumAmount) ? [{ pointer: '/maximumAmount', message: isInexactIn(currency) }] : []),
  )
}

/** The leader raises only their maximum: the amount is below the minimum next bid, so the price does not change. */
function decideRaise(
  terms: EnglishTerms,
  state: EnglishState,
  leader: Leader,
  raised: MaximumRaised,
  nowMs: number,
): Result<MaximumRaised, PlaceBidRefusal> {
  if (countedMinor(terms, raised.maximumMinor) <= ceilingOf(terms, leader))
    return refused({ code: 'maximum-not-raised' })
  const automatic = automaticBidAfter(terms, leader, raised)
  // Without an automatic bid, it does not extend the auction.
  return accepted(automatic === undefined ? raised : withConsequences(raised, automatic, terms, state, nowMs))
}

function withConsequences<Event extends BidPlaced | MaximumRaised>(
  event: Event,
  automatic: AutomaticBid | undefined,
  terms: EnglishTerms,
  state: EnglishState,
  nowMs: number,
): Event {
  const extendedEndMs = extendedBy(terms, state, nowMs)
  if (automatic === undefined) return extendedEndMs === undefined ? event : { ...event, extendedEndMs }
  return extendedEndMs === undefined ? { ...event, automatic } : { ...event, automatic, extendedEndMs }
}

/** The new end if a bid at this time extends the auction; otherwise undefined. */
function extendedBy(terms: EnglishTerms, state: EnglishState, bidAtMs: number): number | undefined {
  const { softClose } = terms
  // An end that staff have brought forward moves only by another extension of staff.
  if (softClose === undefined || state.repairs?.isEndedEarly === true) return undefined
  const endMs = effectiveEndMs(terms, state)
  if (bidAtMs < endMs - softClose.windowSeconds * 1000) return undefined
  const movedMs = Math.min(bidAtMs + softClose.extensionSeconds * 1000, softClose.latestEndTime.epochMs)
  return movedMs > endMs ? movedMs : undefined
}
