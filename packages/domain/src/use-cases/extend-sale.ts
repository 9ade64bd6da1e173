import type { Clock } from '../clock.ts'
import { arrivalOf } from '../ledger/lanes.ts'
import type { Overloaded } from '../ledger/pending-command.ts'
import type { SafeObserver } from '../observer.ts'
import type { Sale } from '../sale/events.ts'
import type { SaleExtension } from '../sale/fields.ts'
import type { LotLists } from '../sale/lot-list.ts'
import type { ExtensionRefusal, SaleLanes } from '../sale/sale-ledger.ts'
import { StoreUnavailableError } from '../store/errors.ts'
import type { Store } from '../store/store.ts'
import type { TimeLimit } from '../time-limit.ts'
import { type Checked, requireChecked } from '../values/checked.ts'
import { inGroups } from '../values/groups.ts'
import { ledgerIdOf, type SaleId } from '../values/ids.ts'
import { type RetryKey, requestKeyOf } from '../values/request-key.ts'
import { type Result, refused } from '../values/result.ts'
import { requireEditor, requireId, requireObject } from './check-arguments.ts'
import { type ExtendLots, type LotExtended, withThrough } from './extend-lots.ts'
import { withinDeadline } from './within-deadline.ts'

export type ExtendSaleRequest = {
  readonly saleId: SaleId
  readonly extension: Checked<SaleExtension>
  /** Who extends: 1 to 100 characters, stored with the extension. */
  readonly editor: string
}
/** The lots by their numbers. */
export type SaleExtended = { readonly sale: Sale; readonly lots: readonly LotExtended[] }
/**
 * Extends every lot without a result, and those that are added later. The key is required: the same request completes
 * an extension, and never adds one.
 */
export type ExtendSale = (
  request: ExtendSaleRequest,
  retry: RetryKey,
  arrivedAtMs?: number,
) => Promise<Result<SaleExtended, ExtensionRefusal | Overloaded>>

type ExtendSaleParts = {
  readonly lanes: Pick<SaleLanes, 'submit'>
  readonly lists: Pick<LotLists, 'current'>
  readonly store: Pick<Store, 'findAuctions'>
  readonly extendLots: ExtendLots
  readonly clock: Clock
  /** The limit from request to response. */
  readonly limit: TimeLimit
  readonly observer?: SafeObserver | undefined
}

/** The lots whose auctions one read finds. */
const lotsPerRead = 100

/**
 * Extends a sale: by one entry of its ledger, and then by one of each lot. Only staff may do so, which the caller
 * checks.
 * @throws InvalidValueError that names an invalid arrival, id, extension or editor; nothing was changed
 * @throws StoreUnavailableError whose `outcome` states whether the extension may be stored
 */
export function extendSaleUseCase(parts: ExtendSaleParts): ExtendSale {
  const { lanes, lists, store, extendLots, clock, limit, observer } = parts
  return async (request, retry, arrivedAtMs) => {
    requireObject(request, 'an extension of a sale')
    const { saleId, extension, editor } = request
    requireId(saleId, 'saleId of an extension of a sale')
    requireChecked(extension, 'an extension of a sale', 'parseSaleExtension')
    requireEditor(editor, 'an extension of a sale')
    const key = requestKeyOf('extend-sale', retry)
    const requestedAtMs = arrivalOf(arrivedAtMs, clock)
    return withinDeadline(
      limit,
      async (progress) => {
        progress.submitting()
        const command = { type: 'extend-sale', ...extension, editor } as const
        const extended = await lanes.submit(ledgerIdOf(saleId), command, key, requestedAtMs)
        if (!extended.ok) return refused(extended.refusal)
        const { sequence, atMs, event } = extended.value
        const list = await lists.current(saleId)
        const { sale } = list ?? {}
        if (list === undefined || sale === undefined)
          throw new StoreUnavailableError(`the store no longer lists sale ${saleId}`)
        // A repetition has the lots of the first request.
        const lots = list.lots.filter((lot) => lot.sequence < sequence)
        const groups = inGroups(lots, lotsPerRead)
        const found = await Promise.all(
          groups.map((group) => store.findAuctions({ ids: group.map(({ auctionId }) => auctionId) }, progress.signal)),
        )
        const stored = new Map(found.flat().map(({ auction }) => [auction.id, auction]))
        const mayHave = extended.isRepeated === true
        const done = await extendLots(
          saleId,
          { ...event, sequence, atMs },
          withThrough(lots, stored),
          progress,
          mayHave,
        )
        const outcomes = new Map(done.map((lot) => [lot.lot, lot]))
        const results = lots.map(({ lot, auctionId }): LotExtended => {
          const endTime = stored.get(auctionId)?.endTime
          if (endTime === undefined) return { lot, auctionId, outcome: 'lot-unfinished' }
          // The end of a lot that was stored after the extension includes it.
          return outcomes.get(lot) ?? { lot, auctionId, outcome: 'extended', endTime }
        })
        return { ...extended, value: { sale, lots: results } }
      },
      observer?.onDeadline,
    )
  }
}
