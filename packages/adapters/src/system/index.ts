export { type BlockIds, type BlockStore, blockIds } from './block-ids.ts'
export { systemClock } from './system-clock.ts'
