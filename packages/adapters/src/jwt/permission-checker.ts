import { InvalidValueError } from '@auction/domain/invalid-value'
import type { Permission, PermissionChecker } from '@auction/domain/permissions'

/** The claims of a token whose signature and lifetime have been checked. */
export type Claims = Readonly<Record<string, unknown>>

export type JwtPermissions = {
  /**
   * The claims that carry permissions: by name, or where one lies within another by a JSON Pointer (RFC 6901), such as
   * `/realm_access/roles`.
   */
  readonly claims: readonly string[]
  /** What a token says to hold each permission; `undefined` where a permission asks for no more than a valid token. */
  readonly values: Readonly<Record<Permission, string | undefined>>
}

/**
 * The names that lead to a claim, from the outermost: one where it is given by its name.
 * @throws InvalidValueError when it begins with a slash and is no JSON Pointer
 */
export function claimPath(claim: string): readonly string[] {
  if (!claim.startsWith('/')) return [claim]
  if (/~(?![01])/.test(claim)) {
    throw new InvalidValueError('a claim that begins with / must be a JSON Pointer: ~ stands before 0 or 1 there')
  }
  const unescaped = (name: string) => name.replaceAll('~1', '/').replaceAll('~0', '~')
  return claim.slice(1).split('/').map(unescaped)
}

/**
 * Reads permissions from claims that are an array of strings, or a string of values with a space between them, as `scope` is
 * (RFC 8693, section 4.2). Values are compared whole and to the letter; a claim of any other form grants nothing.
 * @throws InvalidValueError when the value of a permission is empty, which the gap between two spaces would match; or as `claimPath`.
 */
export function createJwtPermissionChecker({ claims, values }: JwtPermissions): PermissionChecker<Claims> {
  for (const [permission, value] of Object.entries(values)) {
    if (value === '') throw new InvalidValueError(`the value of the permission ${permission} must not be empty`)
  }
  const paths = claims.map(claimPath)
  return {
    allows(caller, permission) {
      // A permission that nobody thought of is not one that was opened to every caller.
      if (!Object.hasOwn(values, permission)) return false
      const value = values[permission]
      return value === undefined || paths.some((path) => grants(path.reduce<unknown>(memberOf, caller), value))
    },
  }
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name))
    return undefined
  // The cast: it is an object with this member.
  return (value as Claims)[name]
}

function grants(claim: unknown, value: string): boolean {
  if (typeof claim === 'string') return claim.split(' ').includes(value)
  return Array.isArray(claim) && claim.includes(value)
}
