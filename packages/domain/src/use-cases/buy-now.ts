import type { CommonRefusal } from '../auction/auction-ledger.ts'
import type { DecisionOf } from '../auction/formats/formats.ts'
import type { Purchase } from '../auction/offers.ts'
import type { Claims } from '../register/bidder-list.ts'
import type { Checked } from '../values/checked.ts'
import type { AuctionId } from '../values/ids.ts'
import { refused } from '../values/result.ts'
import { type ChangeAuction, changeUseCase } from './change-auction.ts'
import { type CommandParts, leaving, readWhileRecording } from './read-while-recording.ts'
import type { SubmitForBidder } from './submit-for-bidder.ts'

export type BuyNowRequest = {
  readonly auctionId: AuctionId
  readonly purchase: Checked<Purchase>
  /** What the token of the buyer says of them, for the register of the auction. */
  readonly claims?: Claims | undefined
}
export type BuyNowRefusal = DecisionOf<'buy-now'>['refusal'] | CommonRefusal
/** Returns the bought auction. */
export type BuyNow = ChangeAuction<BuyNowRequest, BuyNowRefusal>

type BuyNowParts = Omit<CommandParts, 'lanes'> & { readonly submitForBidder: SubmitForBidder }

/**
 * Buys for the buy-now price, or for the price of the arrival if the price falls, which ends the auction. Only the first
 * buyer succeeds; others are refused with `auction-ended`.
 * @throws InvalidValueError that names an invalid arrival, auction id or purchase; nothing was changed
 * @throws StoreUnavailableError whose `outcome` states whether the purchase may be stored
 */
export function buyNowUseCase({ submitForBidder, ...parts }: BuyNowParts): BuyNow {
  return changeUseCase('buy-now', parts.clock, async ({ auctionId, purchase, claims }, key, arrivedAtMs) => {
    const viewAt = readWhileRecording(parts, auctionId)
    const command = { type: 'buy-now', ...purchase } as const
    const bought = await submitForBidder({ auctionId, userId: purchase.buyerId, command, key, arrivedAtMs, claims })
    if (!bought.ok) return refused(bought.refusal)
    return { ...bought, value: await viewAt(bought.value.state, bought.isRepeated === true ? undefined : leaving) }
  })
}
