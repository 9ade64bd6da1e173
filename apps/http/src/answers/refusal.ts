import type { BuyNowNotOffered } from '@auction/domain/auction/refusals'
import { toDecimal } from '@auction/domain/money'
import type { ValidationFailed } from '@auction/domain/validation'
import { forbidden } from '../security/forbidden.ts'
import type { Problem } from './problem.ts'
import type { Refusal } from './problem-types.ts'
import { minimumNextBid } from './resources.ts'

/** Says a refusal of the domain to a client. `scope` is the value of the permission that the operation takes. */
export function problemOf(refusal: Refusal, scope: string | undefined): Problem {
  const { code } = refusal
  switch (code) {
    case 'validation-failed':
      return validationProblem(refusal)
    case 'auction-not-found':
      return { code, message: `There is no auction ${refusal.auctionId}.` }
    case 'bid-not-found':
      return { code, message: `There is no bid ${refusal.bidId}.` }
    case 'auction-not-started': {
      const startTime = refusal.startTime.iso
      return { code, message: `The auction takes bids from ${startTime} on.`, members: { startTime } }
    }
    case 'auction-ended': {
      const endTime = refusal.endTime.iso
      const bought = `The auction was bought at ${endTime}; reading it tells by whom.`
      const message = refusal.isBought ? bought : `The auction took bids until ${endTime}.`
      return { code, message, members: { endTime } }
    }
    case 'auction-cancelled':
      return { code, message: 'The auction is cancelled; only another auction of the product can be bid on or bought.' }
    case 'owner-cannot-bid':
      return { code, message: "The bidder owns the auction; anyone else's bid may be accepted." }
    case 'bid-too-low':
      return tooLow(refusal)
    case 'maximum-not-raised':
      return {
        code,
        message:
          'The bidder leads, and its maximum or bid is as high as that already. Send a higher maximumAmount, or leave it out to raise the bid.',
      }
    case 'owner-cannot-buy':
      return { code, message: 'The buyer owns the auction; anyone else may buy.' }
    case 'buy-now-not-offered':
      return notOffered(refusal)
    case 'not-the-owner':
      return forbidden(scope, 'This token acts for another user; only the owner of the auction can cancel it.')
    case 'auction-has-bids':
      return {
        code,
        message:
          'The auction has bids, so it runs until its end; only one that is created with cancellableUntilEnd can be cancelled then.',
      }
    case 'idempotency-key-reused':
      return { code, message: 'The Idempotency-Key stands for another request; send this one with a key of its own.' }
    case 'overloaded':
      return {
        code,
        message: 'Too many requests wait here; nothing was changed by this one, and it may be sent again.',
      }
    default:
      return code satisfies never
  }
}

type Prices = Pick<BuyNowNotOffered, 'currentPriceMinor' | 'minimumNextBidMinor' | 'currency'>

/** What bidding takes, as members of a problem. */
const pricesOf = ({ currentPriceMinor, minimumNextBidMinor, currency }: Prices) => ({
  currentPrice: toDecimal(currentPriceMinor, currency),
  minimumNextBid: minimumNextBid(minimumNextBidMinor, currency),
  currency: currency.code,
})

function tooLow(refusal: Extract<Refusal, { readonly code: 'bid-too-low' }>): Problem {
  const members = pricesOf(refusal)
  const { minimumNextBid: next, currency } = members
  return {
    code: refusal.code,
    message:
      next === null
        ? noHigherBid(members)
        : `The amount is too low; ${next} ${currency} is the least that the next bid must offer.`,
    members,
  }
}

const whyNotOffered = {
  'no-buy-now-price': 'The auction was created without a buyNowPrice',
  'has-bids': 'The auction has bids, which ends the offer to buy it at once',
  'reserve-met': 'The bids have met the reserve, which ends the offer to buy it at once',
} as const satisfies Readonly<Record<BuyNowNotOffered['because'], string>>

function notOffered(refusal: BuyNowNotOffered): Problem {
  const members = pricesOf(refusal)
  const { minimumNextBid: next, currency } = members
  const instead = next === null ? noHigherBid(members) : `Bid for it: ${next} ${currency} is the least that counts.`
  return { code: refusal.code, message: `${whyNotOffered[refusal.because]}. ${instead}`, members }
}

const noHigherBid = ({ currentPrice, currency }: ReturnType<typeof pricesOf>): string =>
  `No higher bid is possible: at ${currentPrice} ${currency}, the next one would be more than a bid can offer.`

export function validationProblem({ code, faults, moreFaults }: ValidationFailed): Problem {
  const count = faults.length + moreFaults
  const are = count === 1 ? 'One field is missing or invalid' : `${count} fields are missing or invalid`
  return {
    code,
    message: moreFaults === 0 ? `${are}.` : `${are}; the first ${faults.length} are listed.`,
    members: { errors: faults, ...(moreFaults > 0 && { moreErrors: moreFaults }) },
  }
}
