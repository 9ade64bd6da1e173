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
  | { readonly outcome: Known }
  /** Whether the other parts are stored, or will be, could not be found out. */
  | { readonly outcome: 'unknown'; readonly error: unknown }
)

/** All is stored; or a key of the next part belongs to something else; or nobody waited any more for what was left. */
type Known = 'stored' | 'taken' | 'withdrawn'

/**
 * Stores something, and finds out what became of it. Where an answer is lost, any first parts may be stored, now or in a moment: what
 * is not found is sent again as it was, with the same keys, so that it is stored once even if the first one arrives after all. A taken
 * key may be one's own doing as well, of a call that was thought lost, or that a driver, a proxy or a router has sent twice.
 */
export async function sendUntilSettled({ maxTries, observer }: SendingContext, sending: Sending): Promise<Settled> {
  const { what, count, send, findOwn, findOwnBehindTakenKey = findOwn, signal } = sending
  let stored = 0
  let failures = 0

  async function addOwn(finding: Promise<number>): Promise<number> {
    const own = await finding
    stored += own
    if (own > 0) observer?.onUnknownOutcome({ what, settled: 'found', count: own })
    return own
  }

  /** One try; undefined where another one may store what is left. */
  async function tryOnce(): Promise<Known | undefined> {
    if (signal.aborted) return 'withdrawn'
    try {
      stored += await send(stored)
    } catch (error) {
      failures += 1
      await addOwn(findOwn(stored)).catch(() => undefined) // The error of the call is the one to tell.
      if (stored === count) return 'stored'
      if (!isStoreUnavailable(error) || failures >= maxTries) throw error
      observer?.onUnknownOutcome({ what, settled: 'sent-again', count: count - stored })
      return undefined
    }
    if (stored === count) return 'stored'
    const own = await addOwn(findOwnBehindTakenKey(stored))
    if (stored === count) return 'stored'
    return own === 0 ? 'taken' : undefined
  }

  try {
    for (;;) {
      const outcome = await tryOnce()
      if (outcome !== undefined) return { outcome, stored }
    }
  } catch (error) {
    observer?.onUnknownOutcome({ what, settled: 'given-up', count: count - stored })
    return { outcome: 'unknown', stored, error }
  }
}
