import type { Purchase } from '../auction/commands.ts'
import type { BuyNowRefusal as RuleRefusal } from '../auction/refusals.ts'
import type { AuctionView } from '../auction/view.ts'
import type { CommonRefusal } from '../ledger/pending-command.ts'
import { type Checked, requireChecked } from '../values/checked.ts'
import type { AuctionId } from '../values/ids.ts'
import { type RetryKey, requestKeyOf } from '../values/request-key.ts'
import { type Result, refused } from '../values/result.ts'
import { arrivalOf, requireId, requireObject } from './check-arguments.ts'
import { type CommandParts, leaving, readWhileRecording } from './read-while-recording.ts'

export type BuyNowRequest = { readonly auctionId: AuctionId; readonly purchase: Checked<Purchase> }
export type BuyNowRefusal = RuleRefusal | CommonRefusal
/** Returns the bought auction. A repetition with the same `retry` buys once. `arrivedAtMs` is as for `PlaceBid`. */
export type BuyNow = (
  request: BuyNowRequest,
  retry?: RetryKey,
  arrivedAtMs?: number,
) => Promise<Result<AuctionView, BuyNowRefusal>>

/**
 * Buys for the buy-now price, which ends the auction. Only the first buyer succeeds; others are refused with
 * `auction-ended`.
 * @throws InvalidValueError that names an invalid arrival, auction id or purchase; nothing was changed
 * @throws StoreUnavailableError whose `outcome` states whether the purchase may be stored
 */
export function buyNowUseCase({ lanes, ...parts }: CommandParts): BuyNow {
  return async (request, retry, arrivedAtMs) => {
    requireObject(request, 'a purchase')
    const { auctionId, purchase } = request
    requireId(auctionId, 'auctionId of a purchase')
    requireChecked(purchase, 'a purchase', 'parsePurchase')
    const { buyerId } = purchase
    const atMs = arrivalOf(arrivedAtMs, parts.clock)
    const key = retry === undefined ? undefined : requestKeyOf('buy-now', retry)
    const viewAt = readWhileRecording(parts, auctionId)
    const bought = await lanes.submit(auctionId, { type: 'buy-now', buyerId }, key, atMs)
    if (!bought.ok) return refused(bought.refusal)
    return { ...bought, value: await viewAt(bought.value.state, bought.isRepeated === true ? undefined : leaving) }
  }
}
