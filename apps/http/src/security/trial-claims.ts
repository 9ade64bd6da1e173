import { claimPath } from '@auction/adapters/jwt'
import type { Permission } from '@auction/domain/permissions'
import type { Configuration } from '../configuration/configuration.ts'

export type TrialToken = {
  readonly subject: string
  /** All that have a value, if left out. */
  readonly permissions?: readonly Permission[]
  /** The user to which the token is bound, where tokens are. */
  readonly user: number
}

/** The claims of a token for trying out, which is accepted under this configuration. */
export function trialClaims({ tokens, permissionValues }: Configuration, token: TrialToken): Record<string, unknown> {
  const { issuer, audience, permissionClaims, subjectClaim } = tokens
  const { subject, permissions, user } = token
  const granted = Object.entries(permissionValues).filter(([name]) => permissions?.some((one) => one === name) ?? true)
  const values = granted.map(([, value]) => value).filter((value) => value !== undefined)
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
