import { createManualClock, createMemoryStore } from '@auction/adapters/memory'
import { expect, test } from 'vitest'
import { createDelivery, type DeliveryParts } from '../src/delivery.ts'

const store = createMemoryStore()
const { checkpoints } = store
const clock = createManualClock('2030-01-31T12:00:00Z')

// Programs in JavaScript can pass these.
test.each<{ readonly what: string; readonly parts: unknown; readonly message: string }>([
  {
    what: 'nothing',
    parts: undefined,
    message: 'the store of deliveries must be an object with the function insertAuction',
  },
  {
    what: 'the promise of a store',
    parts: { store: Promise.resolve(store), checkpoints, clock },
    message: 'the store of deliveries must be awaited: it is a promise',
  },
  {
    what: 'no clock',
    parts: { store, checkpoints },
    message: 'the clock of deliveries must be an object with the function nowMs',
  },
])('deliveries cannot be created from $what', ({ parts, message }) => {
  const create = () => createDelivery(parts as DeliveryParts) // The cast: it must be refused at runtime.
  expect(create).toThrow(new TypeError(message))
})
