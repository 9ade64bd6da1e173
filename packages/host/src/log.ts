export { createLogger } from './log/logger.ts'
export { onceAMinute } from './log/once-a-minute.ts'
export { type Log, maxWaitingLength, openLog } from './log/open-log.ts'
