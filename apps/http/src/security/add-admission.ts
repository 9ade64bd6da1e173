import { createJwtPermissionChecker } from '@auction/adapters/jwt'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Configuration, TokenKey } from '../configuration/configuration.ts'
import { type Admission, createAdmission } from './admission.ts'
import { createCallerIdentification } from './callers.ts'
import { createIdentify } from './identity.ts'
import { createRateLimit } from './rate-limit/rate-limit.ts'
import { addCallerToRequests } from './request-caller.ts'
import { createTokenVerifier } from './token-verifier.ts'
import { createUserReader } from './user-binding.ts'

/** Fits a server out to know its callers: by which tokens, with which permissions, and how often they may ask. */
export async function addAdmission(
  app: FastifyInstance,
  { tokenKey, tokens, permissionValues, rateLimit: limits }: Configuration & { readonly tokenKey: TokenKey },
  logger: Logger,
): Promise<Admission> {
  addCallerToRequests(app)
  const verifyToken = await createTokenVerifier(app, tokenKey, tokens, logger)
  const checker = createJwtPermissionChecker({ claims: tokens.permissionClaims, values: permissionValues })
  const callers = createCallerIdentification(verifyToken, checker, createUserReader(tokens))
  const rateLimit = await createRateLimit(app, limits, logger)
  return createAdmission(createIdentify(callers, rateLimit), rateLimit, permissionValues)
}
