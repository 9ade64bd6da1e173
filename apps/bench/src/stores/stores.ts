import { createMemoryStore } from '@auction/adapters/memory'
import type { BenchStore } from './bench-store.ts'
import { mongodb } from './mongodb.ts'
import { postgresql } from './postgresql.ts'
import { sqlite } from './sqlite.ts'

/** The service and its lanes alone. */
const memory: BenchStore = {
  version: async () => 'memory',
  openScratch: async () => '',
  open: async () => ({ ...createMemoryStore(), close: async () => undefined }),
}

/**
 * The stores in the order of measurement: memory first, since code that ran with others is compiled for all of them.
 */
const stores = { memory, sqlite, postgresql, mongodb } as const satisfies Record<string, BenchStore>
export type StoreKind = keyof typeof stores
export const storeKinds = Object.keys(stores) as readonly StoreKind[] // The keys of `stores`.
export const storeOf = (kind: StoreKind): BenchStore => stores[kind]
