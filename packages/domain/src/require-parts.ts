import type { Clock } from './clock.ts'
import { requiredOperations } from './store/guarded-store.ts'
import type { Store } from './store/store.ts'

const clockFunctions = ['nowMs', 'after'] as const satisfies readonly (keyof Clock)[]

/**
 * Checks the dependencies when their owner, such as a service, is created.
 * @throws TypeError that names the dependency and the first missing function
 */
export function requireParts(parts: { readonly store: Store; readonly clock: Clock }, owner: string): void {
  // JavaScript programs may pass any value, such as the promise of a store.
  const { store, clock }: { readonly store?: unknown; readonly clock?: unknown } = Object(parts)
  requireFunctions(`store of ${owner}`, store, requiredOperations)
  requireFunctions(`clock of ${owner}`, clock, clockFunctions)
}

function requireFunctions(name: string, part: unknown, functions: readonly string[]): void {
  if (part instanceof Promise) throw new TypeError(`the ${name} must be awaited: it is a promise`)
  const missing = functions.find((required) => typeof Object(part)[required] !== 'function')
  if (missing === undefined) return
  throw new TypeError(`the ${name} must be an object with the function ${missing}`)
}
