/** Resolves when all that has arrived by now has been read: at the end of the event loop's turn. */
type EndOfTurn = () => Promise<void>

/**
 * Requests that arrive in one turn of the event loop wait for each other, so that their bids are decided and appended
 * together, and their answers go out together. Alone, a request waits for nothing but the end of the turn, which is at once;
 * under load, answering in bursts rather than between reads halves what the kernel does for each request.
 */
export function endOfTurn(): EndOfTurn {
  let turn: Promise<void> | undefined
  return () => {
    turn ??= new Promise((resolve) => {
      setImmediate(() => {
        turn = undefined
        resolve()
      })
    })
    return turn
  }
}
