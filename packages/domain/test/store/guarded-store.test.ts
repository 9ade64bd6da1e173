import { createMemoryStore } from '@auction/adapters/memory'
import { sampleAuction, sampleEntries, sampleKey } from '@auction/testing/samples'
import { describe, expect, test } from 'vitest'
import { limitsWith } from '../../src/limits.ts'
import { createGuardedStore, storeOperations } from '../../src/store/guarded-store.ts'
import type { CallSignal, Store } from '../../src/store/store.ts'
import { createSteppedClock, everythingSettled } from '../support/clocks.ts'
import { noResponse, openTime } from '../support/service.ts'

const auction = sampleAuction()
const entries = sampleEntries(2)
const [entry] = entries
if (entry === undefined) throw new Error('there are two')
const keys = [sampleKey('a')]

const updates = [{ auctionId: auction.id, dueMs: 1 }]

/** The place of the signal among the arguments. */
const signal = { aborted: false }

/** Every operation of the port, with the arguments that the store receives. */
const operations: readonly (readonly [name: keyof Store, received: readonly unknown[]])[] = [
  ['insertAuction', [auction]],
  ['findAuction', [auction.id]],
  ['findAuctions', [{ ids: [auction.id] }, signal]],
  ['listAuctions', [{ order: 'newest', limit: 3, signal }]],
  ['updateAgenda', [updates]],
  ['addTitleWords', [auction.id, ['desk']]],
  ['append', [entries, { isContended: true, signal }]],
  ['findHeads', [[auction.id], signal]],
  ['findEntries', [[entry.id], { signal }]],
  ['findEntriesByKey', [keys, { auctionIds: [auction.id], signal }]],
  ['listEntries', [auction.id, { limit: 3, signal }]],
  ['listBidderEntries', [entry.event.bidderId, { limit: 3, signal }]],
  ['claimNextIdBlock', ['entries']],
]
const interruptible = operations.filter(([, received]) => JSON.stringify(received).includes('"aborted"'))

/** Calls an operation with a signal, or without one. */
function call(store: Store, [name, received]: (typeof operations)[number], own?: CallSignal): Promise<unknown> {
  const values = received.map((value) => {
    if (value === signal) return own
    return Object(value).signal === signal ? { ...Object(value), signal: own } : value
  })
  const operation: unknown = store[name]
  if (typeof operation !== 'function') throw new TypeError(`the store has no ${name}`)
  return operation(...values)
}

/** The operations whose result is a list, or has one. */
const lists = interruptible.filter(([name]) => name !== 'append')

/** These are not sent again after a failure: whether the call was stored is looked up first, elsewhere. */
const notRepeated = new Set<keyof Store>(['insertAuction', 'append'])

/** The arguments that a store receives, with the signal as a plain object that can be compared. */
function withPlainSignal(value: unknown): unknown {
  const { aborted, signal } = Object(value)
  if (signal !== undefined) return { ...Object(value), signal: withPlainSignal(signal) }
  if (aborted === undefined) return value
  return {
    get aborted() {
      return Object(value).aborted
    },
  }
}

/** A guarded store over one whose operations all do the same, and the calls that it receives. */
function createWatchedStore(operation: () => Promise<unknown>) {
  const heard: unknown[][] = []
  const clock = createSteppedClock(openTime)
  let timers = 0
  const watchedClock = {
    ...clock,
    after: (ms: number, callback: () => void) => {
      timers += 1
      return clock.after(ms, () => {
        timers -= 1
        callback()
      })
    },
  }
  const right = createMemoryStore()
  const watched = Object.fromEntries(
    operations.map(([name]) => [
      name,
      (...values: unknown[]) => {
        heard.push([name, ...values.map(withPlainSignal)])
        return operation()
      },
    ]),
  )
  const limits = limitsWith()
  const store = createGuardedStore({ store: { ...right, ...watched }, clock: watchedClock, limits })
  return { store, heard, clock, timersLeft: () => timers }
}

const outcomeOf = (promise: Promise<unknown>) => promise.then(String, String)

test('every operation of the port is guarded', () => {
  expect(storeOperations.toSorted()).toEqual(operations.map(([name]) => name).toSorted())
})

