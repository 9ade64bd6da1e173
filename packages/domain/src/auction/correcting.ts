import { defined } from '../values/defined.ts'
import { accepted, type Result, refused } from '../values/result.ts'
import type { Terms } from './auction.ts'
import type { CorrectCommand } from './commands.ts'
import type { Corrected } from './events.ts'
import type { CorrectRefusal } from './refusals.ts'
import type { AuctionState } from './state.ts'
import { isCancelled, refusalIfEnded } from './status.ts'

/** The maximum number of corrections per auction. Each is kept. */
const maxCorrections = 20

/** Title and description may be corrected until the first bid and the end: bidders must know what they bid for. */
export function decideCorrection(
  terms: Terms,
  state: AuctionState,
  { title, description, editor, expectedCorrections }: CorrectCommand,
  nowMs: number,
): Result<Corrected, CorrectRefusal> {
  if (isCancelled(state)) return refused({ code: 'auction-cancelled' })
  const ended = refusalIfEnded(terms, state, nowMs)
  if (ended !== undefined) return refused(ended)
  if (state.leader !== null) return refused({ code: 'auction-has-bids', prevents: 'correction' })
  const { count = 0 } = state.corrections ?? {}
  if (count >= maxCorrections) return refused({ code: 'too-many-corrections' })
  if (expectedCorrections !== undefined && expectedCorrections !== count) {
    return refused({ code: 'precondition-failed' })
  }
  return accepted(defined({ type: 'corrected', title, description, editor } as const))
}
