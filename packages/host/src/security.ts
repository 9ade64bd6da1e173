export { type Admission, createAdmission } from './security/admission.ts'
export {
  type Caller,
  type CallerClaims,
  callerOf,
  createCallerIdentification,
  isAnonymous,
} from './security/callers.ts'
export { createPeerAddress, type TrustedProxies, trustProxyOption } from './security/client-address.ts'
export { createRateLimits, type RateLimit } from './security/rate-limit.ts'
export { InvalidTokenError, tokenMessages } from './security/token-errors.ts'
export { type Claims, createTokenVerifier, signToken, type TokenKey } from './security/token-verifier.ts'
