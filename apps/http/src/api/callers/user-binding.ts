import { claimAt, claimPath, createJwtPermissionChecker, permissions } from '@auction/adapters/jwt'
import { UserId } from '@auction/domain/ids'
import { accepted, type Result, refused } from '@auction/domain/result'
import * as v from 'valibot'
import type { Configuration } from '../../configuration/configuration.ts'
import type { Problem } from '../../host/answers/problem.ts'
import type { Caller, CallerClaims } from '../../host/security/callers.ts'
import { InvalidTokenError, tokenMessages } from '../../host/security/token-errors.ts'
import type { Claims } from '../../host/security/token-verifier.ts'

/** Returns the user that the caller is bound to, if any, or the problem of a caller that may not act for the user in a field. */
export type RequesterOf = (
  caller: Caller,
  user?: { readonly field: 'ownerId' | 'bidderId' | 'buyerId'; readonly id: number },
) => Result<UserId | undefined, Problem>

/** Binds callers to the users that their tokens identify. Unless this is configured, a caller may act for any user. */
export function createUserBinding({ tokens: { subjectClaim } }: Pick<Configuration, 'tokens'>): RequesterOf {
  if (subjectClaim === undefined) return () => accepted(undefined)
  return ({ userId }, user) => {
    if (userId !== undefined && (user === undefined || user.id === userId)) return accepted(userId)
    const message =
      userId === undefined
        ? `This token identifies no user; its claim "${subjectClaim}" must be a user id.`
        : `This token identifies another user; ${user?.field} must equal its claim "${subjectClaim}".`
    // Another scope would not help, so the response does not ask for one.
    return refused({ code: 'forbidden', message })
  }
}

/** Returns a function that reads the permissions and the user of a token. It throws an InvalidTokenError if the user is ambiguous. */
export function createClaimsReader({
  tokens: { permissionClaims, subjectClaim },
  permissionValues,
}: Pick<Configuration, 'tokens' | 'permissionValues'>): (claims: Claims) => CallerClaims {
  const checker = createJwtPermissionChecker({ claims: permissionClaims, values: permissionValues })
  const subjectPath = subjectClaim === undefined ? undefined : claimPath(subjectClaim)
  return (claims) => ({
    permissions: new Set(permissions.filter((permission) => checker.allows(claims, permission))),
    userId: subjectPath && userIn(claimAt(subjectPath, claims)),
  })
}

/** The claim may be a number or a string of digits, without leading zeros. */
function userIn(claim: unknown): UserId | undefined {
  // JSON.parse rounds integers above 2^53, so such an id could be another user's.
  if (typeof claim === 'number' && !Number.isSafeInteger(claim)) throw new InvalidTokenError(tokenMessages.subject)
  const isId = typeof claim === 'number' || (typeof claim === 'string' && /^[1-9]\d*$/.test(claim))
  const { success, output } = v.safeParse(UserId, isId ? Number(claim) : undefined)
  return success ? output : undefined
}
