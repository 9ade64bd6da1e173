export { endOfTick } from './server/end-of-tick.ts'
export { createTurns } from './server/turns.ts'
