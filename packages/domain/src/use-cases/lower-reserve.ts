import type { LowerReserveCommand } from '../auction/commands.ts'
import type { LowerReserveRefusal as RuleRefusal } from '../auction/refusals.ts'
import type { ReserveReduction } from '../auction/repair.ts'
import type { AuctionView } from '../auction/view.ts'
import type { CommonRefusal } from '../ledger/pending-command.ts'
import { type Checked, requireChecked } from '../values/checked.ts'
import type { AuctionId } from '../values/ids.ts'
import { type RetryKey, requestKeyOf } from '../values/request-key.ts'
import { type Result, refused } from '../values/result.ts'
import { arrivalOf, requireEditor, requireId, requireObject } from './check-arguments.ts'
import { type CommandParts, readWhileRecording } from './read-while-recording.ts'

export type LowerReserveRequest = {
  readonly auctionId: AuctionId
  readonly reduction: Checked<ReserveReduction>
  /** Who lowers it: 1 to 100 characters, stored with the lower reserve. */
  readonly editor: string
} & Pick<LowerReserveCommand, 'requesterId' | 'mayLowerAny' | 'mayReadReserve'>
export type LowerReserveRefusal = RuleRefusal | CommonRefusal
/** Returns the auction. The same `retry` lowers its reserve once. `arrivedAtMs` is as for `PlaceBid`. */
export type LowerReserve = (
  request: LowerReserveRequest,
  retry?: RetryKey,
  arrivedAtMs?: number,
) => Promise<Result<AuctionView, LowerReserveRefusal>>

/**
 * Lowers the reserve of an auction, or removes it, until the result is recorded. If the leader's maximum now covers it,
 * the service bids the reserve for them.
 * @throws InvalidValueError that names an invalid arrival, id, reserve or editor; nothing was changed
 * @throws StoreUnavailableError whose `outcome` states whether the lower reserve may be stored
 */
export function lowerReserveUseCase({ lanes, ...parts }: CommandParts): LowerReserve {
  return async (request, retry, arrivedAtMs) => {
    requireObject(request, 'a lower reserve')
    const { auctionId, reduction, ...asking } = request
    const { editor, requesterId } = asking
    requireId(auctionId, 'auctionId of a lower reserve')
    if (requesterId !== undefined) requireId(requesterId, 'requesterId of a lower reserve')
    requireChecked(reduction, 'a lower reserve', 'parseReserveReduction')
    requireEditor(editor, 'a lower reserve')
    const atMs = arrivalOf(arrivedAtMs, parts.clock)
    const key = retry === undefined ? undefined : requestKeyOf('lower-reserve', retry)
    const viewAt = readWhileRecording(parts, auctionId)
    const lowered = await lanes.submit(auctionId, { type: 'lower-reserve', ...reduction, ...asking }, key, atMs)
    return lowered.ok ? { ...lowered, value: await viewAt(lowered.value.state) } : refused(lowered.refusal)
  }
}
