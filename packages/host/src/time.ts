/** Waits for work, at most this long. Returns 'late' if the time ends first; the work continues. */
export async function within<Value>(longestMs: number, work: Promise<Value>): Promise<Value | 'late'> {
  const { promise: late, resolve } = Promise.withResolvers<'late'>()
  const timer = setTimeout(() => resolve('late'), longestMs)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Returns a random number of a range, so that many clients do not act at the same time. */
export const between = (least: number, most: number): number => least + (most - least) * Math.random()
