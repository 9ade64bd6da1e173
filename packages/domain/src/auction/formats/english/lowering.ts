import { defined } from '../../../values/defined.ts'
import { isInexactIn, toDecimal, toMinor } from '../../../values/money.ts'
import { accepted, type Result, refused } from '../../../values/result.ts'
import { type FieldError, validationFailed } from '../../../values/validation.ts'
import type { NotInFormat } from '../../life-refusals.ts'
import type { LowerReserveCommand } from '../../offers.ts'
import { isCancelled, refusalIfEnded, refusalIfNotRepairable } from '../../status.ts'
import type { ReserveLowered } from './events.ts'
import type { Fields } from './fields.ts'
import { automaticBidAtReserve } from './proxy.ts'
import type { LowerReserveRefusal } from './refusals.ts'
import type { EnglishState } from './state.ts'
import type { EnglishTerms } from './terms.ts'

type Decision<None = never> = Result<ReserveLowered, LowerReserveRefusal | None>

/**
 * The owner or staff lower the reserve, or remove it. If the leader's maximum now covers it, the service bids the
 * reserve for them. That bid does not extend the auction, because it outbids no other bidder.
 *
 * An owner who lowers it step by step would find the maximum of the leader: the price rises when a step reaches it. So
 * an owner lowers only a reserve that was never lowered, and only before the end.
 */
export function decideReserveReduction(
  terms: EnglishTerms,
  state: EnglishState,
  { reservePrice, reason, editor, by }: LowerReserveCommand,
  nowMs: number,
): Decision {
  const refusal =
    by === 'owner'
      ? refusalIfNotTheFirst(terms, state, nowMs)
      : refusalIfNotRepairable(terms, state, state.repairs?.reservePriceMinor !== undefined)
  if (refusal !== undefined) return refused(refusal)
  const reservePriceMinor = toMinor(reservePrice, terms.currency)
  const isUnreasoned = by === 'staff' && reason === undefined
  const message = reservePriceMinor === undefined ? isInexactIn(terms.currency) : errorOf(terms, reservePriceMinor)
  const errors: FieldError[] = [
    ...(message === undefined ? [] : [{ pointer: '/reservePrice', message }]),
    ...(isUnreasoned ? [{ pointer: '/reason', message: 'must be given by staff; only the owner may omit it' }] : []),
  ]
  if (errors.length > 0 || reservePriceMinor === undefined) return refused(validationFailed(...errors))
  const automatic = automaticBidAtReserve({ ...terms, reservePriceMinor }, state.leader)
  return accepted(defined({ type: 'reserve-lowered', reservePriceMinor, automatic, reason, editor, by } as const))
}

function refusalIfNotTheFirst(
  terms: EnglishTerms,
  state: EnglishState,
  nowMs: number,
): LowerReserveRefusal | undefined {
  if (isCancelled(state)) return { code: 'auction-cancelled' }
  const wasLowered = state.repairs?.reservePriceMinor !== undefined
  return refusalIfEnded(terms, state, nowMs) ?? (wasLowered ? { code: 'reserve-lowered-before' } : undefined)
}

/** The error of a reserve that is not lower. */
function errorOf(
  { reservePriceMinor: currentMinor, currency }: EnglishTerms,
  reservePriceMinor: number,
): string | undefined {
  if (currentMinor === undefined) return 'cannot be lowered, because the auction has no reserve'
  if (reservePriceMinor === 0 || reservePriceMinor < currentMinor) return undefined
  return `must be below the current reserve of ${toDecimal(currentMinor, currency)} ${currency.code}, or 0 to remove it`
}

/** A reserve limits other prices, so an error of one would tell a caller something of a reserve that is kept. */
export function hiddenReserveError(
  { reservePriceMinor }: EnglishTerms,
  correction: Pick<Partial<Fields>, 'startingPrice' | 'buyNowPrice' | 'reservePrice'>,
): FieldError | undefined {
  const { startingPrice, buyNowPrice, reservePrice } = correction
  const isLimited = startingPrice !== undefined || buyNowPrice != null
  if (reservePriceMinor === undefined || reservePrice !== undefined || !isLimited) return undefined
  return {
    pointer: '/reservePrice',
    message: 'must be sent with startingPrice or buyNowPrice by a caller who may not read the reserve of the auction',
  }
}

/** The decision for a caller who may not read the reserve: no error depends on the secret one. */
export function withoutReserve(
  { reservePriceMinor, currency }: Pick<EnglishTerms, 'reservePriceMinor' | 'currency'>,
  { reservePrice }: LowerReserveCommand,
  decision: Decision<NotInFormat>,
): Decision<NotInFormat> {
  const refusal = decision.ok ? undefined : decision.refusal
  if (refusal !== undefined && refusal.code !== 'validation-failed') return decision
  const isExact = toMinor(reservePrice, currency) !== undefined
  if (reservePriceMinor === undefined || reservePrice === 0 || !isExact) return decision
  const message = 'must be 0, which removes the reserve, for a caller who may not read the reserve of the auction'
  const others = refusal?.errors.filter(({ pointer }) => pointer !== '/reservePrice') ?? []
  return refused(validationFailed({ pointer: '/reservePrice', message }, ...others))
}
