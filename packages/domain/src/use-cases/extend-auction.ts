import type { CommonRefusal } from '../auction/auction-ledger.ts'
import type { ExtendRefusal } from '../auction/life-refusals.ts'
import type { Extension } from '../auction/repair.ts'
import type { Checked } from '../values/checked.ts'
import type { AuctionId } from '../values/ids.ts'
import { refused } from '../values/result.ts'
import { type ChangeAuction, changeUseCase } from './change-auction.ts'
import { type CommandParts, moving, readWhileRecording } from './read-while-recording.ts'

export type ExtendAuctionRequest = {
  readonly auctionId: AuctionId
  readonly extension: Checked<Extension>
  /** Who extends: 1 to 100 characters, stored with the extension. */
  readonly editor: string
}
export type ExtendAuctionRefusal = ExtendRefusal | CommonRefusal
/** Returns the extended auction. */
export type ExtendAuction = ChangeAuction<ExtendAuctionRequest, ExtendAuctionRefusal>

/**
 * Gives an auction a later end, even after its end, until the result is recorded. The latest end of a soft close moves
 * as much. Only staff may do so, which the caller checks.
 * @throws InvalidValueError that names an invalid arrival, id, extension or editor; nothing was changed
 * @throws StoreUnavailableError whose `outcome` states whether the extension may be stored
 */
export function extendAuctionUseCase({ lanes, ...parts }: CommandParts): ExtendAuction {
  return changeUseCase('extend-auction', parts.clock, async ({ auctionId, extension, editor }, key, atMs) => {
    const { endTime, reason } = extension
    const viewAt = readWhileRecording(parts, auctionId)
    const extended = await lanes.submit(
      auctionId,
      { type: 'extend', endMs: endTime.epochMs, reason, editor },
      key,
      atMs,
    )
    if (!extended.ok) return refused(extended.refusal)
    // The agenda need not know of it: at the earlier end, it is corrected by the ledger.
    return { ...extended, value: await viewAt(extended.value.state, moving(atMs)) }
  })
}
