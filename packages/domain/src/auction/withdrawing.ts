import { defined } from '../values/defined.ts'
import { accepted, type Result, refused } from '../values/result.ts'
import type { Terms } from './auction.ts'
import type { WithdrawCommand } from './commands.ts'
import type { Withdrawn } from './events.ts'
import type { WithdrawRefusal } from './refusals.ts'
import { refusalIfNotRepairable } from './repairing.ts'
import { type AuctionState, isBlocked } from './state.ts'

/**
 * Staff withdraw all bids of a bidder, even after the end, until the result is recorded. They may block the bidder, or let
 * a blocked one bid again, even if the bidder has no bids. Letting a bidder bid again withdraws no bids.
 */
export function decideWithdrawal(
  terms: Terms,
  state: AuctionState,
  { bidderId, reason, isBlocked: wanted, editor, without }: WithdrawCommand,
): Result<Withdrawn, WithdrawRefusal> {
  const refusal = refusalIfNotRepairable(terms, state)
  if (refusal !== undefined) return refused(refusal)
  const wasBlocked = isBlocked(state, bidderId)
  const isUnblocked = wanted === false
  // The service has bid only for bidders who have bid themselves.
  const hasEffect = isUnblocked ? wasBlocked : without !== undefined || (wanted === true && !wasBlocked)
  if (!hasEffect) return refused({ code: 'no-bids-of-bidder' })
  const { leader, bidCount } = isUnblocked ? state : (without ?? state)
  const block = { isBlocked: wanted || undefined, isUnblocked: isUnblocked || undefined }
  return accepted(defined({ type: 'withdrawn', bidderId, ...block, leader, bidCount, reason, editor } as const))
}
