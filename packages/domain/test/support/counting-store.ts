import { createMemoryStore } from '@auction/adapters/memory'
import type { Store } from '../../src/store/store.ts'

/** A store that records the operations that are called. */
export function createCountingStore<Counted extends Store>(
  right: Counted,
): { readonly store: Counted; readonly calls: string[] }
export function createCountingStore(): { readonly store: Store; readonly calls: string[] }
export function createCountingStore(right: Store = createMemoryStore()) {
  const calls: string[] = []
  const store = new Proxy(right, {
    get(target, operation, receiver) {
      const call: unknown = Reflect.get(target, operation, receiver)
      if (typeof call !== 'function') return call
      return (...values: unknown[]) => {
        calls.push(String(operation))
        return call.apply(target, values)
      }
    },
  })
  return { store, calls }
}
