import { defined } from '../values/defined.ts'
import { isInexactIn, toDecimal, toMinor } from '../values/money.ts'
import { accepted, type Result, refused } from '../values/result.ts'
import { validationFailed } from '../values/validation.ts'
import type { Terms } from './auction.ts'
import type { LowerReserveCommand } from './commands.ts'
import type { ReserveLowered } from './events.ts'
import { automaticBidAtReserve } from './proxy.ts'
import type { LowerReserveRefusal } from './refusals.ts'
import { refusalIfNotRepairable } from './repairing.ts'
import type { AuctionState } from './state.ts'

/**
 * The owner or staff lower the reserve, or remove it. If the leader's maximum now covers it, the service bids the reserve
 * for them. That bid does not extend the auction, because it outbids no other bidder.
 */
export function decideReserveReduction(
  terms: Terms,
  state: AuctionState,
  command: LowerReserveCommand,
): Result<ReserveLowered, LowerReserveRefusal> {
  const { reservePrice, reason, editor, requesterId, mayLowerAny } = command
  if (requesterId !== undefined && requesterId !== terms.ownerId && mayLowerAny !== true) {
    return refused({ code: 'not-the-owner', prevents: 'reserve-reduction' })
  }
  const refusal = refusalIfNotRepairable(terms, state)
  if (refusal !== undefined) return refused(refusal)
  const reservePriceMinor = toMinor(reservePrice, terms.currency)
  if (reservePriceMinor === undefined) return refusedWith(isInexactIn(terms.currency))
  const error = errorOf(terms, command, reservePriceMinor)
  if (error !== undefined) return refusedWith(error)
  const automatic = automaticBidAtReserve({ ...terms, reservePriceMinor }, state.leader)
  return accepted(defined({ type: 'reserve-lowered', reservePriceMinor, automatic, reason, editor } as const))
}

const refusedWith = (message: string) => refused(validationFailed({ pointer: '/reservePrice', message }))

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
