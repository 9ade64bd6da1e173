import type { ReadSignal } from '@auction/domain/store'
import type { PendingCalls } from './pending-calls.ts'
import type { Read } from './protocol.ts'

/** Reads on their way to the thread, few at a time, so that writes and pings wait for no more than those. */
export type ReadQueue = {
  /** Sends a call that is pending when its turn comes, if it is pending then, and the signal is not aborted. */
  add(read: Read, signal: ReadSignal | undefined): void
  /** A call has its reply. */
  noteReply(call: number): void
  /** Sends all that waits: the thread is to end when it has done that. */
  flush(): void
  /** The thread has ended, and all calls with it. */
  clear(): void
}

/** How many reads the thread has at once: one that it does, and the next one, so that it need not wait for it. */
const maxSent = 2

export function createReadQueue(pending: Pick<PendingCalls, 'has' | 'settle'>, post: (read: Read) => void): ReadQueue {
  const waiting: { readonly read: Read; readonly signal: ReadSignal | undefined }[] = []
  const sent = new Set<number>()
  let limit = maxSent

  function sendNext(): void {
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      const { read, signal } = next
      const isGivenUp = !pending.has(read.call)
      // Those that were given up are the first, as all have the same time: they go even if the thread takes no more.
      if (sent.size >= limit && !isGivenUp) return
      waiting.shift()
      if (isGivenUp) continue
      if (signal?.aborted) {
        pending.settle({ call: read.call, fault: { kind: 'unavailable', message: 'its caller no longer waits' } })
      } else {
        sent.add(read.call)
        post(read)
      }
    }
  }

  return {
    add(read, signal) {
      waiting.push({ read, signal })
      sendNext()
    },
    noteReply(call) {
      if (sent.delete(call)) sendNext()
    },
    flush() {
      limit = Number.POSITIVE_INFINITY
      sendNext()
    },
    clear() {
      waiting.length = 0
      sent.clear()
    },
  }
}
