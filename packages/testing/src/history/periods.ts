import type { AuctionStatus } from '@auction/domain/auction'
import { isCancelled, type LedgerState } from './timeline.ts'

type Period = readonly [firstMs: number, lastMs: number]

const always: Period = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
const never: Period = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]

/** The period in which an auction has a status while its ledger is in a state. */
export function periodOf(startMs: number, state: LedgerState, status: AuctionStatus): Period {
  if (state.isClosed) return status === (isCancelled(state) ? 'Cancelled' : 'Ended') ? always : never
  switch (status) {
    case 'Pending':
      return [Number.NEGATIVE_INFINITY, startMs]
    case 'Active':
      return [startMs, state.endMs]
    case 'Ended':
      return [state.endMs, Number.POSITIVE_INFINITY]
    case 'Cancelled':
      return never
    default:
      return status satisfies never
  }
}
