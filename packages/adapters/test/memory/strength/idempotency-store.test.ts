import { keyLifetimeMs } from '@auction/domain/idempotency'
import type { IdempotencyStore, KeyScope, Reservation } from '@auction/domain/ports/idempotency-store'
import {
  type IdempotencyStoreSubject,
  idempotencyStoreContract,
} from '@auction/domain/testing/idempotency-store-contract'
import { memoryStore } from '../../../src/memory/memory-store.ts'
import { type Planted, pause, proveStrength, to15Digits } from './strength.ts'

type Steps = {
  readonly nameOf: (scope: KeyScope) => string
  readonly copyIn: (reservation: Reservation) => Reservation
  readonly copyOut: (reservation: Reservation) => Reservation
  readonly beforeInsert: (() => Promise<void>) | undefined
  readonly isHigher: (a: Reservation, b: Reservation) => boolean
}

const rightSteps: Steps = {
  nameOf: ({ caller, operation, key }) => JSON.stringify([caller, operation, key]),
  copyIn: (reservation) => ({ ...reservation }),
  copyOut: (reservation) => ({ ...reservation }),
  beforeInsert: undefined,
  isHigher: (a, b) => a.generation > b.generation,
}

/** A store that is right unless a step is swapped. */
function plainKeys(swapped: Partial<Steps> = {}): IdempotencyStore {
  const steps = { ...rightSteps, ...swapped }
  const stored: { readonly name: string; readonly reservation: Reservation }[] = []
  const of = (scope: KeyScope) => stored.filter(({ name }) => name === steps.nameOf(scope))

  return {
    async insert(reservation) {
      if (of(reservation).some((each) => each.reservation.generation === reservation.generation)) return 'taken'
      if (steps.beforeInsert !== undefined) await steps.beforeInsert()
      stored.push({ name: steps.nameOf(reservation), reservation: steps.copyIn(reservation) })
      return 'inserted'
    },

    async latest(scope) {
      let latest: Reservation | undefined
      for (const { reservation } of of(scope)) {
        if (latest === undefined || steps.isHigher(reservation, latest)) latest = reservation
      }
      return latest && steps.copyOut(latest)
    },
  }
}

type Broken = Planted<IdempotencyStoreSubject>

const swapped = (bug: string, steps: Partial<Steps>, ...caughtBy: readonly string[]): Broken => ({
  bug,
  subject: () => ({ store: plainKeys(steps) }),
  caughtBy,
})

/** The store in memory with some of its operations replaced. */
const wrapped = (
  bug: string,
  breaks: (right: IdempotencyStore) => Partial<IdempotencyStore>,
  ...caughtBy: readonly string[]
): Broken => ({
  bug,
  subject: () => {
    const right = memoryStore().idempotencyKeys
    return { store: { ...right, ...breaks(right) } }
  },
  caughtBy,
})

const one = 'stores a reservation and answers it as the latest of its scope'
const taken = 'answers taken for a generation that is stored, and keeps what is stored'
const highest = 'answers the highest generation, by number'
const exact = 'keeps the least and the greatest numbers exact'
const race = 'lets exactly one of many concurrent inserts of a generation win'
const shown = 'shows a reservation to another handle at once'
const lifetime = 'keeps reservations as long as keys live'

const reserving: readonly Broken[] = [
  wrapped('forgets what it was given', () => ({ insert: async () => 'inserted' }), one, taken),
  wrapped(
    'answers null for what it does not have',
    // The cast: a caller in JavaScript would not notice.
    (right) => ({ latest: async (scope) => (await right.latest(scope)) ?? (null as unknown as undefined) }),
    one,
  ),
  wrapped(
    'answers inserted for what is taken',
    (right) => ({ insert: async (reservation) => (await right.insert(reservation)) && 'inserted' }),
    taken,
  ),
  wrapped(
    'replaces what is taken',
    (right) => {
      const last = new Map<string, Reservation>()
      return {
        insert: (reservation) => {
          last.set(rightSteps.nameOf(reservation), { ...reservation })
          return right.insert(reservation)
        },
        latest: async (scope) => last.get(rightSteps.nameOf(scope)),
      }
    },
    taken,
  ),
  swapped('answers the first generation', { isHigher: () => false }, highest),
  swapped('orders generations as texts', { isHigher: (a, b) => `${a.generation}` > `${b.generation}` }, highest),
  swapped('orders generations by their ids', { isHigher: (a, b) => a.resourceId > b.resourceId }, highest),
  swapped(
    'keeps ids to 15 digits',
    { copyIn: (reservation) => ({ ...reservation, resourceId: to15Digits(reservation.resourceId) }) },
    exact,
  ),
  swapped('looks whether a generation is taken, and inserts later', { beforeInsert: pause }, race),
  {
    bug: 'has a memory of its own in each handle',
    subject: () => ({ store: plainKeys(), again: async () => plainKeys() }),
    caughtBy: [shown, race],
  },
  wrapped(
    'drops reservations that are still alive',
    (right) => {
      let nowMs = 0
      return {
        insert: (reservation) => {
          nowMs = reservation.reservedAtMs
          return right.insert(reservation)
        },
        latest: async (scope) => {
          const latest = await right.latest(scope)
          return latest !== undefined && nowMs - latest.reservedAtMs < keyLifetimeMs / 2 ? latest : undefined
        },
      }
    },
    lifetime,
  ),
  wrapped(
    'remembers 20 keys',
    (right) => {
      const names: string[] = []
      return {
        insert: (reservation) => {
          names.push(rightSteps.nameOf(reservation))
          return right.insert(reservation)
        },
        latest: async (scope) =>
          names.slice(-20).includes(rightSteps.nameOf(scope)) ? right.latest(scope) : undefined,
      }
    },
    lifetime,
  ),
]

