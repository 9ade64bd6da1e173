import type { Clock } from '../clock.ts'
import { arrivalOf } from '../ledger/lanes.ts'
import type { LaneRefusal } from '../ledger/pending-command.ts'
import { createBidderList, type Register } from '../register/bidder-list.ts'
import { type DirectoryLanes, registerIn, registersDirectoryId } from '../register/directory.ts'
import type { NewRegister } from '../register/fields.ts'
import type { RegisterLanes } from '../register/register-ledger.ts'
import { withOutcome } from '../store/errors.ts'
import type { IdSource } from '../store/ids-from-blocks.ts'
import type { DirectoryEntry, RegisterEntry, Store } from '../store/store.ts'
import type { TimeLimit } from '../time-limit.ts'
import { type Checked, requireChecked } from '../values/checked.ts'
import { type AuctionId, ledgerIdOf, type RegisterId, toRegisterId } from '../values/ids.ts'
import { type RetryKey, requestKeyOf } from '../values/request-key.ts'
import { type Result, refused } from '../values/result.ts'
import { requireEditor, requireObject } from './check-arguments.ts'
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

type CreateRegisterParts = {
  readonly ids: Pick<IdSource<AuctionId>, 'next'>
  readonly lanes: Pick<RegisterLanes, 'remember' | 'submit'>
  readonly directory: Pick<DirectoryLanes, 'submit'>
  readonly store: Pick<Store<DirectoryEntry>, 'findEntriesByKey'>
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
  const { ids, lanes, directory, store, clock, limit } = parts
  return async (request, retry, arrivedAtMs) => {
    requireObject(request, 'a new register')
    const { register, editor } = request
    requireChecked(register, 'a new register', 'parseNewRegister')
    requireEditor(editor, 'a new register')
    const key = retry === undefined ? undefined : requestKeyOf('create-register', retry)
    const atMs = arrivalOf(arrivedAtMs, clock)
    return withinDeadline(limit, async ({ submitting }) => {
      const line = (registerId: RegisterId, createdAtMs: number) =>
        directory.submit(registersDirectoryId, { type: 'list', registerId, createdAtMs, register, editor }, key, atMs)
      const keys = key === undefined ? [] : [key]
      const [made] = await store.findEntriesByKey(keys, { auctionIds: [registersDirectoryId] })
      if (made !== undefined) return registerOf(await line(made.event.registerId, made.event.createdAtMs))
      const id = await ids.next()
      // The line in the directory commits it, so the ledger of the register comes first: no register is listed without it.
      lanes.remember({ id })
      const first = await lanes.submit(id, { type: 'create', register, editor }, undefined, atMs).catch(unlisted)
      // The only refusal of a ledger that has just got its id.
      if (!first.ok) return refused({ code: 'overloaded' })
      submitting()
      return registerOf(await line(toRegisterId(id), first.value.atMs))
    })
  }
}

const registerOf = <Refusal>(listed: Result<DirectoryEntry, Refusal>): Result<Register, Refusal> =>
  listed.ok ? { ...listed, value: registerIn(listed.value) } : listed

const unlisted = (error: unknown): never => {
  throw withOutcome(error, 'nothing-changed')
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
