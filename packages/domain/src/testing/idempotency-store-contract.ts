import { keyLifetimeMs } from '../idempotency.ts'
import type { IdempotencyStore, KeyScope, Reservation } from '../ports/idempotency-store.ts'
import type { TestRunner } from './runner.ts'
import { strangeTexts } from './samples.ts'
import { otherHandle, type StoreSubject, tamper, testsOf } from './subject.ts'

export type IdempotencyStoreSubject = StoreSubject<IdempotencyStore>

/** What every idempotency store must do, whatever it keeps reservations in. */
export function idempotencyStoreContract(
  runner: TestRunner,
  makeSubject: () => Promise<IdempotencyStoreSubject>,
): void {
  runner.describe('an idempotency store', () => {
    reserving(runner, makeSubject)
    tellingScopesApart(runner, makeSubject)
    keepingToItself(runner, makeSubject)
  })
}

type MakeSubject = () => Promise<IdempotencyStoreSubject>

const nowMs = Date.parse('2030-01-31T12:00:00Z')

const scope = (parts: Partial<KeyScope> = {}): KeyScope => ({
  caller: 'user-1',
  operation: 'place-bid',
  key: '0b7c5a4e',
  ...parts,
})

const reservation = (parts: Partial<Reservation> = {}): Reservation => ({
  ...scope(),
  generation: 1,
  resourceId: 1,
  reservedAtMs: nowMs,
  ...parts,
})

function reserving(runner: TestRunner, makeSubject: MakeSubject): void {
  const { expect } = runner
  const test = testsOf(runner, makeSubject)

  test('stores a reservation and answers it as the latest of its scope', async ({ store }) => {
    expect(await store.latest(scope())).toBe(undefined)
    expect(await store.insert(reservation())).toBe('inserted')
    expect(await store.latest(scope())).toStrictEqual(reservation())
  })

  test('answers taken for a generation that is stored, and keeps what is stored', async ({ store }) => {
    await store.insert(reservation())
    expect(await store.insert(reservation())).toBe('taken')
    expect(await store.insert(reservation({ resourceId: 2, reservedAtMs: nowMs + 1 }))).toBe('taken')
    expect(await store.latest(scope())).toStrictEqual(reservation())
  })

  test('answers the highest generation, by number', async ({ store }) => {
    for (let generation = 1; generation <= 11; generation++) {
      const next = reservation({ generation, resourceId: 100 - generation })
      expect(await store.insert(next)).toBe('inserted')
      expect(await store.latest(scope())).toStrictEqual(next)
    }
    expect(await store.insert(reservation({ generation: 11 }))).toBe('taken')
  })

  test('keeps the least and the greatest numbers exact', async ({ store }) => {
    const most = reservation({ resourceId: Number.MAX_SAFE_INTEGER, reservedAtMs: 253_402_300_799_999 })
    const least = reservation({ key: 'other', reservedAtMs: 0 })
    for (const each of [least, most]) {
      await store.insert(each)
      expect(await store.latest(each)).toStrictEqual(each)
    }
  })

  test('lets exactly one of many concurrent inserts of a generation win', async (subject) => {
    const stores = [subject.store, await otherHandle(subject)]
    const contenders = Array.from({ length: 10 }, (_, index) => reservation({ resourceId: index + 1 }))
    const answers = await Promise.all(contenders.map((each, index) => stores[index % 2]?.insert(each)))
    expect(answers.toSorted()).toEqual(['inserted', ...Array.from({ length: 9 }, () => 'taken')])
    const winner = contenders.find((_, index) => answers[index] === 'inserted')
    expect(await subject.store.latest(scope())).toStrictEqual(winner)
  })

  test('shows a reservation to another handle at once', async (subject) => {
    const other = await otherHandle(subject)
    expect(await other.latest(scope())).toBe(undefined)
    await subject.store.insert(reservation())
    expect(await other.latest(scope())).toStrictEqual(reservation())
    expect(await other.insert(reservation({ resourceId: 2 }))).toBe('taken')
  })

  test('keeps reservations as long as keys live', async ({ store }) => {
    const count = 50
    const reservations = Array.from({ length: count }, (_, index) =>
      reservation({
        key: `key-${index}`,
        resourceId: index + 1,
        reservedAtMs: nowMs + Math.floor((index * (keyLifetimeMs - 1)) / (count - 1)),
      }),
    )
    for (const each of reservations) await store.insert(each)
    for (const each of reservations) expect(await store.latest(each)).toStrictEqual(each)
  })
}

