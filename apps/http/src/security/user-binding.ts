import type { Permission } from '@auction/domain/permissions'
import type { Problem } from '../answers/problem.ts'
import type { Configuration } from '../configuration/configuration.ts'
import type { Caller } from './callers.ts'
import { forbidden } from './forbidden.ts'

/** A user in whose name a caller acts, with the field that says so. */
type ActingUser = { readonly field: 'ownerId' | 'bidderId'; readonly id: number }

/** Says why a caller may not act for a user, or undefined when it may. */
export type RefuseOtherUser = (caller: Caller, user: ActingUser, permission: Permission) => Problem | undefined

/** Binds callers to the user that a claim of their token names; without such a claim configured, they may act for anybody. */
export function createUserBinding({ tokens, permissionValues }: Configuration): RefuseOtherUser {
  const { subjectClaim } = tokens
  if (subjectClaim === undefined) return () => undefined
  return ({ claims }, { field, id }, permission) => {
    const claim = Object.hasOwn(claims, subjectClaim) ? claims[subjectClaim] : undefined
    const isOne = typeof claim === 'string' || typeof claim === 'number'
    if (isOne && String(claim) === String(id)) return undefined
    const message = `This token acts for another user; ${field} must be what its claim "${subjectClaim}" says.`
    return forbidden(permissionValues[permission], message)
  }
}
