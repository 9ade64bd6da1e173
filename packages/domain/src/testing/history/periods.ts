import type { AuctionStatus } from '../../auction/status.ts'
import { isCancelled, type LedgerState } from './timeline.ts'

type Period = readonly [firstMs: number, lastMs: number]

const always: Period = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
const never: Period = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]

/** Since when and until when an auction whose ledger is in a state has a status. */
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
