import { UserId } from '@auction/domain/ids'
import type { Permission } from '@auction/domain/permissions'
import { accepted, type Result, refused } from '@auction/domain/result'
import * as v from 'valibot'
import type { Problem } from '../answers/problem.ts'
import type { Configuration } from '../configuration/configuration.ts'
import type { Caller } from './callers.ts'
import { forbidden } from './forbidden.ts'
import type { Claims } from './token-verifier.ts'

/** A user in whose name a caller acts, with the field that says so. */
type ActingUser = { readonly field: 'ownerId' | 'bidderId' | 'buyerId'; readonly id: number }

/** Holds callers to the users whom their tokens name; where that is not configured, they may act for anybody. */
export type UserBinding = {
  /** Says why a caller may not act for a user, or undefined when it may. */
  refuseOtherUser(caller: Caller, user: ActingUser, permission: Permission): Problem | undefined
  /** The user for whom a caller acts, where it has to be one; undefined where it may be anybody. */
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
          ? `This token acts for no user; its claim "${subjectClaim}" must be the id of one.`
          : `This token acts for another user; ${field} must be what its claim "${subjectClaim}" says.`
      return forbidden(permissionValues[permission], message)
    },
    requesterOf({ userId }, permission) {
      if (userId !== undefined) return accepted(userId)
      const message = `This token acts for no user; its claim "${subjectClaim}" must be the id of one.`
      return refused(forbidden(permissionValues[permission], message))
    },
  }
}

/** Reads the user whom a token names, where callers are bound to users; undefined where they are not, or where it names none. */
export function createUserReader({ subjectClaim }: Configuration['tokens']): (claims: Claims) => UserId | undefined {
  if (subjectClaim === undefined) return () => undefined
  return (claims) => {
    const claim = Object.hasOwn(claims, subjectClaim) ? claims[subjectClaim] : undefined
    // A number and the text of its digits name the same user, and one user is written in one way.
    const isId = typeof claim === 'number' || (typeof claim === 'string' && /^[1-9]\d*$/.test(claim))
    const id = v.safeParse(UserId, isId ? Number(claim) : undefined)
    return id.success ? id.output : undefined
  }
}
