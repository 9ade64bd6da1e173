import { pastEndError } from '../auction/rules.ts'
import type { Clock } from '../clock.ts'
import { arrivalOf } from '../ledger/lanes.ts'
import type { LaneRefusal } from '../ledger/pending-command.ts'
import type { SafeObserver } from '../observer.ts'
import type { Register } from '../register/events.ts'
import { type Sale, type SaleFields, type SaleListed, saleIn } from '../sale/events.ts'
import type { NewSale } from '../sale/fields.ts'
import type { SaleLanes } from '../sale/sale-ledger.ts'
import type { TimeLimit } from '../time-limit.ts'
import { type Checked, requireChecked } from '../values/checked.ts'
import { type RegisterId, toSaleId } from '../values/ids.ts'
import { type RetryKey, requestKeyOf } from '../values/request-key.ts'
import { type Result, refused } from '../values/result.ts'
import { type ValidationFailed, validationFailed } from '../values/validation.ts'
import { requireEditor, requireObject } from './check-arguments.ts'
import { admittingOf } from './create-auction.ts'
import { createListed, type ListingParts } from './listed.ts'
import { withinDeadline } from './within-deadline.ts'

export type CreateSaleRequest = {
  readonly sale: Checked<NewSale>
  /** Who creates it: 1 to 100 characters, stored with it. */
  readonly editor: string
}
/** Returns the sale. The same `retry` creates it once. */
export type CreateSale = (
  request: CreateSaleRequest,
  retry?: RetryKey,
  arrivedAtMs?: number,
) => Promise<Result<Sale, ValidationFailed | LaneRefusal>>

type CreateSaleParts = ListingParts<SaleListed> & {
  readonly lanes: Pick<SaleLanes, 'remember' | 'submit'>
  readonly findRegister: (id: RegisterId) => Promise<Register | undefined>
  readonly clock: Clock
  /** The limit from request to response. */
  readonly limit: TimeLimit
  readonly observer?: SafeObserver | undefined
}

/**
 * Creates sales: a returned sale is stored.
 * @throws InvalidValueError that names an invalid arrival, sale or editor; nothing was changed
 * @throws StoreUnavailableError whose `outcome` states whether the sale may be stored
 */
export function createSaleUseCase(parts: CreateSaleParts): CreateSale {
  const { lanes, clock, limit, observer, findRegister } = parts
  return async (request, retry, arrivedAtMs) => {
    requireObject(request, 'a new sale')
    const { sale, editor } = request
    requireChecked(sale, 'a new sale', 'parseNewSale')
    requireEditor(editor, 'a new sale')
    const key = retry === undefined ? undefined : requestKeyOf('create-sale', retry)
    const atMs = arrivalOf(arrivedAtMs, clock)
    return withinDeadline(
      limit,
      async ({ submitting }) => {
        const admitting = await admittingOf(findRegister, sale)
        if (!admitting.ok) return admitting
        const ofDefaults = await admittingOf(findRegister, {
          ...JSON.parse(sale.lotDefaults ?? '{}'),
          currency: sale.currency,
        })
        if (!ofDefaults.ok) return refused(inDefaults(ofDefaults.refusal))
        const fields: SaleFields = { ...sale, ...admitting.value }
        const line = (id: number, createdAtMs: number): SaleListed => {
          return { type: 'sale-listed', id: toSaleId(id), createdAtMs, fields, editor }
        }
        const late = pastEndError(sale.firstEndTime, atMs)
        const refusalIfNew = late && validationFailed({ ...late, pointer: '/firstEndTime' })
        const created = await createListed(
          parts,
          line,
          (id) => {
            lanes.remember({ id })
            return lanes.submit(id, { type: 'create', sale: fields, editor }, undefined, atMs)
          },
          { key, atMs, submitting, refusalIfNew },
        )
        return created.ok ? { ...created, value: saleIn(created.value) } : created
      },
      observer?.onDeadline,
    )
  }
}

const inDefaults = ({ errors, ...refusal }: ValidationFailed): ValidationFailed => ({
  ...refusal,
  errors: errors.map(({ pointer, message }) => ({ pointer: `/lotDefaults${pointer}`, message })),
})
