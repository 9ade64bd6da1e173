import { claimPath, type Permission, permissions } from '@auction/adapters/jwt'
import type { Configuration } from '../../configuration/configuration.ts'

export type TrialToken = {
  readonly subject: string
  /** Defaults to `trialPermissions`. A permission without a configured value is not granted. */
  readonly permissions?: readonly Permission[] | undefined
  /** The user that the token identifies, if callers are bound to users. */
  readonly user: number
}

/** The permissions of staff, who see and change what others may not. */
const staffPermissions: readonly Permission[] = [
  'Auctions.Cancel.Any',
  'Auctions.Update',
  'Auctions.Reserve.Read',
  'Bidders.Read',
]

const trialPermissions: readonly Permission[] = permissions.filter((name) => !staffPermissions.includes(name))

export function trialClaims({ tokens, permissionValues }: Configuration, token: TrialToken): Record<string, unknown> {
  const { issuer, audience, permissionClaims, subjectClaim } = tokens
  const { subject, permissions: granted = trialPermissions, user } = token
  const values = granted.map((name) => permissionValues[name]).filter((value) => value !== undefined)
  return {
    sub: subject,
    ...(issuer !== undefined && { iss: issuer }),
    ...(audience !== undefined && { aud: audience }),
    ...claimHolding(permissionClaims[0] ?? 'permissions', values),
    ...(subjectClaim !== undefined && { [subjectClaim]: String(user) }),
  }
}

/** An object with the values at the claim's name or path. */
const claimHolding = (claim: string, values: readonly string[]): object =>
  // The cast: a path has at least one name, so the result is an object.
  claimPath(claim).reduceRight<unknown>((inner, name) => ({ [name]: inner }), values) as object