describe.each(operations)('%s of a guarded store', (name, received) => {
  const operation = [name, received] as const
  const tries = notRepeated.has(name) ? 1 : 3

  test('receives the arguments of the call', async () => {
    const { store, heard } = createWatchedStore(() => Promise.reject(new TypeError('a bug')))
    expect(await outcomeOf(call(store, operation))).toBe('TypeError: a bug')
    expect(heard).toEqual([[name, ...received]])
  })

  test('retries a read up to the limit, and never a write', async () => {
    const { store, heard, clock, timersLeft } = createWatchedStore(() => Promise.reject(noResponse()))
    expect(await outcomeOf(call(store, operation))).toBe('StoreUnavailableError: no response')
    expect(heard.length).toBe(tries)
    await clock.pass(1_000)
    expect(timersLeft()).toBe(0)
  })

  test('has four tenths of the deadline for all of its tries', async () => {
    const { store, clock, heard } = createWatchedStore(() => new Promise(() => undefined))
    const outcome = outcomeOf(call(store, operation))
    let isSettled = false
    void outcome.then(() => {
      isSettled = true
    })
    await clock.pass(3_599)
    expect(isSettled).toBe(false)
    await clock.pass(401)
    expect(await outcome).toBe('StoreUnavailableError: the store did not respond within 4000 ms')
    expect(heard.length).toBe(1)
  })
})

describe.each(interruptible)('%s for a caller that has disconnected', (...operation) => {
  const left = 'StoreUnavailableError: the caller no longer waits for the store'

  test('does not call the store', async () => {
    const { store, heard, clock, timersLeft } = createWatchedStore(async () => [])
    expect(await outcomeOf(call(store, operation, { aborted: true }))).toBe(left)
    expect(heard).toEqual([])
    await clock.pass(1_000)
    expect(timersLeft()).toBe(0)
  })

  test('is not retried, and cancels a call that has not started', async () => {
    const own = { aborted: false }
    const { store, heard } = createWatchedStore(async () => {
      own.aborted = true
      throw noResponse()
    })
    expect(await outcomeOf(call(store, operation, own))).toBe('StoreUnavailableError: no response')
    expect(heard.length).toBe(1)
    expect(JSON.stringify(heard[0])).toContain('"aborted":true')
  })
})

test('a read that timed out is not retried, and a call that has not started is cancelled', async () => {
  const response = Promise.withResolvers<never>()
  const { store, heard, clock } = createWatchedStore(() => response.promise)
  const outcome = outcomeOf(store.listAuctions({ order: 'newest', limit: 3 }))
  await clock.pass(4_000)
  expect(await outcome).toContain('did not respond within 4000 ms')
  expect(JSON.stringify(heard)).toContain('"aborted":true')
  response.reject(noResponse())
  await everythingSettled()
  expect(heard.length).toBe(1)
})

test('a call is timed until the store has responded, and not at all if it fails', async () => {
  const timed: string[] = []
  const startTiming = (operation: string) => () => void timed.push(operation)
  const store = { ...createMemoryStore(), findHeads: () => Promise.reject(noResponse()) }
  const guarded = createGuardedStore({ store, clock: createSteppedClock(openTime), limits: limitsWith(), startTiming })
  await guarded.append(entries)
  expect(await outcomeOf(guarded.findHeads([auction.id]))).toBe('StoreUnavailableError: no response')
  expect(timed).toEqual(['append'])
})

describe('a result that a store returns', () => {
  const reporting = (value: unknown) => createWatchedStore(async () => value).store

  test('is passed on if it is possible', async () => {
    expect(await reporting('inserted').insertAuction(auction)).toBe('inserted')
    expect(await reporting('taken').insertAuction(auction)).toBe('taken')
    for (const stored of [0, 1, 2]) expect(await reporting(stored).append(entries)).toBe(stored)
    for (const block of [1, 7]) expect(await reporting(block).claimNextIdBlock('entries')).toBe(block)
  })

  test('is an error if it is impossible', async () => {
    expect(await outcomeOf(reporting('yes').insertAuction(auction))).toBe(
      "TypeError: the store's insertAuction returned yes; expected one of inserted, taken",
    )
    expect(await outcomeOf(reporting(0).claimNextIdBlock('entries'))).toBe(
      'TypeError: the store returned 0 as a block of ids; expected an integer of at least 1',
    )
    expect(await outcomeOf(reporting(3).append(entries))).toBe('TypeError: the store reported 3 of 2 entries as stored')
  })
})

test.each(lists)('the result of %s is an error if it is not a list', async (...operation) => {
  const [name] = operation
  for (const returned of name === 'listAuctions' ? [{ items: 'none' }] : [undefined, null, 7, {}]) {
    const { store } = createWatchedStore(async () => returned)
    expect(await outcomeOf(call(store, operation))).toMatch(`TypeError: the store's ${name} returned`)
  }
})
