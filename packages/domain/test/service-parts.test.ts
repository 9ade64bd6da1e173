import { createMemoryStore } from '@auction/adapters/memory'
import { expect, test } from 'vitest'
import { type AuctionServiceParts, createAuctionService } from '../src/service.ts'
import { createStillClock } from './support/clocks.ts'
import { openTime } from './support/service.ts'

const store = createMemoryStore()
const clock = createStillClock(openTime)

// Programs in JavaScript can pass these.
const incomplete: readonly (readonly [what: string, parts: unknown, named: string])[] = [
  ['nothing', undefined, 'store'],
  ['no store', { clock }, 'store'],
  ['the promise of a store', { store: Promise.resolve(store), clock }, 'store'],
  ['a store without an operation', { store: { ...store, findHeads: undefined }, clock }, 'findHeads'],
  ['no clock', { store }, 'clock'],
  ['a date instead of a clock', { store, clock: new Date(0) }, 'nowMs'],
  ['a clock without timers', { store, clock: { nowMs: clock.nowMs } }, 'after'],
]

test.each(incomplete)('a service cannot be created from %s', (_, parts, named) => {
  const attempt = () => createAuctionService(parts as AuctionServiceParts) // The cast: it must be refused at runtime.
  expect(attempt).toThrow(TypeError)
  expect(attempt).toThrow(named)
})
