import type { CommonRefusal } from '../auction/auction-ledger.ts'
import type { EndRefusal } from '../auction/life-refusals.ts'
import type { EarlyEnd } from '../auction/repair.ts'
import type { Store } from '../store/store.ts'
import type { TimeLimit } from '../time-limit.ts'
import type { Checked } from '../values/checked.ts'
import type { AuctionId } from '../values/ids.ts'
import { refused } from '../values/result.ts'
import { type ChangeAuction, changeUseCase } from './change-auction.ts'
import { type CommandParts, moving, readWhileRecording } from './read-while-recording.ts'
import { withinDeadline } from './within-deadline.ts'

export type EndAuctionRequest = {
  readonly auctionId: AuctionId
  readonly earlyEnd: Checked<EarlyEnd>
  /** Who ends it: 1 to 100 characters, stored with the end. */
  readonly editor: string
}
export type EndAuctionRefusal = EndRefusal | CommonRefusal
/** Returns the auction with its new end; the result follows, as at any end. */
export type EndAuction = ChangeAuction<EndAuctionRequest, EndAuctionRefusal>

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
  const { clock } = parts
  return changeUseCase('end-auction', clock, ({ auctionId, earlyEnd, editor }, key, atMs) =>
    withinDeadline(limit, async (progress) => {
      const viewAt = readWhileRecording(parts, auctionId)
      // The process may end between the entry and the update of the agenda: the auction would be closed at its previous
      // end. This check comes when the entry is recorded, or never will be.
      await parts.store.updateAgenda([{ auctionId, checkMs: clock.nowMs() + limit.ms }])
      progress.submitting()
      const ended = await lanes.submit(auctionId, { type: 'end-auction', reason: earlyEnd.reason, editor }, key, atMs)
      if (!ended.ok) return refused(ended.refusal)
      return { ...ended, value: await viewAt(ended.value.state, moving(atMs)) }
    }),
  )
}
