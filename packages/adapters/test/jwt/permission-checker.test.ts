import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Claims, claimPath, createJwtPermissionChecker } from '../../src/jwt/permission-checker.ts'

const values = {
  'Auctions.Create': 'auction-service:Auctions:Create',
  'Bids.Create': 'auction-service:Bids:Create',
  'Auctions.Cancel': 'auction-service:Auctions:Cancel',
  'Auctions.Cancel.Any': 'auction-service:Auctions:Cancel:Any',
  'Auctions.Update': 'auction-service:Auctions:Update',
  'Auctions.Update.Any': 'auction-service:Auctions:Update:Any',
  'Auctions.Manage': 'auction-service:Auctions:Manage',
  'Auctions.Read': 'auction-service:Auctions:Read',
  'Bids.Read': 'auction-service:Bids:Read',
  'Auctions.Reserve.Read': 'auction-service:Auctions:Reserve:Read',
  'Bidders.Read': 'auction-service:Bidders:Read',
} as const
type Permission = keyof typeof values
const permissions = Object.keys(values) as readonly Permission[] // Its keys.

const claims = ['permissions', 'scope']
const checker = createJwtPermissionChecker({ claims, values })
const create = values['Auctions.Create']

const forms: readonly (readonly [name: string, callerGranted: (texts: readonly string[]) => Claims])[] = [
  ['an array', (texts) => ({ sub: 'user-1', permissions: [...texts] })],
  ['an array in the second claim', (texts) => ({ permissions: 7, scope: [...texts] })],
  ['a text with spaces', (texts) => ({ sub: 'user-1', scope: texts.join(' ') })],
  ['both', (texts) => ({ permissions: texts.slice(1), scope: texts.slice(0, 1).join(' ') })],
]

describe.each(forms)('permissions in %s', (_, callerGranted) => {
  const allowed = (...texts: readonly string[]): readonly Permission[] => {
    const caller = callerGranted(texts)
    return permissions.filter((permission) => checker.allows(caller, permission))
  }

  test('are granted only to their holders, and grant no others', () => {
    expect(allowed()).toEqual([])
    for (const permission of permissions) {
      expect(allowed(values[permission])).toEqual([permission])
      expect(allowed('something-else', values[permission], 'more')).toEqual([permission])
    }
    expect(allowed(...Object.values(values))).toEqual(permissions)
  })

  test('are not granted by names of built-in properties', () => {
    expect(allowed('__proto__', 'constructor', 'toString', 'hasOwnProperty', 'undefined', 'null', 'true')).toEqual([])
  })
})

describe('a token grants a permission', () => {
  test.each<readonly [title: string, caller: Claims]>([
    ['in an array', { permissions: [create] }],
    ['among others', { permissions: ['other', create, 'more'] }],
    ['among elements that are not texts', { permissions: [null, 7, {}, [create], create] }],
    ['as a text', { scope: create }],
    ['as one of the words of a text', { scope: `openid ${create} email` }],
    ['in a text with wide gaps', { scope: `  openid   ${create}  ` }],
    ['in one claim next to an invalid one', { permissions: { no: 'sense' }, scope: create }],
  ])('%s', (_, caller) => {
    expect(checker.allows(caller, 'Auctions.Create')).toBe(true)
    expect(checker.allows(caller, 'Bids.Create')).toBe(false)
  })
})

/** Near misses: truncated, longer, in another letter case, with another separator, as a wildcard. */
function resembling(text: string): readonly string[] {
  const shorter = [text.slice(0, -1), text.slice(1), text.slice(0, Math.ceil(text.length / 2))]
  const longer = [`${text}s`, `${text}:All`, `x${text}`, `other:${text}`]
  const wildcards = [`${text}*`, ...[...text.matchAll(/:/g)].map(({ index }) => `${text.slice(0, index + 1)}*`)]
  return [...shorter, ...longer, ...wildcards, text.toUpperCase(), text.toLowerCase(), text.replaceAll(':', '.')]
}

