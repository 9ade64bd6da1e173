import type { Clock } from '@auction/domain/ports/clock'

/** The machine's clock. */
export const systemClock: Clock = { nowMs: () => Date.now() }
