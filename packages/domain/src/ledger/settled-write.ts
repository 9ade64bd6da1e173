import type { SafeObserver, UnknownOutcome } from '../observer.ts'
import type { CallSignal } from '../store.ts'
import { isStoreUnavailable } from '../store-unavailable.ts'

/** Something of one or more parts that is stored in order, once, however often it is sent: each part has keys that nothing else has. */
export type Sending = {
  readonly what: UnknownOutcome['what']
  /** How many parts there are. */
  readonly count: number
  /** Sends the parts from one on. Returns how many of them are stored; a key of the next one is taken. */
  readonly send: (from: number) => Promise<number>
  /** How many of the parts from one on are stored, as they were sent. */
  readonly findOwn: (from: number) => Promise<number>
  /** The same where a key of the first of them was taken; `findOwn`, if left out. */
  readonly findOwnBehindTakenKey?: (from: number) => Promise<number>
  readonly signal: CallSignal
}

export type SendingContext = { readonly maxTries: number; readonly observer: SafeObserver | undefined }

/** How far it was stored: `stored` counts its parts, from the first on. */
export type Settled = { readonly stored: number } & (
  | { readonly outcome: 'stored' }
  /** A key of the next part belongs to something else. */
  | { readonly outcome: 'taken' }
  /** Whether the other parts are stored, or will be, could not be found out. */
  | { readonly outcome: 'unknown'; readonly error: unknown }
  /** Nobody waited any more for what was left. */
  | { readonly outcome: 'withdrawn' }
)

/**
 * Stores something, and finds out what became of it. Where an answer is lost, any first parts may be stored, now or in a moment: what
 * is not found is sent again as it was, with the same keys, so that it is stored once even if the first one arrives after all. A taken
 * key may be one's own doing as well, of a call that was thought lost, or that a driver, a proxy or a router has sent twice.
 */
export async function sendUntilSettled({ maxTries, observer }: SendingContext, sending: Sending): Promise<Settled> {
  const { what, count, send, findOwn, findOwnBehindTakenKey = findOwn, signal } = sending
  let stored = 0

  function addOwn(own: number): void {
    stored += own
    if (own > 0) observer?.onUnknownOutcome({ what, settled: 'found', count: own })
  }

  function giveUp(error: unknown): Settled {
    observer?.onUnknownOutcome({ what, settled: 'given-up', count: count - stored })
    return { outcome: 'unknown', stored, error }
  }

  for (let failures = 0; ; ) {
    if (signal.aborted) return { outcome: 'withdrawn', stored }
    try {
      stored += await send(stored)
    } catch (error) {
      failures += 1
      addOwn(await findOwn(stored).catch(() => 0)) // The error of the call is the one to tell.
      if (stored === count) return { outcome: 'stored', stored }
      if (!isStoreUnavailable(error) || failures >= maxTries) return giveUp(error)
      observer?.onUnknownOutcome({ what, settled: 'sent-again', count: count - stored })
      continue
    }
    if (stored === count) return { outcome: 'stored', stored }
    try {
      const own = await findOwnBehindTakenKey(stored)
      addOwn(own)
      if (stored === count) return { outcome: 'stored', stored }
      if (own === 0) return { outcome: 'taken', stored }
    } catch (error) {
      return giveUp(error) // What took the key may be its own.
    }
  }
}
