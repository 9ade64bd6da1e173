import { parseCancellation } from '../auction/commands.ts'
import type { Clock } from '../clock.ts'
import { arrivalOf } from '../ledger/lanes.ts'
import type { Overloaded } from '../ledger/pending-command.ts'
import type { SafeObserver } from '../observer.ts'
import type { Sale } from '../sale/events.ts'
import type { LotsCancellation } from '../sale/fields.ts'
import type { LotLists } from '../sale/lot-list.ts'
import type { SaleNotFound } from '../sale/sale-ledger.ts'
import { isStoreUnavailable } from '../store/errors.ts'
import type { TimeLimit } from '../time-limit.ts'
import { type Checked, requireChecked } from '../values/checked.ts'
import { digestOf } from '../values/digest.ts'
import { inGroups } from '../values/groups.ts'
import type { AuctionId, SaleId } from '../values/ids.ts'
import type { RetryKey } from '../values/request-key.ts'
import { accepted, type Result, refused, unwrap } from '../values/result.ts'
import type { CancelAuction, CancelAuctionRefusal } from './cancel-auction.ts'
import { requireId, requireObject } from './check-arguments.ts'
import { withinDeadline } from './within-deadline.ts'

export type CancelLotsRequest = { readonly saleId: SaleId; readonly cancellation: Checked<LotsCancellation> }

/** The outcome for one lot. The auction is undefined if the sale has no such lot. */
export type LotCancelled = {
  readonly lot: string
  readonly auctionId: AuctionId | undefined
  readonly outcome:
    | 'cancelled'
    | 'lot-not-found'
    /** Its auction is not stored yet. */
    | 'lot-unfinished'
    | Exclude<CancelAuctionRefusal['code'], 'auction-not-found'>
    | 'store-unavailable'
}
export type LotsCancelled = { readonly sale: Sale; readonly lots: readonly LotCancelled[] }

/** Cancels lots, even after bids, each by its own ledger. A cancelled lot stays as it is, and keeps its number. */
export type CancelLots = (
  request: CancelLotsRequest,
  retry?: RetryKey,
  arrivedAtMs?: number,
) => Promise<Result<LotsCancelled, SaleNotFound | Overloaded>>

type CancelLotsParts = {
  readonly lists: Pick<LotLists, 'current'>
  readonly cancelAuction: CancelAuction
  readonly clock: Clock
  /** The limit from request to response. */
  readonly limit: TimeLimit
  readonly observer?: SafeObserver | undefined
}

/** The lots that are cancelled at the same time. */
const maxAtOnce = 25

/**
 * Cancels up to 100 lots of a sale. Only staff may do so, which the caller checks.
 * @throws InvalidValueError that names an invalid arrival, id or cancellation; nothing was changed
 * @throws StoreUnavailableError whose `outcome` states whether lots may be cancelled
 */
export function cancelLotsUseCase({ lists, cancelAuction, clock, limit, observer }: CancelLotsParts): CancelLots {
  return async (request, retry, arrivedAtMs) => {
    requireObject(request, 'a cancellation of lots')
    const { saleId, cancellation } = request
    requireId(saleId, 'saleId of a cancellation of lots')
    requireChecked(cancellation, 'a cancellation of lots', 'parseLotsCancellation')
    const atMs = arrivalOf(arrivedAtMs, clock)
    const ofAuction = unwrap(parseCancellation({ reason: cancellation.reason }))

    async function cancel(lot: string, auctionId: AuctionId | undefined): Promise<LotCancelled> {
      if (auctionId === undefined) return { lot, auctionId, outcome: 'lot-not-found' }
      // The key of the request may be as long as a key can be.
      const ofLot = retry && { caller: retry.caller, key: `${digestOf(retry.key)}/${lot}` }
      const asked = { auctionId, cancellation: ofAuction, mayForce: true, seesPrivate: true }
      try {
        const cancelled = await cancelAuction(asked, ofLot, atMs)
        if (cancelled.ok) return { lot, auctionId, outcome: 'cancelled' }
        const { code } = cancelled.refusal
        return { lot, auctionId, outcome: code === 'auction-not-found' ? 'lot-unfinished' : code }
      } catch (error) {
        if (!isStoreUnavailable(error)) throw error
        return { lot, auctionId, outcome: 'store-unavailable' }
      }
    }

    return withinDeadline(
      limit,
      async ({ submitting }) => {
        const list = await lists.current(saleId)
        const { sale } = list ?? {}
        if (list === undefined || sale === undefined) return refused({ code: 'sale-not-found', saleId })
        const lots: LotCancelled[] = []
        for (const group of inGroups(cancellation.lots, maxAtOnce)) {
          submitting()
          lots.push(...(await Promise.all(group.map((lot) => cancel(lot, list.find(lot)?.auctionId)))))
        }
        return accepted({ sale, lots })
      },
      observer?.onDeadline,
    )
  }
}
