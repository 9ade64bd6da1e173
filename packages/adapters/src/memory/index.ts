export { createManualClock, type ManualClock } from './manual-clock.ts'
export { createMemoryStore } from './memory-store.ts'
