/** Whether a client has left. */
type Client = { readonly destroyed: boolean }

/**
 * Waits for the next turn of an address: true when it comes; false when too many clients wait there, or when the client has left.
 */
export type NextTurn = (address: string, client: Client) => Promise<boolean>

type Waiting = { readonly client: Client; readonly resolve: (hasTurn: boolean) => void }

const betweenMs = 2
// So the longest wait is a second. One address has 250 connections by default, each of which waits with one token.
const mostWaiting = 500

/**
 * Bounds what a flood of junk tokens costs, and lets valid ones through it: only a verification tells them apart. Each address gets a
 * turn every 2 ms, in the order of arrival. As clients have to wait for their turn, a flood from a bounded number of connections is
 * slowed down to the rate at which it is verified, and a valid token waits no longer than each of the others.
 */
export function createVerificationTurns(): NextTurn {
  const queues = new Map<string, Set<Waiting>>()

  function planTurns(address: string, queue: Set<Waiting>, dueMs: number): void {
    setTimeout(giveTurns, Math.max(0, dueMs - performance.now()), address, queue, dueMs)
  }

  /** Gives the turns that are due: several, where the event loop was busy. An address without a queue is forgotten. */
  function giveTurns(address: string, queue: Set<Waiting>, dueMs: number): void {
    let nextMs = dueMs
    removeGone(queue)
    for (const nowMs = performance.now(); nextMs <= nowMs; nextMs += betweenMs) {
      const [next] = queue
      if (next === undefined) {
        queues.delete(address)
        return
      }
      queue.delete(next)
      next.resolve(true)
    }
    planTurns(address, queue, nextMs)
  }

  return async (address, client) => {
    const queue = queues.get(address)
    if (queue === undefined) {
      const begun = new Set<Waiting>()
      queues.set(address, begun)
      planTurns(address, begun, performance.now() + betweenMs)
      return true
    }
    if (queue.size >= mostWaiting) removeGone(queue)
    if (queue.size >= mostWaiting) return false
    return new Promise((resolve) => queue.add({ client, resolve }))
  }
}

/** A client that has left needs no turn, and must not take the place of one that waits. */
function removeGone(queue: Set<Waiting>): void {
  for (const waiting of queue) {
    if (!waiting.client.destroyed) continue
    queue.delete(waiting)
    waiting.resolve(false)
  }
}
