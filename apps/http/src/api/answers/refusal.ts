import type { BuyNowNotOffered } from '@auction/domain/auction'
import { toDecimal } from '@auction/domain/money'
import type { ValidationFailed } from '@auction/domain/parsing'
import type { HostProblem, Problem } from '../../host/answers/problem.ts'
import { type ProblemCode, problemType, type Refusal } from './problem-types.ts'
import { minimumNextBid } from './resources.ts'

export function problemOf(refusal: Refusal): Problem {
  const described = describe(refusal)
  return { ...described, type: problemType(described.code) }
}

type Described = Omit<HostProblem, 'code'> & { readonly code: ProblemCode }

function describe(refusal: Refusal): Described {
  const { code } = refusal
  switch (code) {
    case 'validation-failed':
      return validationProblem(refusal)
    case 'auction-not-found':
      return { code, message: `Auction ${refusal.auctionId} does not exist.` }
    case 'bid-not-found':
      return { code, message: `Bid ${refusal.bidId} does not exist.` }
    case 'auction-not-started': {
      const startTime = refusal.startTime.iso
      return { code, message: `The auction has not started; it starts at ${startTime}.`, members: { startTime } }
    }
    case 'auction-ended': {
      const endTime = refusal.endTime.iso
      return { code, message: endMessages[refusal.final ?? 'open'](endTime), members: { endTime } }
    }
    case 'bid-too-low':
      return { code, ...withPrices(refusal, (next) => `The bid is too low; the minimum next bid is ${next}.`) }
    case 'buy-now-is-lower':
      return { code, ...withOffer(refusal) }
    case 'buy-now-not-offered': {
      const { message, members } = withPrices(refusal, (next) => `The minimum next bid is ${next}.`)
      return { code, message: `${whyNotOffered[refusal.reason]}. ${message}`, members }
    }
    case 'not-the-owner':
      return { code: 'forbidden', message: `${notTheOwner}${refusal.needsReason ? ` ${reasonNeeded}` : '.'}` }
    case 'auction-has-bids': {
      if (refusal.prevents === 'correction')
        return { code, message: 'The auction has bids, so it cannot be corrected.' }
      return { code, message: `${notCancellable}${refusal.needsReason ? ` ${reasonNeeded}` : '.'}` }
    }
    default:
      return { code, message: messages[code] }
  }
}

const endMessages = {
  open: (endTime: string) => `The auction ended at ${endTime}.`,
  closed: (endTime: string) => `The auction ended at ${endTime}, and its result is final.`,
  bought: (endTime: string) => `The auction was bought at ${endTime}; its result names the buyer.`,
}

const notTheOwner = 'This token identifies another user; only the owner can cancel the auction'
const notCancellable = 'The auction has bids and was created without cancellableUntilEnd, so it cannot be cancelled'

export const sendReason = 'Send a reason to cancel it with the permission Auctions.Cancel.Any.'
const reasonNeeded = `without a reason. ${sendReason}`

/** The messages of refusals that do not depend on the auction. A new refusal does not compile until it has a message. */
const messages = {
  'auction-cancelled': 'The auction was cancelled.',
  'owner-cannot-bid': 'The owner of an auction cannot bid on it.',
  'maximum-not-raised':
    'The bidder already leads with this maximum or bid, or a higher one. Send a higher maximumAmount, or omit it to raise the bid.',
  'owner-cannot-buy': 'The owner of an auction cannot buy it.',
  'too-many-corrections': 'The auction was corrected 20 times, which is the limit.',
  'precondition-failed':
    'If-Match does not contain the current ETag of the auction. Read the auction, and send the correction with its ETag.',
  'idempotency-key-reused': 'This Idempotency-Key was already used for a different request; use a new key.',
  overloaded: 'Too many requests are waiting; this request changed nothing. Send it again.',
} as const

const whyNotOffered = {
  'no-buy-now-price': 'The auction has no buyNowPrice',
  'has-bids': 'The auction has bids, which ends the buy-now offer',
  'reserve-met': 'The reserve is met, which ends the buy-now offer',
} as const satisfies Readonly<Record<BuyNowNotOffered['reason'], string>>

type Prices = Pick<BuyNowNotOffered, 'currentPriceMinor' | 'minimumNextBidMinor' | 'currency'>

/** The current prices as members, and a message with the minimum next bid. */
function withPrices(prices: Prices, messageFor: (next: string) => string) {
  const members = pricesOf(prices)
  const { currentPrice, minimumNextBid: next, currency } = members
  const noHigherBid = `No higher bid is possible: the bid after ${currentPrice} ${currency} would exceed the largest amount.`
  return { message: next === null ? noHigherBid : messageFor(`${next} ${currency}`), members }
}

const pricesOf = ({ currentPriceMinor, minimumNextBidMinor, currency }: Prices) => ({
  currentPrice: toDecimal(currentPriceMinor, currency),
  minimumNextBid: minimumNextBid(minimumNextBidMinor, currency),
  currency: currency.code,
})

/** The prices as members, and a message with the operation that buys. A high increment may make every lower bid too low. */
function withOffer({ auctionId, ...prices }: Extract<Refusal, { readonly code: 'buy-now-is-lower' }>) {
  const { buyNowPriceMinor, minimumNextBidMinor, currency } = prices
  const buyNowPrice = toDecimal(buyNowPriceMinor, currency)
  const isLowerBidPossible = minimumNextBidMinor !== undefined && minimumNextBidMinor < buyNowPriceMinor
  const offer = `Auction ${auctionId} can be bought now for ${buyNowPrice} ${currency.code}`
  const next = `buy it with POST /api/Auctions/${auctionId}/Purchase${isLowerBidPossible ? ', or bid less' : ''}`
  return { message: `${offer}; ${next}.`, members: { buyNowPrice, ...pricesOf(prices) } }
}

export function validationProblem({ code, errors, moreErrors }: ValidationFailed): HostProblem {
  const count = errors.length + moreErrors
  const are = count === 1 ? 'One field is missing or invalid' : `${count} fields are missing or invalid`
  return {
    code,
    message: moreErrors === 0 ? `${are}.` : `${are}; the first ${errors.length} are listed.`,
    members: { errors, ...(moreErrors > 0 && { moreErrors }) },
  }
}
