import type { Clock } from '../clock.ts'
import { arrivalOf } from '../ledger/lanes.ts'
import type { LaneRefusal } from '../ledger/pending-command.ts'
import { createBidderList } from '../register/bidder-list.ts'
import { type Register, type RegisterListed, registerIn } from '../register/events.ts'
import type { NewRegister } from '../register/fields.ts'
import type { RegisterLanes } from '../register/register-ledger.ts'
import type { RegisterEntry, Store } from '../store/store.ts'
import type { TimeLimit } from '../time-limit.ts'
import { type Checked, requireChecked } from '../values/checked.ts'
import { ledgerIdOf, type RegisterId, toRegisterId } from '../values/ids.ts'
import { type RetryKey, requestKeyOf } from '../values/request-key.ts'
import type { Result } from '../values/result.ts'
import { requireEditor, requireObject } from './check-arguments.ts'
import { createListed, type ListingParts } from './listed.ts'
import { withinDeadline } from './within-deadline.ts'

export type CreateRegisterRequest = {
  readonly register: Checked<NewRegister>
  /** Who creates it: 1 to 100 characters, stored with it. */
  readonly editor: string
}
/** Returns the register. The same `retry` creates it once. */
export type CreateRegister = (
  request: CreateRegisterRequest,
  retry?: RetryKey,
  arrivedAtMs?: number,
) => Promise<Result<Register, LaneRefusal>>

type CreateRegisterParts = ListingParts<RegisterListed> & {
  readonly lanes: Pick<RegisterLanes, 'remember' | 'submit'>
  readonly clock: Clock
  /** The limit from request to response. */
  readonly limit: TimeLimit
}

/**
 * Creates registers of bidders: a returned register is stored.
 * @throws InvalidValueError that names an invalid arrival, register or editor; nothing was changed
 * @throws StoreUnavailableError whose `outcome` states whether the register may be stored
 */
export function createRegisterUseCase(parts: CreateRegisterParts): CreateRegister {
  const { lanes, clock, limit } = parts
  return async (request, retry, arrivedAtMs) => {
    requireObject(request, 'a new register')
    const { register, editor } = request
    requireChecked(register, 'a new register', 'parseNewRegister')
    requireEditor(editor, 'a new register')
    const key = retry === undefined ? undefined : requestKeyOf('create-register', retry)
    const atMs = arrivalOf(arrivedAtMs, clock)
    return withinDeadline(limit, async ({ submitting }) => {
      const line = (id: number, createdAtMs: number): RegisterListed => {
        return { type: 'register-listed', id: toRegisterId(id), createdAtMs, fields: register, editor }
      }
      const created = await createListed(
        parts,
        line,
        (id) => {
          lanes.remember({ id })
          return lanes.submit(id, { type: 'create', register, editor }, undefined, atMs)
        },
        { key, atMs, submitting },
      )
      return created.ok ? { ...created, value: registerIn(created.value) } : created
    })
  }
}

/** Finds the register of a new auction, by the first entry of its ledger. */
export const createFindRegister =
  (store: Pick<Store<RegisterEntry>, 'listEntries'>) =>
  async (id: RegisterId): Promise<Register | undefined> => {
    const [first] = await store.listEntries(ledgerIdOf(id), { before: 2, limit: 1 })
    // The id of an auction has entries of another kind.
    if (first?.kind !== 'register') return undefined
    const list = createBidderList()
    list.add(first)
    return list.register
  }
