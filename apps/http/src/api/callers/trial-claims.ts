import { type Claims, claimAt, claimPath, type Permission, permissions } from '@auction/adapters/jwt'
import { defined } from '@auction/domain/parsing'
import type { Configuration } from '../../configuration/configuration.ts'

type TrialToken = {
  readonly subject: string
  /** Defaults to all that are of use, except those of staff. A permission without a configured value is not granted. */
  readonly permissions?: readonly Permission[] | undefined
  /** The user that the token identifies, if callers are bound to users. */
  readonly user: number
}

/** The permissions of staff, who see and change what others may not. */
const staffPermissions: readonly Permission[] = [
  'Auctions.Cancel.Any',
  'Auctions.Update.Any',
  'Auctions.Manage',
  'Auctions.Reserve.Read',
  'Bidders.Read',
]

const trialPermissions: readonly Permission[] = permissions.filter((name) => !staffPermissions.includes(name))
/** Owners are known only if callers are bound to users. */
const unboundPermissions = trialPermissions.filter((name) => name !== 'Auctions.Update')

export function trialClaims({ tokens, permissionValues }: Configuration, token: TrialToken): Claims {
  const { issuer, audience, permissionClaims, subjectClaim } = tokens
  const usual = subjectClaim === undefined ? unboundPermissions : trialPermissions
  const { subject, permissions: granted = usual, user } = token
  const values = granted.map((name) => permissionValues[name]).filter((value) => value !== undefined)
  const claims = defined({ sub: subject, iss: issuer, aud: audience })
  const granting = withClaim(claims, claimPath(permissionClaims[0] ?? 'permissions'), values)
  return subjectClaim === undefined ? granting : withClaim(granting, claimPath(subjectClaim), String(user))
}

/** The claims with a value at a path. */
function withClaim(claims: Claims, [name = '', ...rest]: readonly string[], value: unknown): Claims {
  // Two of the paths may begin with the same names.
  const outer = claimAt([name], claims)
  const inner = typeof outer === 'object' && !Array.isArray(outer) ? { ...outer } : {}
  return { ...claims, [name]: rest.length === 0 ? value : withClaim(inner, rest, value) }
}
