import type { Clock } from '../../clock.ts'
import type { SafeObserver } from '../../observer.ts'
import type { AuctionId } from '../../values/ids.ts'
import type { createPauses, Failure } from './attempts.ts'

/** Tracks whether all deliveries to a subscriber fail. If so, one attempt at a time, the probe, shows whether that is over. */
export type Outages = {
  readonly isOut: () => boolean
  /** Whether the events of an auction may be attempted now. In an outage, it is the probe until it succeeds, fails or is released. */
  mayStart(auctionId: AuctionId): boolean
  /** The auction has no more events to attempt now. If it was the probe, another auction may be. */
  release(auctionId: AuctionId): void
  noteSuccess(): void
  noteFailure(auctionId: AuctionId, failure: Failure): void
  close(): void
}

export type OutagesParts = {
  /** The name of the subscriber. */
  readonly name: string
  readonly clock: Clock
  readonly observer: SafeObserver | undefined
  readonly pauses: ReturnType<typeof createPauses>
  readonly onBegin: () => void
  /** Called when the next probe may start, or the outage is over. */
  readonly onMayStart: () => void
}

/** The number of different auctions in a row whose attempts fail before the subscriber counts as unavailable. */
export const failuresPerOutage = 5

type Outage = {
  readonly sinceMs: number
  probes: number
  probe: AuctionId | undefined
  isProbeDue: boolean
  cancel: () => void
}

export function createOutages({ name, clock, observer, pauses, onBegin, onMayStart }: OutagesParts): Outages {
  /** The auctions whose attempts failed since the last success. */
  const failed = new Set<AuctionId>()
  let outage: Outage | undefined

  return {
    isOut: () => outage !== undefined,
    mayStart(auctionId) {
      if (outage === undefined) return true
      if (!outage.isProbeDue) return false
      outage.isProbeDue = false
      outage.probe = auctionId
      return true
    },
    release(auctionId) {
      if (outage?.probe !== auctionId) return
      outage.probe = undefined
      outage.isProbeDue = true
    },
    noteSuccess() {
      failed.clear()
      if (outage === undefined) return
      outage.cancel()
      observer?.onOutage({ name, state: 'ends', lastedMs: clock.nowMs() - outage.sinceMs })
      outage = undefined
      onMayStart()
    },
    noteFailure(auctionId, failure) {
      failed.add(auctionId)
      if (outage === undefined) {
        if (failed.size < failuresPerOutage) return
        const sinceMs = clock.nowMs()
        outage = { sinceMs, probes: 0, probe: auctionId, isProbeDue: false, cancel: () => undefined }
        observer?.onOutage({ name, state: 'begins', reason: failure.reason })
        onBegin()
      }
      const current = outage
      // Attempts that began before the outage are not probes.
      if (current.probe !== auctionId) return
      current.probe = undefined
      current.probes += 1
      current.cancel = clock.after(pauses.afterProbe(current.probes, failure), () => {
        current.isProbeDue = true
        onMayStart()
      })
    },
    close: () => outage?.cancel(),
  }
}
