import type { AuctionGuard, CommonRefusal } from '../auction/auction-ledger.ts'
import type { Decision } from '../auction/decide.ts'
import { type DecisionOf, formatOf } from '../auction/formats/formats.ts'
import type { LowerReserveCommand, ReserveReduction } from '../auction/offers.ts'
import { termsIn } from '../auction/state.ts'
import type { Checked } from '../values/checked.ts'
import type { AuctionId, UserId } from '../values/ids.ts'
import { refused } from '../values/result.ts'
import { type ChangeAuction, changeUseCase } from './change-auction.ts'
import { refusalIfNotOwner } from './check-arguments.ts'
import { type CommandParts, readWhileRecording } from './read-while-recording.ts'

export type LowerReserveRequest = {
  readonly auctionId: AuctionId
  readonly reduction: Checked<ReserveReduction>
  /** Who lowers it: 1 to 100 characters, stored with the lower reserve. */
  readonly editor: string
  /** The user who lowers it, who must be the owner. If omitted, the caller may lower any reserve. */
  readonly requesterId?: UserId | undefined
  /** Whether the user may lower the reserve of any auction, as staff, who give a reason. */
  readonly mayLowerAny?: boolean
  /** False if a user who is not the owner may not read the reserve: then errors do not depend on it. */
  readonly mayReadReserve?: boolean
}
export type LowerReserveRefusal = DecisionOf<'lower-reserve'>['refusal'] | CommonRefusal
/** Returns the auction. */
export type LowerReserve = ChangeAuction<LowerReserveRequest, LowerReserveRefusal>

/**
 * Lowers the reserve of an auction, or removes it, until the result is recorded. If the leader's maximum now covers it,
 * the service bids the reserve for them.
 * @throws InvalidValueError that names an invalid arrival, id, reserve or editor; nothing was changed
 * @throws StoreUnavailableError whose `outcome` states whether the lower reserve may be stored
 */
export function lowerReserveUseCase({ lanes, ...parts }: CommandParts): LowerReserve {
  return changeUseCase('lower-reserve', parts.clock, async (request, key, atMs) => {
    const { auctionId, reduction, editor } = request
    const viewAt = readWhileRecording(parts, auctionId)
    const command: LowerReserveCommand = { type: 'lower-reserve', ...reduction, editor }
    const lowered = await lanes.submit(auctionId, command, key, atMs, guardOf(request, command))
    return lowered.ok ? { ...lowered, value: await viewAt(lowered.value.state) } : refused(lowered.refusal)
  })
}

function guardOf(
  { requesterId, mayLowerAny, mayReadReserve }: LowerReserveRequest,
  command: LowerReserveCommand,
): AuctionGuard<LowerReserveCommand> {
  return {
    decide({ terms, state }, byRules) {
      const requester = { requesterId, seesPrivate: mayLowerAny, mayChangeAny: mayLowerAny === true }
      const refusal = refusalIfNotOwner(terms, requester, 'reserve-reduction')
      if (refusal !== undefined) return refused(refusal)
      const isByOwner = requesterId === terms.ownerId
      // An owner who may lower any reserve does so as staff, with a reason that all see.
      const isByStaff = !isByOwner || (mayLowerAny === true && command.reason !== undefined)
      // The cast: the rules refuse only bids as those of an unknown auction.
      const decision = byRules({ ...command, by: isByStaff ? 'staff' : 'owner' }) as Decision<'lower-reserve'>
      if (mayReadReserve !== false || isByOwner) return decision
      return formatOf(terms).withoutSecrets?.(termsIn(terms, state), command, decision) ?? decision
    },
  }
}
