import type { AuctionGuard, CommonRefusal } from '../auction/auction-ledger.ts'
import type { CancelCommand, Cancellation } from '../auction/commands.ts'
import type { CancelRefusal as RuleRefusal } from '../auction/life-refusals.ts'
import type { Viewer } from '../auction/privacy.ts'
import type { AuctionState } from '../auction/state.ts'
import type { Checked } from '../values/checked.ts'
import type { AuctionId, UserId } from '../values/ids.ts'
import { accepted, refused } from '../values/result.ts'
import { type ChangeAuction, changeUseCase } from './change-auction.ts'
import { refusalIfNotOwner } from './check-arguments.ts'
import { type CommandParts, leaving, readWhileRecording } from './read-while-recording.ts'

export type CancelAuctionRequest = Pick<Viewer, 'seesPrivate'> & {
  readonly auctionId: AuctionId
  /** Default: one without a reason. */
  readonly cancellation?: Checked<Cancellation>
  /** The user who cancels, who must be the owner. If omitted, the caller may cancel any auction. */
  readonly requesterId?: UserId | undefined
  /** Whether a reason suffices to cancel any auction until its end, even one of another owner, and even after bids. */
  readonly mayForce?: boolean
}
export type CancelAuctionRefusal = Exclude<RuleRefusal, { readonly code: 'already-cancelled' }> | CommonRefusal
/** Returns the cancelled auction. */
export type CancelAuction = ChangeAuction<CancelAuctionRequest, CancelAuctionRefusal>

/**
 * Cancels an auction: until its first bid, or until its end if its terms allow that or the cancellation is forced. A
 * cancelled auction stays unchanged, which counts as success, and the `retry` is remembered.
 * @throws InvalidValueError that names an invalid arrival, id or cancellation; nothing was changed
 * @throws StoreUnavailableError whose `outcome` states whether the cancellation may be stored
 */
export function cancelAuctionUseCase({ lanes, ...parts }: CommandParts): CancelAuction {
  return changeUseCase('cancel-auction', parts.clock, async (request, key, atMs) => {
    const { auctionId, cancellation, requesterId, mayForce = false, seesPrivate } = request
    const isForced = mayForce && cancellation?.reason !== undefined
    const command: CancelCommand = { type: 'cancel', ...cancellation, ...(isForced && { isForced }) }
    const guard: AuctionGuard<CancelCommand> = {
      decide({ terms }, byRules) {
        const requester = { requesterId, seesPrivate, mayChangeAny: isForced }
        const refusal = refusalIfNotOwner(terms, requester, 'cancellation')
        return refusal === undefined ? byRules() : refused(refusal)
      },
    }
    const viewAt = readWhileRecording(parts, auctionId)
    const cancelled = await lanes.submit(auctionId, command, key, atMs, guard)
    if (cancelled.ok) {
      const { atMs: recordedMs, state } = cancelled.value
      // A later entry records the key of another request.
      const isEnd = cancelled.isRepeated !== true && state.atMs === recordedMs
      return { ...cancelled, value: await viewAt(state, isEnd ? leaving : undefined) }
    }
    const { refusal } = cancelled
    // The cast: the rules refuse with the state that they were given.
    if (refusal.code === 'already-cancelled') return accepted(await viewAt(refusal.state as AuctionState))
    // The caller may force the cancellation, with a reason.
    return refused(mayForce && 'prevents' in refusal ? { ...refusal, needsReason: true } : refusal)
  })
}
