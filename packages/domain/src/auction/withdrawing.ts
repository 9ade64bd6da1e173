import { defined } from '../values/defined.ts'
import { accepted, type Result, refused } from '../values/result.ts'
import type { Terms } from './auction.ts'
import type { WithdrawCommand } from './commands.ts'
import type { Withdrawn } from './events.ts'
import type { WithdrawRefusal } from './refusals.ts'
import { refusalIfNotRepairable } from './repairing.ts'
import type { AuctionState } from './state.ts'

/** Staff withdraw all bids of a bidder, even after the end, until the result is recorded. */
export function decideWithdrawal(
  terms: Terms,
  state: AuctionState,
  { bidderId, reason, isBlocked, editor, without }: WithdrawCommand,
): Result<Withdrawn, WithdrawRefusal> {
  const refusal = refusalIfNotRepairable(terms, state)
  if (refusal !== undefined) return refused(refusal)
  // The service has bid only for bidders who have bid themselves.
  if (without === undefined) return refused({ code: 'no-bids-of-bidder' })
  const { leader, bidCount } = without
  return accepted(defined({ type: 'withdrawn', bidderId, isBlocked, leader, bidCount, reason, editor } as const))
}
