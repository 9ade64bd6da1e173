import type { Permission } from '@auction/adapters/jwt'

/** The permissions that an operation requires of a token. */
export type Requirement = {
  readonly names: readonly Permission[]
  /** Whether all of them are required, or one. */
  readonly conjunction: 'and' | 'or'
  /** Returns a required permission that is not granted; undefined if the requirement is met. */
  readonly missingIn: (granted: ReadonlySet<string>) => Permission | undefined
}

export const allOf = (...names: readonly Permission[]): Requirement => ({
  names,
  conjunction: 'and',
  missingIn(granted) {
    for (const name of names) if (!granted.has(name)) return name
    return undefined
  },
})

/** The first is reported as missing if none is granted. */
export const anyOf = (...names: readonly Permission[]): Requirement => ({
  names,
  conjunction: 'or',
  missingIn(granted) {
    for (const name of names) if (granted.has(name)) return undefined
    return names[0]
  },
})
