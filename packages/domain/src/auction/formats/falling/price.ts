import { type Moment, momentAt } from '../../../values/moment.ts'
import type { AmountMinor } from '../../../values/money.ts'
import { effectiveEndMs } from '../../status.ts'
import type { FallingState } from './state.ts'
import type { FallingTerms } from './terms.ts'

type Prices = Pick<FallingTerms, 'startingPriceMinor' | 'falling' | 'startTime'>

/** The number of whole intervals since the start. */
const stepsAt = ({ falling, startTime }: Prices, atMs: number): number =>
  Math.max(0, Math.floor((atMs - startTime.epochMs) / (falling.intervalSeconds * 1_000)))

/**
 * The price of an auction whose price falls, at a time in milliseconds since 1970: before the start, the starting
 * price. It does not know the end. All numbers are exact: a product is formed only if it is below 10^15.
 */
export function priceAt(terms: Prices, atMs: number): AmountMinor {
  const { startingPriceMinor, falling } = terms
  const { decrementMinor, floorPriceMinor } = falling
  const stepsToFloor = Math.ceil((startingPriceMinor - floorPriceMinor) / decrementMinor)
  const steps = stepsAt(terms, atMs)
  // The cast: it is above the floor, and at most the starting price.
  return steps >= stepsToFloor ? floorPriceMinor : ((startingPriceMinor - steps * decrementMinor) as AmountMinor)
}

/** The price of a purchase, and the next step, unless none follows before the end. */
export type CurrentPrice = {
  readonly currentPriceMinor: AmountMinor
  readonly nextPriceMinor: AmountMinor | undefined
  /** When the price falls to it. */
  readonly nextPriceTime: Moment | undefined
}

/** The price in a state at a time. After the end, it is the last one at which the auction could have been bought. */
export function currentPrice(
  terms: Prices & Pick<FallingTerms, 'endTime'>,
  state: FallingState,
  nowMs: number,
): CurrentPrice {
  const endMs = effectiveEndMs(terms, state)
  const atMs = Math.min(nowMs, endMs - 1)
  const currentPriceMinor = priceAt(terms, atMs)
  const { falling, startTime } = terms
  const nextAtMs = startTime.epochMs + (stepsAt(terms, atMs) + 1) * falling.intervalSeconds * 1_000
  const isOver = state.phase === 'closed' || nowMs >= endMs || nextAtMs >= endMs
  if (isOver || currentPriceMinor === falling.floorPriceMinor)
    return { currentPriceMinor, nextPriceMinor: undefined, nextPriceTime: undefined }
  return { currentPriceMinor, nextPriceMinor: priceAt(terms, nextAtMs), nextPriceTime: momentAt(nextAtMs) }
}
