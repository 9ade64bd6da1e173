import type { Clock } from '../clock.ts'
import type { Limits } from '../limits.ts'

/** After this share of the deadline no other look is begun: one may ask the store two times, for 0.4 of the deadline each. */
const shareForLooks = 0.2

/** Does what looks again and again, and tells it when the time for that is over: the page at hand is short then. */
export async function withTimeForLooks<Value>(
  clock: Clock,
  { deadlineMs }: Pick<Limits, 'deadlineMs'>,
  work: (isLate: () => boolean) => Promise<Value>,
): Promise<Value> {
  let isLate = false
  const callOff = clock.after(shareForLooks * deadlineMs, () => {
    isLate = true
  })
  try {
    return await work(() => isLate)
  } finally {
    callOff()
  }
}
