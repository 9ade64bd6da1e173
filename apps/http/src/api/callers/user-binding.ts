import type { Permission } from '@auction/adapters/jwt'
import { UserId } from '@auction/domain/ids'
import { accepted, type Result, refused } from '@auction/domain/result'
import * as v from 'valibot'
import type { Configuration } from '../../configuration/configuration.ts'
import type { Problem } from '../../host/answers/problem.ts'
import type { Caller } from '../../host/security/caller.ts'
import { forbidden } from '../../host/security/forbidden.ts'
import type { Claims } from '../../host/security/token-verifier.ts'

/** The user of a request, with the field that contains the id. */
type ActingUser = { readonly field: 'ownerId' | 'bidderId' | 'buyerId'; readonly id: number }

/** Binds callers to the users that their tokens identify. Unless this is configured, a caller may act for any user. */
export type UserBinding = {
  /** The problem of a caller that may not act for a user; undefined if it may. */
  refuseOtherUser(caller: Caller, user: ActingUser, permission: Permission): Problem | undefined
  /** The user that the caller is bound to; undefined if callers are not bound. */
  requesterOf(caller: Caller, permission: Permission): Result<UserId | undefined, Problem>
}

export function createUserBinding({
  tokens: { subjectClaim },
  permissionValues,
}: Pick<Configuration, 'tokens' | 'permissionValues'>): UserBinding {
  if (subjectClaim === undefined) {
    return { refuseOtherUser: () => undefined, requesterOf: () => accepted(undefined) }
  }
  return {
    refuseOtherUser({ userId }, { field, id }, permission) {
      if (userId === id) return undefined
      const message =
        userId === undefined
          ? `This token identifies no user; its claim "${subjectClaim}" must be a user id.`
          : `This token identifies another user; ${field} must equal its claim "${subjectClaim}".`
      return forbidden(permissionValues[permission], message)
    },
    requesterOf({ userId }, permission) {
      if (userId !== undefined) return accepted(userId)
      const message = `This token identifies no user; its claim "${subjectClaim}" must be a user id.`
      return refused(forbidden(permissionValues[permission], message))
    },
  }
}

/** Reads the user from the claims. Returns undefined if callers are not bound to users, or the claim is not a user id. */
export function createUserReader({ subjectClaim }: Configuration['tokens']): (claims: Claims) => UserId | undefined {
  if (subjectClaim === undefined) return () => undefined
  return (claims) => {
    const claim = Object.hasOwn(claims, subjectClaim) ? claims[subjectClaim] : undefined
    // The claim may be a number or a string of digits, without leading zeros.
    const isId = typeof claim === 'number' || (typeof claim === 'string' && /^[1-9]\d*$/.test(claim))
    const id = v.safeParse(UserId, isId ? Number(claim) : undefined)
    return id.success ? id.output : undefined
  }
}
