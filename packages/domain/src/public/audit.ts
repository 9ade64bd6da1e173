// `@auction/domain/audit`: whether the rules of this version give recorded entries again.

export { createRegisterHistories, type RegisterHistories } from '../use-cases/register-histories.ts'
export { verifyAuction } from '../use-cases/verify-auction.ts'
export type { LedgerDifference, Verification } from '../use-cases/verify-ledger.ts'
export { listDirectory, verifyDirectory } from '../use-cases/verify-listed.ts'
export { verifyRegister } from '../use-cases/verify-register.ts'
export { readLots, type SaleVerification, verifySale } from '../use-cases/verify-sale.ts'
