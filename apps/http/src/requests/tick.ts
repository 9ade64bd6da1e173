/** Resolves when all that has arrived by now has been read: at the end of the event loop's tick. */
type EndOfTick = () => Promise<void>

/**
 * Requests that arrive in one tick of the event loop wait for each other, so that their bids are decided and appended
 * together, and their responses go out together. Alone, a request waits for nothing but the end of the tick, which is at once;
 * under load, responding in bursts rather than between reads halves what the kernel does for each request.
 */
export function createTick(): EndOfTick {
  let tick: Promise<void> | undefined
  return () => {
    tick ??= new Promise((resolve) => {
      setImmediate(() => {
        tick = undefined
        resolve()
      })
    })
    return tick
  }
}
