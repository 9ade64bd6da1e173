export { createManualClock, type ManualClock } from './manual-clock.ts'
export { createMemoryStore, type MemoryStore } from './memory-store.ts'
