import type { UserId } from '../../../values/ids.ts'
import { latestMs, type Moment, momentAt } from '../../../values/moment.ts'
import type { AmountMinor } from '../../../values/money.ts'
import type { EntryOf, Stake, Stakes } from '../format.ts'
import { countedMinor, stepFrom } from './bid-steps.ts'
import type { EnglishEvent } from './events.ts'
import { firstMinor, nextAmountMinor } from './prices.ts'
import type { EnglishState } from './state.ts'
import type { EnglishTerms } from './terms.ts'

type Entry = Pick<EntryOf<EnglishEvent, EnglishState>, 'sequence' | 'event'>

/** The stakes of bidders: their highest maximum, or bid without one. Raised maximums count. */
export function createStakes(terms: EnglishTerms): Stakes<Entry> {
  const stakes = new Map<UserId, Stake>()
  let through = 0
  return {
    get sequence() {
      return through
    },
    add({ sequence, event }) {
      through = sequence
      if (event.type === 'withdrawn') stakes.delete(event.bidderId)
      if (event.type !== 'bid-placed' && event.type !== 'maximum-raised') return
      const { bidderId, amountMinor, maximumMinor = amountMinor } = event
      const highestMinor = countedMinor(terms, maximumMinor)
      const before = stakes.get(bidderId)
      if (before === undefined || highestMinor > before.highestMinor)
        stakes.set(bidderId, { bidderId, highestMinor, sinceSequence: sequence })
    },
    all: () => [...stakes.values()],
  }
}

/** As the service bids for a maximum: just above the other stake and to the reserve, but not above the own stake. */
export function offerPrice(
  terms: EnglishTerms,
  highestMinor: AmountMinor,
  otherMinor: AmountMinor | undefined,
): AmountMinor | undefined {
  const { reservePriceMinor = 0 as AmountMinor } = terms // Any bid meets it.
  if (reservePriceMinor > highestMinor) return undefined
  const leastMinor = otherMinor === undefined ? firstMinor(terms) : nextAmountMinor(terms, otherMinor)
  // One of three amounts: the own stake is one.
  return Math.min(Math.max(leastMinor, stepFrom(terms, reservePriceMinor)), highestMinor) as AmountMinor
}

/** The latest end of the soft close stays as long after the end as it was. */
export function movedWithEnd({ softClose, endTime: before }: EnglishTerms, endTime: Moment) {
  if (softClose === undefined) return {}
  const latestEndMs = endTime.epochMs + softClose.latestEndTime.epochMs - before.epochMs
  return { softClose: { ...softClose, latestEndTime: momentAt(Math.min(latestEndMs, latestMs)) } }
}
