import { InvalidValueError } from '@auction/domain/errors'

/** Checks by the claims of a caller whether it has a permission. By default no permission is granted. */
export type PermissionChecker<Permission extends string> = { allows(caller: Claims, permission: Permission): boolean }

/** The claims of a token whose signature and lifetime have been checked. */
export type Claims = Readonly<Record<string, unknown>>

export type JwtPermissions<Permission extends string> = {
  /**
   * The claims that contain permissions: by name, or for a nested claim by a JSON Pointer (RFC 6901), such as
   * `/realm_access/roles`.
   */
  readonly claims: readonly string[]
  /** The value that grants each permission; `undefined` for a permission that every valid token has. */
  readonly values: Readonly<Record<Permission, string | undefined>>
}

/**
 * The path of names to a claim, from the outermost; a claim given by its name has one.
 * @throws InvalidValueError if it begins with a slash and is not a JSON Pointer
 */
export function claimPath(claim: string): readonly string[] {
  if (!claim.startsWith('/')) return [claim]
  if (/~(?![01])/.test(claim)) {
    throw new InvalidValueError('a claim that begins with / must be a JSON Pointer, where 0 or 1 must follow ~')
  }
  const unescaped = (name: string) => name.replaceAll('~1', '/').replaceAll('~0', '~')
  return claim.slice(1).split('/').map(unescaped)
}

/**
 * Reads permissions from claims that are an array of strings or a string of space-separated values, like `scope` (RFC
 * 8693, section 4.2). Values must match exactly. A claim of any other form grants nothing.
 * @throws InvalidValueError if the value of a permission is empty, which would match between two spaces, and like
 *   `claimPath`
 */
export function createJwtPermissionChecker<Permission extends string>({
  claims,
  values,
}: JwtPermissions<Permission>): PermissionChecker<Permission> {
  for (const [permission, value] of Object.entries<string | undefined>(values)) {
    if (value === '') throw new InvalidValueError(`the value of the permission ${permission} must not be empty`)
  }
  const paths = claims.map(claimPath)
  return {
    allows(caller, permission) {
      // A permission without a requirement in the options is not granted.
      if (!Object.hasOwn(values, permission)) return false
      const value = values[permission]
      return value === undefined || paths.some((path) => grants(claimAt(path, caller), value))
    },
  }
}

/** The claim at a path of names, as `claimPath` returns it; undefined if it is missing. */
export const claimAt = (path: readonly string[], claims: Claims): unknown => path.reduce<unknown>(memberOf, claims)

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
