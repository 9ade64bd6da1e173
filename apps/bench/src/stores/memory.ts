import { createMemoryStore } from '@auction/adapters/memory'
import type { BenchStore } from './bench-store.ts'

/** The service and its lanes alone. */
export const memory: BenchStore = {
  label: 'memory',
  version: async () => 'memory',
  openScratch: async () => '',
  open: async () => ({ ...createMemoryStore(), close: async () => undefined }),
}
