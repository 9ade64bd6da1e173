import { type BidderList, createBidderList } from '../register/bidder-list.ts'
import type { RegisterEntry, RegisterListed } from '../register/events.ts'
import { type RegisterNotFound, registerLedger, type SetBiddersCommand, sentIn } from '../register/register-ledger.ts'
import type { RegisterId } from '../values/ids.ts'
import type { Currency } from '../values/money.ts'
import { accepted, type Result, refused } from '../values/result.ts'
import { requireId } from './check-arguments.ts'
import type { Verification } from './verify-ledger.ts'
import { findLine, type VerifiedStore, verifyListed } from './verify-listed.ts'

/**
 * Verifies the ledger of a register, as `verifyAuction` does that of an auction. Its first entry is that of its line in
 * the directory, and each change of bidders is decided again on the bidders before it.
 * @param line the line of the register, if the caller has it from `listDirectory`
 * @throws as `verifyAuction`
 */
export async function verifyRegister(
  store: VerifiedStore,
  registerId: RegisterId,
  line?: RegisterListed,
): Promise<Result<Verification, RegisterNotFound>> {
  requireId(registerId, 'id of a verified register')
  const listed = line ?? (await findLine(store, 'registers', registerId))
  if (listed === undefined) return refused({ code: 'register-not-found', registerId })
  const { fields: register, editor } = listed
  const list = createBidderList()
  const verified = await verifyListed(registerLedger, store, listed, list, (entry, isFirst) =>
    isFirst ? ({ type: 'create', register, editor } as const) : setBidders(entry, register.currency, list),
  )
  return accepted(verified)
}

/** The command that an entry records. A second creation has no bidders, which the rules refuse. */
function setBidders({ event }: RegisterEntry, currency: Currency, list: BidderList): SetBiddersCommand {
  const changes = event.type === 'bidders-set' ? sentIn(event, currency) : { bidders: [] }
  return { type: 'set-bidders', ...changes, currency, editor: event.editor, list }
}
