import { isStoreUnavailable } from '@auction/domain/errors'
import type { CallSignal, Store } from '@auction/domain/store'
import { createOutageLog } from '@auction/host/log'
import { within } from '@auction/host/time'
import type { Logger } from 'pino'

export type Readiness = ReturnType<typeof createReadiness>

export type PingedStore = Store & {
  /** Checks that the store responds, without a write. @throws if it does not */
  ping(): Promise<void>
}

const checkEveryMs = 1_000
// The default timeout of a Kubernetes probe is one second.
const pingTimeoutMs = 900
const latelyMs = 60_000
/** The time without failures after which an outage is over, so that one outage has two log lines. */
const calmMs = 5_000

/** Whether the store of this server is ready for requests. */
export function createReadiness(logger: Logger) {
  const outages = createOutages(logger, isReady)
  const probe = createStoreProbe(outages.note)
  let store: PingedStore | undefined
  let latest: Promise<boolean> | undefined
  let checkedAtMs = 0
  let probedAtMs: number | undefined

  /** Whether the store is open, responds and accepts writes. The store is called at most once a second. */
  function isReady(): Promise<boolean> {
    if (store === undefined) return Promise.resolve(false)
    if (latest === undefined || performance.now() - checkedAtMs >= checkEveryMs) {
      checkedAtMs = performance.now()
      latest = probe.respondsInTime(store)
    }
    return latest
  }

  async function monitored<Value>(write: Promise<Value>, signal?: CallSignal): Promise<Value> {
    try {
      const value = await write
      if (probe.noteWrite('stored') === 'failed') latest = undefined
      return value
    } catch (error) {
      // A write that its caller cancelled before it began has no cause, and is not a failure of the store.
      const isCancelled = signal?.aborted === true && error instanceof Error && error.cause === undefined
      if (isStoreUnavailable(error) && !isCancelled) {
        probe.noteWrite('failed')
        latest = Promise.resolve(false)
        checkedAtMs = performance.now()
        outages.note(error)
      }
      throw error
    }
  }

  return {
    /** Sets the open store, and returns a store whose writes are monitored. */
    monitor(opened: PingedStore): Store {
      store = opened
      return {
        ...opened,
        insertAuction: (auction) => monitored(opened.insertAuction(auction)),
        append: (entries, options) => monitored(opened.append(entries, options), options?.signal),
        claimNextIdBlock: (kind) => monitored(opened.claimNextIdBlock(kind)),
      }
    },
    isOpen: (): boolean => store !== undefined,
    isReady,
    /** Notes an error of a request. The log has one line when the store begins to fail, and one when it works again. */
    noteError(error: unknown): void {
      if (isStoreUnavailable(error)) outages.note(error)
    },
    /** Whether a probe has called in the last minute. If so, the shutdown waits until the probe can see it. */
    wasProbedLately: (): boolean => probedAtMs !== undefined && performance.now() - probedAtMs < latelyMs,
    noteProbe(): void {
      probedAtMs = performance.now()
    },
    close: outages.close,
  }
}

/** Asks a store whether it responds and accepts writes, once at a time. Passes failures to `note`. */
function createStoreProbe(note: (error: unknown) => void) {
  let checking: Promise<void> | undefined
  let lastWrite: 'stored' | 'failed' = 'stored'

  async function respondsInTime(opened: PingedStore): Promise<boolean> {
    // A store that hangs is not asked again until the previous call ends.
    checking ??= check(opened).finally(() => {
      checking = undefined
    })
    try {
      if ((await within(pingTimeoutMs, checking)) === 'late') throw new Error(`no response within ${pingTimeoutMs} ms`)
      return true
    } catch (error) {
      note(error)
      return false
    }
  }

  /** @throws if the store does not respond or does not accept writes */
  async function check(opened: PingedStore): Promise<void> {
    await opened.ping()
    if (lastWrite === 'stored') return
    // A server that is not ready receives no writes, so the check makes one. The ids of this block are never used.
    await opened.claimNextIdBlock('auctions')
    lastWrite = 'stored'
  }

  return {
    respondsInTime,
    /** Notes the outcome of a write of a request, and returns that of the last one. */
    noteWrite(outcome: typeof lastWrite): typeof lastWrite {
      const last = lastWrite
      lastWrite = outcome
      return last
    },
  }
}

/** Logs the outages of the store. One is over when the store responds and no request has failed for a while. */
function createOutages(logger: Logger, isReady: () => Promise<boolean>) {
  const log = createOutageLog(logger, {
    level: 'warn',
    begin: 'the store is unavailable: requests that need it return 503 store-unavailable',
    end: 'the store is available again',
  })
  let beganAtMs = 0
  let failedAtMs = 0
  let timer: NodeJS.Timeout | undefined

  async function endIfOver(): Promise<void> {
    const isWorking = await isReady()
    if (!log.isOutage() || !isWorking || performance.now() - failedAtMs < calmMs) return
    log.end({ ms: Math.round(failedAtMs - beganAtMs) })
    clearInterval(timer)
  }

  return {
    note(err: unknown): void {
      failedAtMs = performance.now()
      if (log.isOutage()) return
      beganAtMs = failedAtMs
      log.begin({ err })
      timer = setInterval(endIfOver, checkEveryMs).unref()
    },
    close: () => clearInterval(timer),
  }
}
