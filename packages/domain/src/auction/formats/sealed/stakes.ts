import type { AmountMinor } from '../../../values/money.ts'
import { ONE_MINOR } from '../../../values/money.ts'
import type { EntryOf, Stakes } from '../format.ts'
import type { SealedEvent, SealedState } from './state.ts'
import { createTally } from './tally.ts'
import type { SealedTerms } from './terms.ts'

type Entry = Pick<EntryOf<SealedEvent, SealedState>, 'id' | 'sequence' | 'event'>

/** The stakes of bidders: each last bid that counts. */
export function createStakes(): Stakes<Entry> {
  const tally = createTally()
  return {
    get sequence() {
      return tally.sequence
    },
    add: tally.add,
    all: () =>
      [...tally.bids.values()].map(({ bidderId, amountMinor, sinceSequence }) => ({
        bidderId,
        highestMinor: amountMinor,
        sinceSequence,
      })),
  }
}

/** The other bid, whichever price a winner would have paid: that of the auction with the pricing `second`. */
export function offerPrice(
  { startingPriceMinor, reservePriceMinor = startingPriceMinor }: SealedTerms,
  highestMinor: AmountMinor,
  otherMinor: AmountMinor | undefined,
): AmountMinor | undefined {
  if (reservePriceMinor > highestMinor) return undefined
  const leastMinor = otherMinor ?? ONE_MINOR
  // It is at most an amount.
  return Math.min(Math.max(leastMinor, startingPriceMinor, reservePriceMinor), highestMinor) as AmountMinor
}
