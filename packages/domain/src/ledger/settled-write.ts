import type { SafeObserver, UnknownOutcome } from '../observer.ts'
import { isStoreUnavailable } from '../store/errors.ts'
import type { CallSignal } from '../store/store.ts'

/** A write of one or more ordered parts. Each part has unique keys, so sending it again stores it only once. */
export type Sending = {
  readonly what: UnknownOutcome['what']
  /** The number of parts. */
  readonly count: number
  /** Sends the parts from an index. Returns the number of stored parts; a key of the next part is taken. */
  readonly send: (from: number) => Promise<number>
  /** The number of parts from an index that are stored as sent. */
  readonly findOwn: (from: number) => Promise<number>
  /** Like `findOwn`, after a key of the first of them was taken. Default: `findOwn`. */
  readonly findOwnBehindTakenKey?: (from: number) => Promise<number>
  readonly signal: CallSignal
}

export type SendingContext = { readonly maxTries: number; readonly observer: SafeObserver | undefined }

/** The outcome. `stored` counts the stored parts from the first. */
export type Settled = { readonly stored: number } & (
  | { readonly outcome: 'stored' }
  /** A key of the next part belongs to another write. */
  | { readonly outcome: 'taken' }
  /** All callers stopped waiting. */
  | { readonly outcome: 'abandoned' }
  /** It is unknown whether the other parts are stored. */
  | { readonly outcome: 'unknown'; readonly error: unknown }
)

/**
 * Stores parts and determines the outcome. If a response is lost, the first parts may be stored, now or later. Parts
 * that are not found are sent again with the same keys, so they are stored only once. A taken key may also result from
 * an earlier call of this process, or from a driver, proxy or router that sent a call twice.
 */
export async function sendUntilSettled({ maxTries, observer }: SendingContext, sending: Sending): Promise<Settled> {
  const { what, count, send, findOwn, findOwnBehindTakenKey = findOwn, signal } = sending
  let stored = 0
  let failures = 0

  function addOwn(own: number): void {
    stored += own
    if (own > 0) observer?.onUnknownOutcome({ what, settled: 'found', count: own })
  }

  try {
    while (stored < count && !signal.aborted) {
      try {
        stored += await send(stored)
      } catch (error) {
        failures += 1
        addOwn(await findOwn(stored).catch(() => 0)) // The error of the call is the one to report.
        if (stored === count) break
        if (!isStoreUnavailable(error) || failures >= maxTries) throw error
        observer?.onUnknownOutcome({ what, settled: 'sent-again', count: count - stored })
        continue
      }
      if (stored === count) break
      const before = stored
      addOwn(await findOwnBehindTakenKey(stored))
      if (stored === before) return { outcome: 'taken', stored }
    }
    return { outcome: stored === count ? 'stored' : 'abandoned', stored }
  } catch (error) {
    observer?.onUnknownOutcome({ what, settled: 'given-up', count: count - stored })
    return { outcome: 'unknown', stored, error }
  }
}
