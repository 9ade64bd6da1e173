import type { CommonRefusal } from '../auction/auction-ledger.ts'
import { bidOf } from '../auction/entry.ts'
import { type AnyTypes, type DecisionOf, formatOf } from '../auction/formats/formats.ts'
import type { NewBid } from '../auction/offers.ts'
import { openedForRequest } from '../auction/sealed-entry.ts'
import type { Claims } from '../register/bidder-list.ts'
import type { Sealer } from '../sealer.ts'
import { type Checked, requireChecked } from '../values/checked.ts'
import { type RetryKey, requestKeyOf } from '../values/request-key.ts'
import type { Result } from '../values/result.ts'
import type { SubmitForBidder } from './submit-for-bidder.ts'

export type PlaceBidRefusal = DecisionOf<'place-bid'>['refusal'] | CommonRefusal
/** A bid, with the leader after it. */
export type PlacedBid = AnyTypes['bid'] & AnyTypes['placed']
/**
 * Returns the placed bid. Repeated with the same `retry`, the bid is placed once. It is judged by the time
 * `arrivedAtMs` at which its request had arrived whole, in milliseconds since 1970: by default the time of the call,
 * which is also the latest time that counts. `claims` is what the token of the bidder says of them, for the register of
 * the auction.
 */
export type PlaceBid = (
  bid: Checked<NewBid>,
  retry?: RetryKey,
  arrivedAtMs?: number,
  claims?: Claims,
) => Promise<Result<PlacedBid, PlaceBidRefusal>>

/**
 * Places bids: a returned bid is stored, and a refused bid is not. A returned bid may already be outbid by the maximum
 * of the leader: it then has `outbidAtMinor`. A leader who names a higher maximum, and an amount below the minimum next
 * bid, only raises that maximum, and receives `raisesMaximum`.
 * @throws InvalidValueError if the arrival is invalid, or if the bid is not from `parseNewBid`; nothing was changed
 * @throws StoreUnavailableError whose `outcome` states whether the bid may be stored
 */
export const placeBidUseCase =
  ({ submitForBidder, sealer }: { readonly submitForBidder: SubmitForBidder; readonly sealer: Sealer }): PlaceBid =>
  async (newBid, retry, arrivedAtMs, claims) => {
    requireChecked(newBid, 'a bid', 'parseNewBid')
    const { auctionId, bidderId, amount, maximumAmount } = newBid
    const bid = { type: 'place-bid', bidderId, amount } as const
    const command = maximumAmount === undefined ? bid : { ...bid, maximumAmount }
    const key = retry === undefined ? undefined : requestKeyOf('place-bid', retry)
    const placed = await submitForBidder({ auctionId, userId: bidderId, command, key, arrivedAtMs, claims })
    if (!placed.ok) return placed
    const { state } = placed.value
    const recorded = bidOf(openedForRequest(placed.value, sealer))
    if (recorded === undefined) throw new Error('the entry of a bid has none')
    return { ...placed, value: { ...recorded, ...formatOf(state).placed(state) } }
  }
