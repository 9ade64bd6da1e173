export { createManualClock, type ManualClock } from './manual-clock.ts'
export { createMemoryStore, type MemoryStoreOptions } from './memory-store.ts'
