import type { ExtendRefusal } from '../auction/refusals.ts'
import type { Extension } from '../auction/repair.ts'
import type { AuctionView } from '../auction/view.ts'
import type { CommonRefusal } from '../ledger/pending-command.ts'
import { type Checked, requireChecked } from '../values/checked.ts'
import type { AuctionId } from '../values/ids.ts'
import { type RetryKey, requestKeyOf } from '../values/request-key.ts'
import { type Result, refused } from '../values/result.ts'
import { arrivalOf, requireEditor, requireId, requireObject } from './check-arguments.ts'
import { type CommandParts, moving, readWhileRecording } from './read-while-recording.ts'

export type ExtendAuctionRequest = {
  readonly auctionId: AuctionId
  readonly extension: Checked<Extension>
  /** Who extends: 1 to 100 characters, stored with the extension. */
  readonly editor: string
}
export type ExtendAuctionRefusal = ExtendRefusal | CommonRefusal
/** Returns the extended auction. The same `retry` extends it once. `arrivedAtMs` is as for `PlaceBid`. */
export type ExtendAuction = (
  request: ExtendAuctionRequest,
  retry?: RetryKey,
  arrivedAtMs?: number,
) => Promise<Result<AuctionView, ExtendAuctionRefusal>>

/**
 * Gives an auction a later end, even after its end, until the result is recorded. The latest end of a soft close moves as
 * much. Only staff may do so, which the caller checks.
 * @throws InvalidValueError that names an invalid arrival, id, extension or editor; nothing was changed
 * @throws StoreUnavailableError whose `outcome` states whether the extension may be stored
 */
export function extendAuctionUseCase({ lanes, ...parts }: CommandParts): ExtendAuction {
  return async (request, retry, arrivedAtMs) => {
    requireObject(request, 'an extension')
    const { auctionId, extension, editor } = request
    requireId(auctionId, 'auctionId of an extension')
    requireChecked(extension, 'an extension', 'parseExtension')
    requireEditor(editor, 'an extension')
    const atMs = arrivalOf(arrivedAtMs, parts.clock)
    const key = retry === undefined ? undefined : requestKeyOf('extend-auction', retry)
    const { endTime, reason } = extension
    const viewAt = readWhileRecording(parts, auctionId)
    const extended = await lanes.submit(auctionId, { type: 'extend', endTime, reason, editor }, key, atMs)
    if (!extended.ok) return refused(extended.refusal)
    // The agenda need not know of it: at the earlier end, it is corrected by the ledger.
    return { ...extended, value: await viewAt(extended.value.state, moving(atMs)) }
  }
}
