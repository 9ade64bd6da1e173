import { createMemoryStore } from '@auction/adapters/memory'
import type { Store } from '../../src/store/store.ts'
import { createSteppedClock } from './clocks.ts'
import { createTestService, openTime } from './service.ts'
import { createCountingStore } from './stores.ts'

/** A store that does not report appends. */
export function createSilentStore(): Store {
  const { appendedSince: _, ...store } = createMemoryStore()
  return store
}

/** A service that watches, and another one that shares its store, as another process does. */
export function createWatching(right: Store = createSilentStore()) {
  const { store, calls } = createCountingStore(right)
  const clock = createSteppedClock(openTime)
  const [service, other] = [createTestService({ store, clock }), createTestService({ store: right, clock })]
  return { service, other, clock, calls, reads: () => calls.filter((name) => name === 'findHeads').length }
}

/** The sequences that the callback receives. */
export function watch({ service }: Pick<ReturnType<typeof createWatching>, 'service'>, id = 1) {
  const seen: number[] = []
  const stop = service.watchAuction(id as Parameters<typeof service.watchAuction>[0], (sequence) => seen.push(sequence))
  return { seen, stop }
}
