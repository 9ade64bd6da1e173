import { InvalidValueError } from '@auction/domain/invalid-value'
import type { Permission, PermissionChecker } from '@auction/domain/permissions'

/** The claims of a token whose signature and lifetime have been checked. */
export type Claims = Readonly<Record<string, unknown>>

export type JwtPermissions = {
  /** The names of the claims that carry permissions. */
  readonly claims: readonly string[]
  /** What a token says to hold each permission; `undefined` where a permission asks for no more than a valid token. */
  readonly values: Readonly<Record<Permission, string | undefined>>
}

/**
 * Reads permissions from claims that are an array of strings, or a string of values with a space between them, as `scope` is
 * (RFC 8693, section 4.2). Values are compared whole and to the letter; a claim of any other form grants nothing.
 * @throws InvalidValueError when the value of a permission is empty, which the gap between two spaces would match.
 */
export function createJwtPermissionChecker({ claims, values }: JwtPermissions): PermissionChecker<Claims> {
  for (const [permission, value] of Object.entries(values)) {
    if (value === '') throw new InvalidValueError(`the value of the permission ${permission} must not be empty`)
  }
  return {
    allows(caller, permission) {
      // A permission that nobody thought of is not one that was opened to every caller.
      if (!Object.hasOwn(values, permission)) return false
      const value = values[permission]
      return value === undefined || claims.some((name) => Object.hasOwn(caller, name) && grants(caller[name], value))
    },
  }
}

function grants(claim: unknown, value: string): boolean {
  if (typeof claim === 'string') return claim.split(' ').includes(value)
  return Array.isArray(claim) && claim.includes(value)
}
