// `@auction/domain/audit`: whether this version gives a ledger again.

export { type LedgerDifference, type Verification, verifyAuction } from '../use-cases/verify-auction.ts'
