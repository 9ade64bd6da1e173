export { createManualClock, type ManualClock } from './manual-clock.ts'
export { createMemorySealer } from './memory-sealer.ts'
export { createMemoryStore, type MemoryStore } from './memory-store.ts'
