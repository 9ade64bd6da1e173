import { type Bid, maximumBelowAmount, type NewBid } from '../auction/bid.ts'
import { bidOf } from '../auction/entry.ts'
import type { PlaceBidRefusal as RuleRefusal } from '../auction/refusals.ts'
import { type AuctionView, leaderOf } from '../auction/view.ts'
import type { Clock } from '../clock.ts'
import type { Lanes } from '../ledger/lanes.ts'
import type { CommonRefusal } from '../ledger/pending-command.ts'
import { type Checked, requireChecked } from '../values/checked.ts'
import { isInexactIn, notInCurrency } from '../values/money.ts'
import { type RetryKey, requestKeyOf } from '../values/request-key.ts'
import { type Result, refused } from '../values/result.ts'
import { type ValidationFailed, validationFailed } from '../values/validation.ts'
import { arrivalOf } from './check-arguments.ts'

export type PlaceBidRefusal =
  | Exclude<RuleRefusal, { readonly code: 'inexact-amount' | 'maximum-below-amount' }>
  | ValidationFailed
  | CommonRefusal
/** A bid, with the leader after it. */
export type PlacedBid = Bid & Pick<AuctionView, 'leaderId' | 'leaderMaximumMinor'>
/**
 * Returns the placed bid. Repeated with the same `retry`, the bid is placed once. It is judged by the time
 * `arrivedAtMs` at which its request had arrived whole, in milliseconds since 1970: by default the time of the call,
 * which is also the latest time that counts.
 */
export type PlaceBid = (
  bid: Checked<NewBid>,
  retry?: RetryKey,
  arrivedAtMs?: number,
) => Promise<Result<PlacedBid, PlaceBidRefusal>>

/**
 * Places bids: a returned bid is stored, and a refused bid is not. A returned bid may already be outbid by the maximum
 * of the leader: it then has `outbidAtMinor`. A leader who names a higher maximum, and an amount below the minimum next
 * bid, only raises that maximum, and receives `raisesMaximum`.
 * @throws InvalidValueError if the arrival is invalid, or if the bid is not from `parseNewBid`; nothing was changed
 * @throws StoreUnavailableError whose `outcome` states whether the bid may be stored
 */
export const placeBidUseCase =
  ({ lanes, clock }: { readonly lanes: Pick<Lanes, 'submit'>; readonly clock: Pick<Clock, 'nowMs'> }): PlaceBid =>
  async (newBid, retry, arrivedAtMs) => {
    requireChecked(newBid, 'a bid', 'parseNewBid')
    const atMs = arrivalOf(arrivedAtMs, clock)
    const { auctionId, bidderId, amount, maximumAmount } = newBid
    const bid = { type: 'place-bid', bidderId, amount } as const
    const command = maximumAmount === undefined ? bid : { ...bid, maximumAmount }
    const key = retry === undefined ? undefined : requestKeyOf('place-bid', retry)
    const placed = await lanes.submit(auctionId, command, key, atMs)
    if (placed.ok) return { ...placed, value: { ...bidOf(placed.value), ...leaderOf(placed.value.state) } }
    const { refusal } = placed
    switch (refusal.code) {
      case 'inexact-amount': {
        // The currency is known only from the auction, so these field errors are found late.
        const { fields, currency } = refusal
        const messages = { amount: notInCurrency(amount, currency), maximumAmount: isInexactIn(currency) }
        return refused(validationFailed(...fields.map((field) => ({ pointer: `/${field}`, message: messages[field] }))))
      }
      case 'maximum-below-amount':
        return refused(validationFailed({ pointer: '/maximumAmount', message: maximumBelowAmount }))
      default:
        return refused(refusal)
    }
  }
