import { createJwtPermissionChecker, permissions } from '@auction/adapters/jwt'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Configuration, TokenKey } from '../../configuration/configuration.ts'
import { type Admission, createAdmission } from '../../host/security/admission.ts'
import { addCallerToRequests, createCallerIdentification } from '../../host/security/callers.ts'
import type { RateLimits } from '../../host/security/rate-limit/rate-limit.ts'
import { createTokenVerifier } from '../../host/security/token-verifier.ts'
import { createUserReader } from './user-binding.ts'

export async function addAdmission(
  app: FastifyInstance,
  { tokenKey, tokens, permissionValues }: Configuration & { readonly tokenKey: TokenKey },
  limits: RateLimits,
  logger: Logger,
): Promise<Admission> {
  addCallerToRequests(app)
  const verifyToken = await createTokenVerifier(app, tokenKey, tokens, logger)
  const checker = createJwtPermissionChecker({ claims: tokens.permissionClaims, values: permissionValues })
  const userOf = createUserReader(tokens)
  const callers = createCallerIdentification(verifyToken, (claims) => ({
    permissions: new Set(permissions.filter((permission) => checker.allows(claims, permission))),
    userId: userOf(claims),
  }))
  return createAdmission(callers, limits, permissionValues)
}
