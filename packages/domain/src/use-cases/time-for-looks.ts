import type { Clock } from '../clock.ts'
import type { Limits } from '../limits.ts'

/** After this share of the deadline no further read is started: one may call the store twice, for 0.4 of the deadline each. */
const shareForLooks = 0.2

/** Whether a list must stop reading further auctions; its page is then short. */
export function timeForLooks(clock: Clock, { deadlineMs }: Pick<Limits, 'deadlineMs'>): () => boolean {
  const startMs = clock.nowMs()
  return () => clock.nowMs() - startMs >= shareForLooks * deadlineMs
}
