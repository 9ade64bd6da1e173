import { expect, test } from 'vitest'
import { sessionOf } from '../page/reader.js'

const tokenWith = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`

const names = ['create', 'bid', 'cancel', 'cancelAny', 'correct', 'manage', 'register', 'readRegisters', 'manageSales']
const all = Object.fromEntries(names.map((name) => [name, true]))
const none = Object.fromEntries(names.map((name) => [name, false]))

test.each<[string, object, object]>([
  ['an array', { permissions: ['shop:Bids:Create'] }, { ...none, bid: true }],
  [
    'a string with spaces',
    { scope: 'openid a:Auctions:Create a:Auctions:Cancel:Any' },
    { ...none, create: true, cancel: true, cancelAny: true },
  ],
  ['an object', { realm: { roles: ['a:Auctions:Cancel'] } }, { ...none, cancel: true }],
  ['a scope of staff', { scope: 'a:Auctions:Manage' }, { ...none, manage: true }],
  ['a scope of the front desk', { scope: 'a:Registers:Read' }, { ...none, readRegisters: true }],
  ['a scope of the saleroom', { scope: 'a:Sales:Manage' }, { ...none, manageSales: true }],
  ['a scope', { scope: 'a:Auctions:Update' }, { ...none, correct: true }],
])('finds permissions in %s', (_what, claims, may) => {
  expect(sessionOf(tokenWith(claims))).toEqual({ ...may, user: undefined })
})

test('offers everything where the names of permissions are not known', () => {
  expect(sessionOf(tokenWith({ scope: 'sell buy' }))).toEqual({ ...all, user: undefined })
  expect(sessionOf('no token')).toEqual({ ...all, user: undefined })
})

test.each(['a.bnVsbA.c', 'a.NQ.c', 'a.WzFd.c', 'a.IngiIA.c', '', '..', 'a.%.c', 'a.e30', 'ä.ö.ü'])(
  'a token without an object of claims, such as %j, identifies no user',
  (token) => {
    expect(sessionOf(token)).toEqual({ ...all, user: undefined })
  },
)

test.each<[object, number | undefined]>([
  [{ sub: 'trial', exp: 1_900_000_000, iat: 1 }, undefined],
  [{ sub: '42' }, 42],
  [{ sub: '42', user_id: 7 }, 7],
  [{ sub: 'ann', app_metadata: { user_id: '7' }, amr: [{ timestamp: 1_900_000_000 }] }, 7],
  [{ sub: '42', app_metadata: { level: 7 } }, 42],
  [{ sub: 'ann', uid: '9007199254740993' }, undefined],
  [{ sub: 'ann', admissions: { 9: { limit: 5000 } } }, undefined],
  [{ sub: 'ann', house: { admissions: { 9: { limit: 5000 } }, uid: 7 } }, 7],
])('the user of %j is %s', (claims, user) => {
  expect(sessionOf(tokenWith(claims)).user).toBe(user)
})
