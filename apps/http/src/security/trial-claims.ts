import { claimPath } from '@auction/adapters/jwt'
import { type Permission, permissions } from '@auction/domain/permissions'
import type { Configuration } from '../configuration/configuration.ts'

export type TrialToken = {
  readonly subject: string
  /** Of which those that have a value are granted; `trialPermissions`, if left out. */
  readonly permissions?: readonly Permission[]
  /** The user to which the token is bound, where tokens are. */
  readonly user: number
}

/** What whoever tries the service out may do, unless told otherwise: all but read what is secret to everybody else. */
export const trialPermissions: readonly Permission[] = permissions.filter((name) => name !== 'Auctions.Reserve.Read')

/** The claims of a token for trying out, which is accepted under this configuration. */
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

/** The claim of a name or a path with this in it, and what it lies in. */
const claimHolding = (claim: string, values: readonly string[]): object =>
  // The cast: there is one name in a path at least, so what is left is an object.
  claimPath(claim).reduceRight<unknown>((inner, name) => ({ [name]: inner }), values) as object
