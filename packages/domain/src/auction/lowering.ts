import { defined } from '../values/defined.ts'
import { isInexactIn, toDecimal, toMinor } from '../values/money.ts'
import { accepted, type Result, refused } from '../values/result.ts'
import { type FieldError, validationFailed } from '../values/validation.ts'
import type { Terms } from './auction.ts'
import type { LowerReserveCommand } from './commands.ts'
import type { ReserveLowered, Role } from './events.ts'
import { automaticBidAtReserve } from './proxy.ts'
import type { LowerReserveRefusal } from './refusals.ts'
import { refusalIfNotRepairable, roleOf } from './repairing.ts'
import type { AuctionState } from './state.ts'
import { isCancelled, refusalIfEnded } from './status.ts'

/**
 * The owner or staff lower the reserve, or remove it. If the leader's maximum now covers it, the service bids the reserve
 * for them. That bid does not extend the auction, because it outbids no other bidder.
 *
 * An owner who lowers it step by step would find the maximum of the leader: the price rises when a step reaches it. So an
 * owner lowers only a reserve that was never lowered, and only before the end.
 */
export function decideReserveReduction(
  terms: Terms,
  state: AuctionState,
  command: LowerReserveCommand,
  nowMs: number,
): Result<ReserveLowered, LowerReserveRefusal> {
  const { reservePrice, reason, editor, requesterId, mayLowerAny } = command
  if (requesterId !== undefined && requesterId !== terms.ownerId && mayLowerAny !== true) {
    return refused({ code: 'not-the-owner', prevents: 'reserve-reduction' })
  }
  const by = lowererOf(terms, command)
  const refusal = by === 'owner' ? refusalIfNotTheFirst(terms, state, nowMs) : refusalIfNotRepairable(terms, state)
  if (refusal !== undefined) return refused(refusal)
  const reservePriceMinor = toMinor(reservePrice, terms.currency)
  const isUnreasoned = by === 'staff' && reason === undefined
  const message =
    reservePriceMinor === undefined ? isInexactIn(terms.currency) : errorOf(terms, command, reservePriceMinor)
  const errors: FieldError[] = [
    ...(message === undefined ? [] : [{ pointer: '/reservePrice', message }]),
    ...(isUnreasoned ? [{ pointer: '/reason', message: 'must be given by staff; only the owner may omit it' }] : []),
  ]
  if (errors.length > 0 || reservePriceMinor === undefined) return refused(validationFailed(...errors))
  const automatic = automaticBidAtReserve({ ...terms, reservePriceMinor }, state.leader)
  return accepted(defined({ type: 'reserve-lowered', reservePriceMinor, automatic, reason, editor, by } as const))
}

/** An owner who may lower any reserve does so as staff, with a reason that all see. */
export function lowererOf(terms: Pick<Terms, 'ownerId'>, command: LowerReserveCommand): Role | undefined {
  const role = roleOf(terms, command)
  return role === 'owner' && command.mayLowerAny === true && command.reason !== undefined ? 'staff' : role
}

function refusalIfNotTheFirst(terms: Terms, state: AuctionState, nowMs: number): LowerReserveRefusal | undefined {
  if (isCancelled(state)) return { code: 'auction-cancelled' }
  const wasLowered = state.repairs?.reservePriceMinor !== undefined
  return refusalIfEnded(terms, state, nowMs) ?? (wasLowered ? { code: 'reserve-lowered-before' } : undefined)
}

/** The error of a reserve that is not lower. It depends on the secret one only for callers who may read that. */
function errorOf(
  { reservePriceMinor: currentMinor, ownerId, currency }: Terms,
  { requesterId, mayReadReserve }: LowerReserveCommand,
  reservePriceMinor: number,
): string | undefined {
  if (currentMinor === undefined) return 'cannot be lowered, because the auction has no reserve'
  if (reservePriceMinor === 0) return undefined
  if (mayReadReserve === false && requesterId !== ownerId) {
    return 'must be 0, which removes the reserve, for a caller who may not read the reserve of the auction'
  }
  if (reservePriceMinor < currentMinor) return undefined
  return `must be below the current reserve of ${toDecimal(currentMinor, currency)} ${currency.code}, or 0 to remove it`
}
