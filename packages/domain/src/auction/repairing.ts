import type { Terms } from './auction.ts'
import type { RepairRefusal } from './refusals.ts'
import type { AuctionState } from './state.ts'
import { isCancelled, refusalIfClosed } from './status.ts'

/** The maximum number of repairs per auction: every later entry has their ids. */
const maxRepairs = 50

/** The reason why an auction cannot be repaired any more. It can between its end and the result, too. */
export function refusalIfNotRepairable(terms: Terms, state: AuctionState): RepairRefusal | undefined {
  if (isCancelled(state)) return { code: 'auction-cancelled' }
  const closed = refusalIfClosed(terms, state)
  if (closed !== undefined) return closed
  return (state.repairs?.entryIds.length ?? 0) < maxRepairs ? undefined : { code: 'too-many-repairs' }
}