describe('a token does not grant a permission', () => {
  test.each(['*', '**', '.*', '%', ...Object.values(values).flatMap(resembling)])('by %s', (text) => {
    for (const caller of [{ permissions: [text] }, { scope: text }]) {
      expect(permissions.filter((permission) => checker.allows(caller, permission))).toStrictEqual([])
    }
  })

  test.each<readonly [title: string, caller: Claims]>([
    ['without claims', {}],
    ['by another claim', { sub: create, roles: [create], Permissions: [create], permission: [create] }],
    ['by the name of the permission', { permissions: ['Auctions.Create'] }],
    ['by one of the words of an element', { permissions: [`openid ${create}`], scope: [`${create} `] }],
    ['by a word that no space ends', { scope: `openid,${create}` }],
    ['by other white space', { scope: `openid\t${create}\n` }],
    ['by a nested array', { permissions: [[create]] }],
    ['by the names of an object', { permissions: { [create]: true } }],
    ['by the values of an object', { permissions: { 0: create, length: 1 } }],
    ['by what only prints as the value', { permissions: { toString: () => create }, scope: [new String(create)] }],
    ['by true', { permissions: true, scope: true }],
    ['by null', { permissions: null, scope: null }],
    ['by what its object inherits', Object.create({ permissions: [create] })],
  ])('%s', (_, caller) => {
    expect(permissions.filter((permission) => checker.allows(caller, permission))).toStrictEqual([])
  })

  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'by a claim named %s that it does not have',
    (name) => {
      const inherited = createJwtPermissionChecker({ claims: [name], values })
      expect(inherited.allows({ permissions: [create] }, 'Auctions.Create')).toBe(false)
      const owned: Claims = JSON.parse(`{"${name}": ["${create}"]}`)
      expect(inherited.allows(owned, 'Auctions.Create')).toBe(true)
    },
  )

  test('with a claim that does not list its value', () => {
    const text = fc.oneof(fc.string(), fc.constantFrom(...Object.values(values), ' '), fc.constantFrom(...permissions))
    const claim = fc.oneof(
      fc.jsonValue(),
      text,
      fc.array(fc.oneof(text, fc.jsonValue())),
      fc.array(text).map((words) => words.join(' ')),
    )
    const caller = fc.dictionary(fc.oneof(fc.constantFrom(...claims, 'roles', 'constructor'), fc.string()), claim)
    fc.assert(
      fc.property(caller, fc.constantFrom(...permissions), (token, permission) => {
        expect(checker.allows(token, permission)).toBe(isListed(token, values[permission]))
      }),
      { numRuns: 500 },
    )
  })
})

/** The rule, written differently from the checker. */
function isListed(token: Claims, value: string): boolean {
  return Object.entries(token).some(([name, claim]) => {
    if (name !== 'permissions' && name !== 'scope') return false
    if (typeof claim === 'string') return ` ${claim} `.includes(` ${value} `)
    return Array.isArray(claim) && claim.some((element) => element === value)
  })
}

describe('a permission without a value', () => {
  const open = createJwtPermissionChecker({ claims, values: { ...values, 'Auctions.Read': undefined } })

  test('is granted to every caller with a valid token, without granting others', () => {
    expect(permissions.filter((permission) => open.allows({}, permission))).toStrictEqual(['Auctions.Read'])
  })

  test('differs from a permission that is not configured', () => {
    // The cast: the type requires all of them, but a configuration may not be type-checked.
    const partial = { 'Bids.Create': 'x' } as Record<Permission, string>
    const checker = createJwtPermissionChecker({ claims, values: partial })
    expect(permissions.filter((permission) => checker.allows({ scope: 'x' }, permission))).toStrictEqual([
      'Bids.Create',
    ])
  })
})

test('an empty value is refused, because every text with two spaces would grant it', () => {
  expect(() => createJwtPermissionChecker({ claims, values: { ...values, 'Bids.Create': '' } })).toThrow(
    'the value of the permission Bids.Create must not be empty',
  )
})

describe('a nested claim', () => {
  const within = (claim: string) => createJwtPermissionChecker({ claims: [claim], values })

  test.each<{ readonly pointer: string; readonly caller: Claims }>([
    { pointer: '/realm_access/roles', caller: { realm_access: { roles: [create] } } },
    { pointer: '/resource_access/my.client/roles', caller: { resource_access: { 'my.client': { roles: [create] } } } },
    { pointer: '/a~1b/c~0d', caller: { 'a/b': { 'c~d': create } } },
    { pointer: '/~01', caller: { '~1': create } },
    { pointer: '/scope', caller: { scope: `openid ${create}` } },
    { pointer: '/', caller: { '': create } },
  ])('is read by the JSON Pointer $pointer', ({ pointer, caller }) => {
    expect(within(pointer).allows(caller, 'Auctions.Create')).toBe(true)
    expect(within(pointer).allows(caller, 'Bids.Create')).toBe(false)
  })

  test.each<{ readonly claim: string; readonly caller: Claims }>([
    {
      claim: '/realm_access/roles',
      caller: { 'realm_access.roles': [create], '/realm_access/roles': [create], roles: [create] },
    },
    { claim: '/realm_access/roles', caller: { realm_access: null } },
    { claim: '/realm_access/roles', caller: { realm_access: [create] } },
    { claim: '/realm_access/roles', caller: { realm_access: { roles: { [create]: {} } } } },
    { claim: '/realm_access/roles', caller: { realm_access: { roles: { roles: [create] } } } },
    { claim: '/roles/0', caller: { roles: [create] } },
    { claim: '/roles/constructor/name', caller: { roles: {} } },
    { claim: '/__proto__/roles', caller: { roles: [create] } },
    { claim: 'realm_access.roles', caller: { realm_access: { roles: [create] } } },
    { claim: 'https://shop.example/roles', caller: { 'https:': { '': { 'shop.example': { roles: [create] } } } } },
  ])('by $claim is not $caller', ({ claim, caller }) => {
    expect(within(claim).allows(caller, 'Auctions.Create')).toBe(false)
  })

  test('may have any name', () => {
    const claim = 'https://shop.example/roles'
    expect(within(claim).allows({ [claim]: [create] }, 'Auctions.Create')).toBe(true)
    expect(claimPath(claim)).toEqual([claim])
  })

  test.each(['/a~', '/a~2', '/~/b'])('is not read by %s, which is not a JSON Pointer', (pointer) => {
    expect(() => within(pointer)).toThrow(/must be a JSON Pointer/)
  })
})
