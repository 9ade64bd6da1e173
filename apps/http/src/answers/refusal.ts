import { toDecimal } from '@auction/domain/money'
import type { ValidationFailed } from '@auction/domain/validation'
import type { Problem } from './problem.ts'
import type { Refusal } from './problem-types.ts'
import { minimumNextBid } from './resources.ts'

/** Says a refusal of the domain to a client. */
export function problemOf(refusal: Refusal): Problem {
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
      return { code, message: `The auction took bids until ${endTime}.`, members: { endTime } }
    }
    case 'owner-cannot-bid':
      return { code, message: "The bidder owns the auction; anyone else's bid may be accepted." }
    case 'bid-too-low':
      return tooLow(refusal)
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

function tooLow(refusal: Extract<Refusal, { readonly code: 'bid-too-low' }>): Problem {
  const { code, currency } = refusal
  const currentPrice = toDecimal(refusal.currentPriceMinor, currency)
  const next = minimumNextBid(refusal.minimumNextBidMinor, currency)
  return {
    code,
    message:
      next === null
        ? `No higher bid is possible: at ${currentPrice} ${currency.code}, the next one would be more than a bid can offer.`
        : `The amount is too low; ${next} ${currency.code} is the least that the next bid must offer.`,
    members: { currentPrice, minimumNextBid: next, currency: currency.code },
  }
}

export function validationProblem({ code, faults, moreFaults }: ValidationFailed): Problem {
  const count = faults.length + moreFaults
  const are = count === 1 ? 'One field is missing or invalid' : `${count} fields are missing or invalid`
  return {
    code,
    message: moreFaults === 0 ? `${are}.` : `${are}; the first ${faults.length} are listed.`,
    members: { errors: faults, ...(moreFaults > 0 && { moreErrors: moreFaults }) },
  }
}
