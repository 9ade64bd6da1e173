import type { Clock } from '@auction/domain'
import type { AuctionId } from '@auction/domain/ids'
import type { Failure, Pauses } from './attempts.ts'
import type { SafeDeliveryObserver } from './observer.ts'

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
  readonly observer: SafeDeliveryObserver
  readonly pauses: Pauses
  /** Called when an outage begins or ends, and when its next probe may start. */
  readonly onChange: () => void
}

/** The number of different auctions in a row whose attempts fail before the subscriber counts as unavailable. */
export const failuresPerOutage = 5

type Outage = {
  readonly sinceMs: number
  failedProbes: number
  /** `due`: the next auction that starts is the probe. `paused`: none may start. */
  probe: AuctionId | 'due' | 'paused'
  cancelPause: () => void
}

export function createOutages({ name, clock, observer, pauses, onChange }: OutagesParts): Outages {
  /** The auctions whose attempts failed since the last success. */
  const failed = new Set<AuctionId>()
  let outage: Outage | undefined

  function pauseProbes(current: Outage, failure: Failure): void {
    current.failedProbes += 1
    current.probe = 'paused'
    current.cancelPause = clock.after(pauses.afterProbe(current.failedProbes, failure), () => {
      current.probe = 'due'
      onChange()
    })
  }

  return {
    isOut: () => outage !== undefined,
    mayStart(auctionId) {
      if (outage === undefined) return true
      if (outage.probe !== 'due') return false
      outage.probe = auctionId
      return true
    },
    release(auctionId) {
      if (outage?.probe === auctionId) outage.probe = 'due'
    },
    noteSuccess() {
      failed.clear()
      if (outage === undefined) return
      outage.cancelPause()
      observer.onOutage({ name, state: 'ends', lastedMs: clock.nowMs() - outage.sinceMs })
      outage = undefined
      onChange()
    },
    noteFailure(auctionId, failure) {
      failed.add(auctionId)
      if (outage !== undefined) {
        // Attempts that began before the outage are not probes.
        if (outage.probe === auctionId) pauseProbes(outage, failure)
      } else if (failed.size >= failuresPerOutage) {
        outage = { sinceMs: clock.nowMs(), failedProbes: 0, probe: 'paused', cancelPause: () => undefined }
        observer.onOutage({ name, state: 'begins', reason: failure.reason })
        pauseProbes(outage, failure)
        onChange()
      }
    },
    close: () => outage?.cancelPause(),
  }
}
