import { formatOf } from './formats/formats.ts'
import type { AuctionState } from './state.ts'

// The sequences of a ledger would tell how many bids a format keeps from everyone. Outside, the entries that everyone may
// see count from 1. For a format that shows all of its entries, that is the sequence itself.

/** The number of entries that everyone may see, up to a sequence of the ledger that the state includes. */
export function publicSequenceOf(state: AuctionState, sequence: number): number {
  const shown = shownSequences(state)
  return shown === undefined ? sequence : shown.findLastIndex((each) => each <= sequence) + 1
}

/** The sequences in the ledger of the entries that everyone may see, if these are not all. */
export const shownSequences = (state: AuctionState): readonly number[] | undefined =>
  formatOf(state).publicSequences?.(state)

/** Whether everyone may see an entry. */
export function isPublicEntry({
  state,
  sequence,
}: {
  readonly state: AuctionState
  readonly sequence: number
}): boolean {
  const shown = shownSequences(state)
  return shown === undefined || shown.at(-1) === sequence
}
