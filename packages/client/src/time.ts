/** Waits. Rejects with the reason of the signal when it is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const finish = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', finish)
      if (signal?.aborted) reject(signal.reason)
      else resolve()
    }
    const timer = setTimeout(finish, ms)
    signal?.addEventListener('abort', finish)
  })
}

export type Link = { readonly signal: AbortSignal; readonly close: () => void }

/**
 * A signal that is aborted with the caller's signal and by `close`. Unlike `AbortSignal.any`, it leaves no listener, and does not depend
 * on the garbage collector.
 */
export function createLink(signal: AbortSignal | undefined): Link {
  const controller = new AbortController()
  const close = (): void => {
    signal?.removeEventListener('abort', close)
    controller.abort()
  }
  if (signal?.aborted) controller.abort()
  else signal?.addEventListener('abort', close)
  return { signal: controller.signal, close }
}

/** Rejects with the reason of the signal if it is aborted first. */
export function unlessAborted<Value>(pending: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
    pending.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

/** Timers cannot wait longer. */
const longestTimerMs = 2 ** 31 - 1

/** The value of a promise; undefined if it is pending for this time. */
export function unlessDue<Value>(pending: Promise<Value>, ms: number): Promise<{ readonly value: Value } | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), Math.min(Number.isNaN(ms) ? longestTimerMs : ms, longestTimerMs))
    pending.then((value) => resolve({ value }), reject).finally(() => clearTimeout(timer))
  })
}

const silenceCheckMs = 5_000

/** Calls `onSilent` if a promise is pending for this time. Compares wall clocks, because timers stop while a device sleeps. */
export async function unlessSilent<Value>(
  pending: Promise<Value>,
  silenceMs: number,
  onSilent: () => void,
): Promise<Value> {
  const sinceMs = Date.now()
  const check = setInterval(() => Math.abs(Date.now() - sinceMs) > silenceMs && onSilent(), silenceCheckMs)
  try {
    return await pending
  } finally {
    clearInterval(check)
  }
}

/** The time of the server, by the responses so far. It does not depend on the clock of the device, except before the first response. */
export function createServerClock() {
  let aheadMs = Number.NEGATIVE_INFINITY
  return {
    nowMs: (): number => (aheadMs === Number.NEGATIVE_INFINITY ? Date.now() : performance.now() + aheadMs),
    /** Networks and caches only make a time of the server older, so the largest difference is the best. */
    note(time: unknown): void {
      const serverMs = typeof time === 'string' ? Date.parse(time) : Number.NaN
      if (!Number.isNaN(serverMs)) aheadMs = Math.max(aheadMs, serverMs - performance.now())
    },
  }
}
