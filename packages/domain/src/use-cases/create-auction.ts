import type { Auction, NewAuction } from '../auction/auction.ts'
import { pastEndError } from '../auction/rules.ts'
import type { Clock } from '../clock.ts'
import { arrivalOf } from '../ledger/lanes.ts'
import type { SafeObserver } from '../observer.ts'
import type { Register } from '../register/events.ts'
import { StoreUnavailableError } from '../store/errors.ts'
import type { Store } from '../store/store.ts'
import type { TimeLimit } from '../time-limit.ts'
import { type Checked, requireChecked } from '../values/checked.ts'
import type { RegisterId } from '../values/ids.ts'
import { isSameCurrency } from '../values/money.ts'
import { type KeyReused, type RequestKey, type RetryKey, requestKeyOf } from '../values/request-key.ts'
import { accepted, type Result, refused, repeated } from '../values/result.ts'
import { type ValidationFailed, validationFailed } from '../values/validation.ts'
import { type InsertAuction, isSameRequest } from './insert-auction.ts'
import { type Progress, withinDeadline } from './within-deadline.ts'

type CreateAuctionParts = {
  readonly store: Pick<Store, 'findAuction' | 'findAuctions'>
  readonly clock: Clock
  readonly insertAuction: InsertAuction
  /** The limit from request to response. */
  readonly limit: TimeLimit
  readonly observer?: SafeObserver | undefined
  readonly findRegister: (id: RegisterId) => Promise<Register | undefined>
}

export type CreateAuctionResult = Result<Auction, ValidationFailed | KeyReused>
/**
 * `arrivedAtMs` is as for `PlaceBid`: an auction whose end is later is created, even if creating it takes until after
 * its end.
 */
export type CreateAuction = (
  fields: Checked<NewAuction>,
  retry?: RetryKey,
  arrivedAtMs?: number,
) => Promise<CreateAuctionResult>

/**
 * Creates auctions: a returned auction is stored.
 * @throws InvalidValueError if the arrival is invalid or the auction is not of `parseNewAuction`; nothing was changed
 * @throws StoreUnavailableError whose `outcome` states whether the auction may be stored
 * @throws UnsupportedByStoreError for a sealed auction if the store has no `listBidderEntries`
 */
export function createAuctionUseCase(parts: CreateAuctionParts): CreateAuction {
  const { store, clock, insertAuction, limit, observer, findRegister } = parts

  async function create(
    fields: NewAuction,
    requestKey: RequestKey | undefined,
    arrivedAtMs: number,
    progress: Progress,
  ): Promise<CreateAuctionResult> {
    const late = pastEndError(fields.endTime, arrivedAtMs)
    if (late !== undefined) {
      // A retry may arrive after the end of the auction that its first try created.
      const made = requestKey && (await findByKey(requestKey))
      return made === undefined ? refused(validationFailed(late)) : replay(made, fields)
    }
    const admitting = await admittingOf(findRegister, fields)
    if (!admitting.ok) return admitting
    const inserted = await insertAuction({ ...fields, ...admitting.value }, requestKey, progress)
    if (inserted !== undefined) return inserted
    const made = requestKey && (await findByKey(requestKey))
    if (made !== undefined) return replay(made, fields)
    throw new StoreUnavailableError('the auction with the same key or id could not be read')
  }

  async function findByKey(requestKey: RequestKey): Promise<Auction | undefined> {
    const [made] = await store.findAuctions({ keys: [requestKey] })
    return made && (await store.findAuction(made.auction.id)) // With its description.
  }

  return async (fields, retry, arrivedAtMs) => {
    requireChecked(fields, 'a new auction', 'parseNewAuction')
    const atMs = arrivalOf(arrivedAtMs, clock)
    const key = retry === undefined ? undefined : requestKeyOf('create-auction', retry)
    return withinDeadline(limit, (progress) => create(fields, key, atMs, progress), observer?.onDeadline)
  }
}

const replay = (made: Auction, fields: NewAuction): CreateAuctionResult =>
  isSameRequest(made, fields) ? repeated(made) : refused({ code: 'idempotency-key-reused' })

/** What an auction, or a sale, copies of its register. */
export async function admittingOf(
  findRegister: CreateAuctionParts['findRegister'],
  { registerId, currency }: Pick<NewAuction, 'registerId' | 'currency'>,
): Promise<Result<Pick<NewAuction, 'registerAdmits'>, ValidationFailed>> {
  if (registerId === undefined) return accepted({})
  const register = await findRegister(registerId)
  const isSame = register !== undefined && isSameCurrency(register.currency, currency)
  if (isSame) return accepted({ registerAdmits: register.admits })
  const message =
    register === undefined
      ? 'must be the id of a register'
      : `must be a register with the same currency; that of this one is ${register.currency.code}`
  return refused(validationFailed({ pointer: '/registerId', message }))
}
