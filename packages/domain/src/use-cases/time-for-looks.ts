import type { Clock } from '../clock.ts'
import type { Limits } from '../limits.ts'

/** After this share of the deadline no other look is begun: one may ask the store two times, for 0.4 of the deadline each. */
const shareForLooks = 0.2

/** Whether the time is over in which one list looks again and again; its page is short then. */
export function timeForLooks(clock: Clock, { deadlineMs }: Pick<Limits, 'deadlineMs'>): () => boolean {
  const startMs = clock.nowMs()
  return () => clock.nowMs() - startMs >= shareForLooks * deadlineMs
}
