import { type Claims, claimAt, claimPath, createJwtPermissionChecker } from '@auction/adapters/jwt'
import type { Claims as AdmissionClaims } from '@auction/domain'
import { UserId } from '@auction/domain/ids'
import { NonNegativeDecimal } from '@auction/domain/money'
import { defined, parseRegisterId } from '@auction/domain/parsing'
import { type CallerClaims, InvalidTokenError, tokenMessages } from '@auction/host/security'
import * as v from 'valibot'
import type { Configuration } from '../../configuration/configuration.ts'
import { isOfStaff, type Permission, permissions } from '../../configuration/permissions.ts'

/**
 * Returns a function that reads the permissions and the user of a token. It throws an InvalidTokenError if the user is
 * ambiguous.
 */
export function createClaimsReader({
  tokens: { permissionClaims, subjectClaim, admissionClaim },
  permissionValues,
}: Pick<Configuration, 'tokens' | 'permissionValues'>): (claims: Claims) => CallerClaims {
  const checker = createJwtPermissionChecker({ claims: permissionClaims, values: permissionValues })
  const subjectPath = subjectClaim === undefined ? undefined : claimPath(subjectClaim)
  const admissionPath = admissionClaim === undefined ? undefined : claimPath(admissionClaim)
  return (claims) => ({
    permissions: new Set(permissions.filter((permission) => checker.allows(claims, permission))),
    userId: subjectPath && userIn(claimAt(subjectPath, claims)),
    admissions: admissionPath && admissionsIn(claimAt(admissionPath, claims)),
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

/** Callers stay in memory by the length of their tokens, and a map of many registers takes several times as much. */
const maxRegisters = 100

const Admissions = v.record(v.string(), v.unknown())
const Admitted = v.object({ limit: v.exactOptional(NonNegativeDecimal) })

const invalidForAll: AdmissionClaims = { get: () => 'invalid' }

/** The registers that the claim names, up to 100. What is not of its form may have been to limit the user. */
function admissionsIn(claim: unknown): AdmissionClaims | undefined {
  if (claim === undefined) return undefined
  const { success, output } = v.safeParse(Admissions, claim)
  if (!success || Object.keys(output).length > maxRegisters) return invalidForAll
  const admitted = Object.entries(output).flatMap(([name, value]) => {
    const id = parseRegisterId(name)
    const parsed = v.safeParse(Admitted, value)
    return id.ok ? [[id.value, parsed.success ? parsed.output : 'invalid'] as const] : []
  })
  return new Map(admitted)
}

type TrialToken = {
  readonly subject: string
  /** Defaults to all that are of use, except those of staff. A permission without a configured value is not granted. */
  readonly permissions?: readonly Permission[] | undefined
  /** The user that the token identifies, if callers are bound to users. */
  readonly user: number
}

const trialPermissions: readonly Permission[] = permissions.filter((name) => !isOfStaff(name))
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
