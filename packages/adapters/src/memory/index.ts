export { type ManualClock, manualClock } from './manual-clock.ts'
export { type MemoryStore, memoryStore } from './memory-store.ts'
export { sequentialIds } from './sequential-ids.ts'
