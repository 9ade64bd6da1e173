import { errorOf, unavailable } from './errors.ts'
import type { Reply, Value } from './protocol.ts'

/** The calls that wait for their reply, each for so long at the most. */
export type PendingCalls = {
  readonly count: () => number
  /** Resolves when the call has its reply. `what` completes "SQLite could not …". @throws StoreUnavailableError when none comes */
  add(call: number, what: string): Promise<Value>
  /** Whether somebody waits for the call still. */
  has(call: number): boolean
  settle(reply: Reply): void
  /** Fails all that wait. */
  fail(reason: string): void
}

type Pending = {
  readonly what: string
  readonly giveUpAtMs: number
  readonly resolve: (value: Value) => void
  readonly reject: (error: Error) => void
}

/** @param onIdle is told when none waits any more */
export function createPendingCalls(timeoutMs: number, onIdle: () => void): PendingCalls {
  // In the order in which they were made, and so in that in which they are given up: one timer is enough.
  const pending = new Map<number, Pending>()
  let isTiming = false

  function giveUpIn(ms: number): void {
    isTiming = true
    setTimeout(giveUpLate, ms).unref()
  }

  function giveUpLate(): void {
    isTiming = false
    const nowMs = performance.now()
    for (const [call, { what, giveUpAtMs, reject }] of pending) {
      if (giveUpAtMs > nowMs) {
        giveUpIn(giveUpAtMs - nowMs)
        return
      }
      pending.delete(call)
      reject(unavailable(what, `no answer within ${timeoutMs} ms`))
    }
    onIdle()
  }

  return {
    count: () => pending.size,

    add(call, what) {
      if (!isTiming) giveUpIn(timeoutMs)
      const giveUpAtMs = performance.now() + timeoutMs
      return new Promise((resolve, reject) => {
        pending.set(call, { what, giveUpAtMs, resolve, reject })
      })
    },

    has: (call) => pending.has(call),

    settle(reply) {
      const found = pending.get(reply.call)
      if (found === undefined) return // It was given up.
      pending.delete(reply.call)
      if ('value' in reply) found.resolve(reply.value)
      else found.reject(errorOf(found.what, reply.fault))
      if (pending.size === 0) onIdle()
    },

    fail(reason) {
      for (const { what, reject } of pending.values()) reject(unavailable(what, reason))
      pending.clear()
      onIdle()
    },
  }
}
