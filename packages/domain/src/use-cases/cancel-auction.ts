import type { CancelCommand } from '../auction/commands.ts'
import { CancellationReason } from '../auction/ending-fields.ts'
import type { CancelRefusal as RuleRefusal } from '../auction/refusals.ts'
import type { AuctionView } from '../auction/view.ts'
import type { CommonRefusal } from '../ledger/pending-command.ts'
import type { AuctionId, UserId } from '../values/ids.ts'
import { type RetryKey, requestKeyOf } from '../values/request-key.ts'
import { accepted, type Result, refused } from '../values/result.ts'
import { checkedValue } from '../values/validation.ts'
import { arrivalOf, requireCommand, requireId } from './check-command.ts'
import { type EndAuctionParts, readWhileEnding } from './end-auction.ts'

/** The auction to cancel, and the reason. */
export type Cancellation = {
  readonly auctionId: AuctionId
  /** Visible to all readers of the auction. */
  readonly reason?: string
  /** The user who cancels, who must be the owner. If omitted, the caller may cancel any auction. */
  readonly requesterId?: UserId
  /** Whether a reason suffices to cancel any auction until its end, even one of another owner, and even after bids. */
  readonly mayForce?: boolean
}
/** The reasons for a refusal. */
export type CancelAuctionRefusal = Exclude<RuleRefusal, { readonly code: 'already-cancelled' }> | CommonRefusal
/** Returns the cancelled auction. Repeated with the same `retry`, the cancellation is made once. `arrivedAtMs` is as for `PlaceBid`. */
export type CancelAuction = (
  cancellation: Cancellation,
  retry?: RetryKey,
  arrivedAtMs?: number,
) => Promise<Result<AuctionView, CancelAuctionRefusal>>

/**
 * Cancels an auction: until its first bid, or until its end if its terms allow that or the cancellation is forced. A cancelled auction
 * stays unchanged, which counts as success, and the `retry` is remembered.
 * @throws InvalidValueError that names the arrival, or a field of the cancellation, with an invalid value; nothing was changed
 * @throws StoreUnavailableError whose `outcome` states whether the cancellation may be stored
 */
export function cancelAuctionUseCase({ lanes, ...parts }: EndAuctionParts): CancelAuction {
  return async (cancellation, retry, arrivedAtMs) => {
    requireCommand(cancellation, 'a cancellation')
    const { auctionId, reason, requesterId, mayForce = false } = cancellation
    requireId(auctionId, 'auctionId of a cancellation')
    if (requesterId !== undefined) requireId(requesterId, 'requesterId of a cancellation')
    if (reason !== undefined) checkedValue(CancellationReason, reason, 'the reason of a cancellation')
    const atMs = arrivalOf(arrivedAtMs, parts.clock)
    const key = retry === undefined ? undefined : requestKeyOf('cancel-auction', retry)
    const asked: CancelCommand = {
      type: 'cancel',
      ...(reason !== undefined && { reason }),
      ...(requesterId !== undefined && { requesterId }),
      ...(mayForce === true && { mayForce }),
      ...(key !== undefined && { isKeyed: true }),
    }
    const viewAt = readWhileEnding(parts, auctionId)
    const cancelled = await lanes.submit(auctionId, asked, key, atMs)
    if (cancelled.ok) {
      const { atMs, state } = cancelled.value
      // A later entry records the key of another request.
      const isEnd = cancelled.isRepeated !== true && state.atMs === atMs
      return { ...cancelled, value: await viewAt(state, isEnd) }
    }
    const { refusal } = cancelled
    return refusal.code === 'already-cancelled' ? accepted(await viewAt(refusal.state, false)) : refused(refusal)
  }
}
