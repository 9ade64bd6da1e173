import { claimAt, claimPath, createJwtPermissionChecker, type Permission, permissions } from '@auction/adapters/jwt'
import { UserId } from '@auction/domain/ids'
import { accepted, type Result, refused } from '@auction/domain/result'
import type { HostProblem } from '@auction/host/answers'
import { type Caller, type CallerClaims, type Claims, InvalidTokenError, tokenMessages } from '@auction/host/security'
import * as v from 'valibot'
import type { Configuration } from '../../configuration/configuration.ts'

export type UserBinding = ReturnType<typeof createUserBinding>

/** A caller that may not do this. Another scope would not help, so the response does not ask for one. */
export type Forbidden = HostProblem & { readonly code: 'forbidden' }

/** Who changes an auction, for the ledger: staff need no user. */
export const editorOf = ({ userId, storedAs }: Caller): string => (userId === undefined ? storedAs : String(userId))

/** The refusal of what only owners may do without a permission, if the service does not know them. */
export const ownerUnknownFor = (what: string, permission: Permission): Forbidden => ({
  code: 'forbidden',
  message: `This service does not bind callers to users, so it does not know the owners; ${what} needs the permission ${permission}.`,
})

/** Binds callers to the users that their tokens identify. Unless this is configured, a caller may act for any user. */
export function createUserBinding({ tokens: { subjectClaim } }: Pick<Configuration, 'tokens'>) {
  const identifiesNone: Forbidden = {
    code: 'forbidden',
    message: `This token identifies no user; its claim "${subjectClaim}" must be a user id.`,
  }
  return {
    /** Returns the user that the caller is bound to, if callers are bound. */
    requesterOf: ({ userId }: Caller): Result<UserId | undefined, Forbidden> =>
      userId === undefined && subjectClaim !== undefined ? refused(identifiesNone) : accepted(userId),
    /** Returns the refusal of a caller that may not act for the user in a field of the body, if it may not. */
    refusalIfNotUser({ userId }: Caller, field: 'ownerId' | 'bidderId' | 'buyerId', id: UserId): Forbidden | undefined {
      if (subjectClaim === undefined || userId === id) return undefined
      if (userId === undefined) return identifiesNone
      const message = `This token identifies another user; ${field} must equal its claim "${subjectClaim}".`
      return { code: 'forbidden', message }
    },
  }
}

/**
 * Returns a function that reads the permissions and the user of a token. It throws an InvalidTokenError if the user is
 * ambiguous.
 */
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
