import type { Clock } from './clock.ts'
import { storeOperations } from './ledger/guarded-store.ts'
import type { Store } from './store.ts'

const clockFunctions = ['nowMs', 'after'] as const satisfies readonly (keyof Clock)[]
/**
 * Finds a part that is missing when a service is created, and not at its first use.
 * @throws TypeError that names the part and the first function that it lacks
 */
export function requireParts(parts: { readonly store: Store; readonly clock: Clock }): void {
  // Programs in JavaScript may pass anything, the promise of a store as well.
  const { store, clock }: { readonly store?: unknown; readonly clock?: unknown } = Object(parts)
  requireFunctions('store', store, storeOperations)
  requireFunctions('clock', clock, clockFunctions)
}

function requireFunctions(name: string, part: unknown, functions: readonly string[]): void {
  if (part instanceof Promise) throw new TypeError(`the ${name} of an auction service must be awaited: it is a promise`)
  const missing = functions.find((each) => typeof Object(part)[each] !== 'function')
  if (missing === undefined) return
  throw new TypeError(`the ${name} of an auction service must be an object with the function ${missing}`)
}
