export {
  type Admission,
  type Caller,
  type CallerClaims,
  callerOf,
  createAdmission,
  createCallerIdentification,
  isAnonymous,
} from './security/callers.ts'
export { createRateLimits, type RateLimit } from './security/rate-limit.ts'
export { InvalidTokenError, tokenMessages } from './security/token-errors.ts'
export { type Claims, createTokenVerifier, signToken, type TokenKey } from './security/token-verifier.ts'
export { createPeerAddress, type TrustedProxies, trustProxyOption } from './server/requests.ts'
