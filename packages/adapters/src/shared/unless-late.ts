/** The outcome of a promise, or that of `onLate` after the time limit. A later outcome is ignored. */
export async function unlessLate<Value>(ms: number, promise: Promise<Value>, onLate: () => Value): Promise<Value> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  try {
    return await Promise.race([promise, late.then(onLate)])
  } finally {
    clearTimeout(timer)
  }
}
