import type { UserId } from '../values/ids.ts'
import type { Terms } from './auction.ts'
import type { CorrectCommand } from './commands.ts'
import type { Role } from './events.ts'
import type { RepairRefusal } from './refusals.ts'
import type { AuctionState } from './state.ts'
import { isCancelled, refusalIfClosed } from './status.ts'

/** The maximum number of repairs per auction by staff: every later entry has their ids. */
const maxRepairs = 50

/** The reason why staff cannot repair an auction any more. They can between its end and the result, too. */
export function refusalIfNotRepairable(terms: Terms, state: AuctionState): RepairRefusal | undefined {
  if (isCancelled(state)) return { code: 'auction-cancelled' }
  const closed = refusalIfClosed(terms, state)
  if (closed !== undefined) return closed
  const { entryIds = [], reservePriceMinor } = state.repairs ?? {}
  // The first lower reserve does not count: it may be the owner's, who must not use up the repairs of staff.
  const count = entryIds.length - (reservePriceMinor === undefined ? 0 : 1)
  return count < maxRepairs ? undefined : { code: 'too-many-repairs' }
}

/** Who sends a command. Undefined for one that an earlier version recorded, which no rule for a role judges again. */
export function roleOf(
  { ownerId }: Pick<Terms, 'ownerId'>,
  { requesterId, recordedBy }: Pick<CorrectCommand, 'recordedBy'> & { readonly requesterId?: UserId | undefined },
): Role | undefined {
  if (recordedBy !== undefined) return recordedBy === 'unknown' ? undefined : recordedBy
  return requesterId === ownerId ? 'owner' : 'staff'
}
