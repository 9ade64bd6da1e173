import { type AmountMinor, notInCurrency, ONE_MINOR, toMinor } from '../../../values/money.ts'
import { accepted, type Result, refused } from '../../../values/result.ts'
import { validationFailed } from '../../../values/validation.ts'
import { recordedAdmission, refusalIfBarred } from '../../admission.ts'
import type { PlaceBidCommand, WithdrawOwnBidCommand } from '../../offers.ts'
import { refusalIfNotOpen } from '../../status.ts'
import type { BidRefusal, OwnWithdrawalRefusal } from './refusals.ts'
import type { OpenedBid, OwnWithdrawal, SealedState } from './state.ts'
import type { SealedTerms } from './terms.ts'

const maximumRule = 'must be omitted: the bids of this auction are sealed, so the service does not raise them'

/** Decides a bid by itself: whether there are others, and which, makes no difference. */
export function decideBid(
  terms: SealedTerms,
  state: SealedState,
  command: PlaceBidCommand,
  nowMs: number,
): Result<OpenedBid, BidRefusal> {
  const { bidderId, amount, maximumAmount } = command
  const { currency, startingPriceMinor } = terms
  if (maximumAmount !== undefined) return refused(validationFailed({ pointer: '/maximumAmount', message: maximumRule }))
  const amountMinor = toMinor(amount, currency)
  if (amountMinor === undefined)
    return refused(validationFailed({ pointer: '/amount', message: notInCurrency(amount, currency) }))
  const closed = refusalIfNotOpen(terms, state, nowMs)
  if (closed !== undefined) return refused(closed)
  if (bidderId === terms.ownerId) return refused({ code: 'owner-cannot-bid' })
  const barred = refusalIfBarred(terms, state, bidderId, command, amountMinor)
  if (barred !== undefined) return refused(barred)
  const minimumNextBidMinor = Math.max(startingPriceMinor, ONE_MINOR) as AmountMinor // One of two amounts.
  if (amountMinor < minimumNextBidMinor) return refused({ code: 'bid-too-low', minimumNextBidMinor, currency })
  const { admission } = recordedAdmission(command)
  if (admission === undefined) return accepted({ type: 'sealed-bid', bidderId, amountMinor })
  const { limitMinor: _, ...shown } = admission
  return accepted({ type: 'sealed-bid', bidderId, amountMinor, admission: shown })
}

/** A bidder withdraws their own bids until the end: they have learned nothing of others by then. */
export function decideOwnWithdrawal(
  terms: SealedTerms,
  state: SealedState,
  { bidderId, hasBids }: WithdrawOwnBidCommand,
  nowMs: number,
): Result<OwnWithdrawal, OwnWithdrawalRefusal> {
  const closed = refusalIfNotOpen(terms, state, nowMs)
  if (closed !== undefined) return refused(closed)
  if (hasBids !== true) return refused({ code: 'no-bids-of-bidder' })
  return accepted({ type: 'sealed-withdrawal', bidderId })
}
