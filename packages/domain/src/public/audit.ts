// `@auction/domain/audit`: what the rules make of recorded requests, in this version and under other terms.

export {
  type Assumption,
  type Price,
  type PriceStep,
  type Recomputation,
  recomputeAuction,
} from '../use-cases/recompute-auction.ts'
export { type LedgerDifference, type Verification, verifyAuction } from '../use-cases/verify-auction.ts'
