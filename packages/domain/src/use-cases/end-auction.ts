import type { EndEarlyRefusal } from '../auction/refusals.ts'
import type { EarlyEnd } from '../auction/repair.ts'
import type { AuctionView } from '../auction/view.ts'
import type { CommonRefusal } from '../ledger/pending-command.ts'
import type { Store } from '../store/store.ts'
import type { TimeLimit } from '../time-limit.ts'
import { type Checked, requireChecked } from '../values/checked.ts'
import type { AuctionId } from '../values/ids.ts'
import { type RetryKey, requestKeyOf } from '../values/request-key.ts'
import { type Result, refused } from '../values/result.ts'
import { arrivalOf, requireEditor, requireId, requireObject } from './check-arguments.ts'
import { type CommandParts, moving, readWhileRecording } from './read-while-recording.ts'
import { withinDeadline } from './within-deadline.ts'

export type EndAuctionRequest = {
  readonly auctionId: AuctionId
  readonly earlyEnd: Checked<EarlyEnd>
  /** Who ends it: 1 to 100 characters, stored with the end. */
  readonly editor: string
}
export type EndAuctionRefusal = EndEarlyRefusal | CommonRefusal
/**
 * Returns the auction with its new end; the result follows, as at any end. The same `retry` ends it once. `arrivedAtMs`
 * is as for `PlaceBid`.
 */
export type EndAuction = (
  request: EndAuctionRequest,
  retry?: RetryKey,
  arrivedAtMs?: number,
) => Promise<Result<AuctionView, EndAuctionRefusal>>

type EndAuctionParts = CommandParts & {
  readonly store: Pick<Store, 'updateAgenda'>
  /** The limit from request to response. */
  readonly limit: TimeLimit
}

/**
 * Ends an auction now, with all bids that have arrived. Only staff may do so, which the caller checks.
 * @throws InvalidValueError that names an invalid arrival, id, reason or editor; nothing was changed
 * @throws StoreUnavailableError whose `outcome` states whether the end may be stored
 */
export function endAuctionUseCase({ lanes, limit, ...parts }: EndAuctionParts): EndAuction {
  return async (request, retry, arrivedAtMs) => {
    requireObject(request, 'an early end')
    const { auctionId, earlyEnd, editor } = request
    requireId(auctionId, 'auctionId of an early end')
    requireChecked(earlyEnd, 'an early end', 'parseEarlyEnd')
    requireEditor(editor, 'an early end')
    const atMs = arrivalOf(arrivedAtMs, parts.clock)
    const key = retry === undefined ? undefined : requestKeyOf('end-auction', retry)
    return withinDeadline(limit, async (progress) => {
      const viewAt = readWhileRecording(parts, auctionId)
      // The process may end between the entry and the update of the agenda: the auction would be closed at its previous
      // end. This check comes when the entry is recorded, or never will be.
      await parts.store.updateAgenda([{ auctionId, checkMs: parts.clock.nowMs() + limit.ms }])
      progress.submitting()
      const ended = await lanes.submit(auctionId, { type: 'end-early', reason: earlyEnd.reason, editor }, key, atMs)
      if (!ended.ok) return refused(ended.refusal)
      return { ...ended, value: await viewAt(ended.value.state, moving(atMs)) }
    })
  }
}
