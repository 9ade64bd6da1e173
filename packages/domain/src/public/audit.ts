// `@auction/domain/audit`: whether the rules of this version give recorded entries again.

export { type LedgerDifference, type Verification, verifyAuction } from '../use-cases/verify-auction.ts'