function tellingScopesApart(runner: TestRunner, makeSubject: MakeSubject): void {
  const { expect } = runner
  const test = testsOf(runner, makeSubject)

  /** Each scope has a reservation of its own, whatever the others are. */
  const tellsApart = (name: string, scopes: readonly KeyScope[]): void =>
    test(name, async ({ store }) => {
      const reservations = scopes.map((each, index) => reservation({ ...each, resourceId: index + 1 }))
      for (const each of reservations) {
        expect(await store.latest(each)).toBe(undefined)
        expect(await store.insert(each)).toBe('inserted')
      }
      for (const each of reservations) {
        expect(await store.latest(each)).toStrictEqual(each)
        expect(await store.insert(each)).toBe('taken')
      }
    })

  tellsApart('tells callers, operations and keys apart', [
    scope(),
    scope({ caller: 'user-2' }),
    scope({ operation: 'create-auction' }),
    scope({ key: 'another' }),
  ])
  tellsApart('tells scopes apart whose parts only join to the same text', [
    scope({ caller: 'a', key: 'b:c' }),
    scope({ caller: 'a:b', key: 'c' }),
    scope({ caller: 'a/b', key: 'c' }),
    scope({ caller: 'a', key: 'b/c' }),
    scope({ caller: 'a","place-bid","b', key: 'c' }),
    scope({ caller: 'a', key: 'b","place-bid","c' }),
    scope({ caller: 'a|place-bid', key: 'b' }),
    scope({ caller: 'a', key: 'place-bid|b' }),
  ])
  tellsApart('tells keys apart that differ only in letter case, length or the last of 255 characters', [
    scope({ key: 'Key' }),
    scope({ key: 'key' }),
    scope({ key: 'KEY' }),
    scope({ key: 'k' }),
    scope({ key: `${'k'.repeat(254)}1` }),
    scope({ key: `${'k'.repeat(254)}2` }),
  ])
  tellsApart(
    'takes every visible ASCII character in keys',
    Array.from({ length: 0x7e - 0x20 }, (_, index) => scope({ key: String.fromCharCode(0x21 + index) })),
  )
  tellsApart('takes names that objects have of themselves', [
    scope({ key: '__proto__', caller: '__proto__' }),
    scope({ key: 'constructor', caller: 'toString' }),
    scope({ key: 'hasOwnProperty' }),
    scope({ key: '$where', caller: '$ne' }),
  ])
  tellsApart('tells callers apart to the last character', [
    ...strangeTexts.map((caller) => scope({ caller })),
    scope({ caller: '\u00e9' }),
    scope({ caller: 'e\u0301' }),
    scope({ caller: 'user' }),
    scope({ caller: 'user ' }),
    scope({ caller: 'User' }),
  ])
}

function keepingToItself(runner: TestRunner, makeSubject: MakeSubject): void {
  const { expect } = runner
  const test = testsOf(runner, makeSubject)

  test('is not changed by what becomes of a reservation that was passed in', async ({ store }) => {
    const passed = reservation()
    await store.insert(passed)
    tamper(passed)
    expect(await store.latest(scope())).toStrictEqual(reservation())
  })

  test('is not changed by what becomes of its answers', async ({ store }) => {
    await store.insert(reservation())
    tamper(await store.latest(scope()))
    expect(await store.latest(scope())).toStrictEqual(reservation())
  })
}
