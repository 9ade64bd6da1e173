import { type Permission, type PermissionChecker, permissions } from '../permissions.ts'
import type { TestRunner } from './runner.ts'
import { type Closable, testsOf } from './subject.ts'

/** A permission checker to be tested, with the callers that only its adapter can make. */
export type PermissionCheckerSubject<Caller> = Closable & {
  readonly checker: PermissionChecker<Caller>
  /** The text that grants each permission, as the checker is configured. No text may grant two, or be another's prefix. */
  readonly grantedBy: Readonly<Record<Permission, string>>
  /** A caller that was granted these texts, and nothing else. */
  readonly callerGranted: (texts: readonly string[]) => Caller
}

/** What every permission checker must do: grant what was granted, and nothing else. */
export function permissionCheckerContract<Caller>(
  runner: TestRunner,
  makeSubject: () => Promise<PermissionCheckerSubject<Caller>>,
): void {
  const { describe, expect } = runner
  const test = testsOf(runner, makeSubject)

  const allowed = (subject: PermissionCheckerSubject<Caller>, texts: readonly string[]): readonly Permission[] => {
    const caller = subject.callerGranted(texts)
    return permissions.filter((permission) => subject.checker.allows(caller, permission))
  }

  describe('a permission checker', () => {
    test('allows nothing by default', async (subject) => {
      expect(allowed(subject, [])).toEqual([])
      expect(allowed(subject, ['something-else'])).toEqual([])
    })

    test('allows each permission to the caller that was granted it, and no other permission', async (subject) => {
      for (const permission of permissions) {
        expect(allowed(subject, [subject.grantedBy[permission]])).toEqual([permission])
        expect(allowed(subject, ['something-else', subject.grantedBy[permission], 'more'])).toEqual([permission])
      }
    })

    test('allows all permissions to the caller that was granted all', async (subject) => {
      expect(allowed(subject, Object.values(subject.grantedBy))).toEqual(permissions)
    })

    test('tells callers apart', async (subject) => {
      const granted = subject.callerGranted([subject.grantedBy['Bids.Create']])
      const other = subject.callerGranted([])
      for (let round = 0; round < 2; round++) {
        expect(subject.checker.allows(granted, 'Bids.Create')).toBe(true)
        expect(subject.checker.allows(other, 'Bids.Create')).toBe(false)
      }
    })

    test('allows nothing for a text that only resembles a grant', async (subject) => {
      for (const permission of permissions) {
        for (const text of resembling(subject.grantedBy[permission])) expect(allowed(subject, [text])).toEqual([])
      }
    })

    test('allows nothing for a wildcard', async (subject) => {
      for (const text of ['*', '**', '.*', '%', ...Object.values(subject.grantedBy).flatMap(wildcards)]) {
        expect(allowed(subject, [text])).toEqual([])
      }
    })

    test('allows nothing for a name that objects have of themselves', async (subject) => {
      const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'undefined', 'null', 'true']
      expect(allowed(subject, names)).toEqual([])
    })
  })
}

/** Near misses: cut short, longer, in another letter case, with another separator. */
const resembling = (text: string): readonly string[] =>
  [
    text.slice(0, -1),
    text.slice(1),
    text.slice(0, Math.ceil(text.length / 2)),
    `${text}s`,
    `${text}:All`,
    `x${text}`,
    `other:${text}`,
    text.toUpperCase(),
    text.toLowerCase(),
    text.replaceAll(':', '.'),
    text.replaceAll('.', 'x'),
  ].filter((near) => near !== text)

const wildcards = (text: string): readonly string[] => [
  `${text}*`,
  ...[...text.matchAll(/[:./]/g)].map(({ index }) => `${text.slice(0, index + 1)}*`),
]