const parts = 'tells callers, operations and keys apart'
const joined = 'tells scopes apart whose parts only join to the same text'
const similar = 'tells keys apart that differ only in letter case, length or the last of 255 characters'
const ascii = 'takes every visible ASCII character in keys'
const names = 'takes names that objects have of themselves'
const callers = 'tells callers apart to the last character'

const byName = (bug: string, nameOf: Steps['nameOf'], ...caughtBy: readonly string[]): Broken =>
  swapped(bug, { nameOf }, ...caughtBy)

const scopes: readonly Broken[] = [
  byName('does not know callers', ({ operation, key }) => JSON.stringify([operation, key]), parts),
  byName('does not know operations', ({ caller, key }) => JSON.stringify([caller, key]), parts),
  byName('does not know keys', ({ caller, operation }) => JSON.stringify([caller, operation]), parts),
  byName('joins names with colons', ({ caller, operation, key }) => [operation, caller, key].join(':'), joined),
  byName('joins names with slashes', ({ caller, operation, key }) => [operation, caller, key].join('/'), joined),
  byName('joins names with bars', ({ caller, operation, key }) => [caller, operation, key].join('|'), joined),
  byName('joins names in quotes', ({ caller, operation, key }) => `["${caller}","${operation}","${key}"]`, joined),
  byName('does not know letter cases', (scope) => rightSteps.nameOf(scope).toLowerCase(), similar, callers),
  byName(
    'cuts keys at 128 characters',
    (scope) => rightSteps.nameOf({ ...scope, key: scope.key.slice(0, 128) }),
    similar,
  ),
  byName(
    'cuts keys at 254 characters',
    (scope) => rightSteps.nameOf({ ...scope, key: scope.key.slice(0, 254) }),
    similar,
  ),
  byName('takes backslashes for slashes', (scope) => rightSteps.nameOf(scope).replaceAll('\\\\', '/'), ascii),
  byName('drops quotes', (scope) => rightSteps.nameOf({ ...scope, key: scope.key.replaceAll(/["']/g, '') }), ascii),
  byName('trims callers', (scope) => rightSteps.nameOf({ ...scope, caller: scope.caller.trim() }), callers),
  byName('normalises callers', (scope) => rightSteps.nameOf(scope).normalize('NFC'), callers),
  wrapped(
    'looks keys up among the names of an object',
    (right) => {
      const known: Record<string, boolean> = {}
      return {
        insert: (reservation) => {
          known[reservation.key] = true
          return right.insert(reservation)
        },
        // What an object has of itself is taken for a key that was stored, but is not there.
        latest: async (scope) =>
          known[scope.key] ? ((await right.latest(scope)) ?? { ...scope, ...nothing }) : undefined,
      }
    },
    names,
  ),
]

const nothing = { generation: 0, resourceId: 0, reservedAtMs: 0 }

const isolation: readonly Broken[] = [
  swapped(
    'keeps the very object that was passed in',
    { copyIn: (reservation) => reservation },
    'is not changed by what becomes of a reservation that was passed in',
  ),
  swapped(
    'answers the very object that it keeps',
    { copyOut: (reservation) => reservation },
    'is not changed by what becomes of its answers',
  ),
]

proveStrength(idempotencyStoreContract, () => ({ store: plainKeys() }), [...reserving, ...scopes, ...isolation])
