import type { CancelCommand, Cancellation } from '../auction/commands.ts'
import type { CancelRefusal as RuleRefusal } from '../auction/refusals.ts'
import type { AuctionView } from '../auction/view.ts'
import type { CommonRefusal } from '../ledger/pending-command.ts'
import { type Checked, requireChecked } from '../values/checked.ts'
import type { AuctionId } from '../values/ids.ts'
import { type RetryKey, requestKeyOf } from '../values/request-key.ts'
import { accepted, type Result, refused } from '../values/result.ts'
import { arrivalOf, requireId, requireObject } from './check-arguments.ts'
import { type CommandParts, leaving, readWhileRecording } from './read-while-recording.ts'

export type CancelAuctionRequest = {
  readonly auctionId: AuctionId
  /** Default: one without a reason. */
  readonly cancellation?: Checked<Cancellation>
} & Pick<CancelCommand, 'requesterId' | 'mayForce'>
export type CancelAuctionRefusal = Exclude<RuleRefusal, { readonly code: 'already-cancelled' }> | CommonRefusal
/** Returns the cancelled auction. The same `retry` cancels it once. `arrivedAtMs` is as for `PlaceBid`. */
export type CancelAuction = (
  request: CancelAuctionRequest,
  retry?: RetryKey,
  arrivedAtMs?: number,
) => Promise<Result<AuctionView, CancelAuctionRefusal>>

/**
 * Cancels an auction: until its first bid, or until its end if its terms allow that or the cancellation is forced. A
 * cancelled auction stays unchanged, which counts as success, and the `retry` is remembered.
 * @throws InvalidValueError that names an invalid arrival, id or cancellation; nothing was changed
 * @throws StoreUnavailableError whose `outcome` states whether the cancellation may be stored
 */
export function cancelAuctionUseCase({ lanes, ...parts }: CommandParts): CancelAuction {
  return async (request, retry, arrivedAtMs) => {
    requireObject(request, 'a cancellation')
    const { auctionId, cancellation, requesterId, mayForce = false } = request
    requireId(auctionId, 'auctionId of a cancellation')
    if (requesterId !== undefined) requireId(requesterId, 'requesterId of a cancellation')
    if (cancellation !== undefined) requireChecked(cancellation, 'a cancellation', 'parseCancellation')
    const atMs = arrivalOf(arrivedAtMs, parts.clock)
    const key = retry === undefined ? undefined : requestKeyOf('cancel-auction', retry)
    const command: CancelCommand = {
      type: 'cancel',
      ...cancellation,
      requesterId,
      mayForce,
      mustBeRecorded: key !== undefined,
    }
    const viewAt = readWhileRecording(parts, auctionId)
    const cancelled = await lanes.submit(auctionId, command, key, atMs)
    if (cancelled.ok) {
      const { atMs, state } = cancelled.value
      // A later entry records the key of another request.
      const isEnd = cancelled.isRepeated !== true && state.atMs === atMs
      return { ...cancelled, value: await viewAt(state, isEnd ? leaving : undefined) }
    }
    const { refusal } = cancelled
    return refusal.code === 'already-cancelled' ? accepted(await viewAt(refusal.state)) : refused(refusal)
  }
}
