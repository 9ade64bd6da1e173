import type { CallSignal, Store } from '@auction/domain/store'
import { isStoreUnavailable } from '@auction/domain/store-unavailable'
import type { Logger } from 'pino'

/** Whether requests should be sent to this server, as far as that follows from its store. */
export type Readiness = {
  /** Takes the store once it is open, and returns it with its writes watched. */
  watch(store: PingedStore): Store
  isOpen(): boolean
  /**
   * Whether the store is open, answers, and takes writes. However often this is asked, the store is asked once a second at most; after a
   * write that failed, it is asked to take another.
   */
  isReady(): Promise<boolean>
  /** Counts an error that was thrown to a caller. The log has one line when the store begins to fail, and one when it works again. */
  noteError(error: unknown): void
  /** Whether a probe has asked in the last minute: then somebody waits to hear that the server ends. */
  wasAskedLately(): boolean
  noteAsked(): void
  /** Asks no more. */
  close(): void
}

declare module 'fastify' {
  interface FastifyInstance {
    readonly readiness: Readiness
  }
}

export type PingedStore = Store & {
  /** Asks the store for a sign of life, and changes nothing in it. @throws when there is none */
  ping(): Promise<void>
}

const askAgainAfterMs = 1_000
// Kubernetes gives a probe one second if nothing is said.
const patienceMs = 900
const latelyMs = 60_000
/** How long nothing may have failed before the outage is over, so that one outage is two lines of the log. */
const calmMs = 5_000

export function createReadiness(logger: Logger): Readiness {
  const outages = createOutageLog(logger, isReady)
  let store: PingedStore | undefined
  let latest: Promise<boolean> | undefined
  let askedStoreAtMs = 0
  let isAsking = false
  let doWritesFail = false
  let askedAtMs: number | undefined

  function isReady(): Promise<boolean> {
    if (store === undefined) return Promise.resolve(false)
    if (latest === undefined || performance.now() - askedStoreAtMs >= askAgainAfterMs) {
      askedStoreAtMs = performance.now()
      latest = answersInTime(store)
    }
    return latest
  }

  async function answersInTime(asked: PingedStore): Promise<boolean> {
    // A store that hangs is not asked again until it has answered, or has given up.
    if (isAsking) {
      outages.note(new Error('the store still owes an answer'))
      return false
    }
    isAsking = true
    const { promise: late, reject } = Promise.withResolvers<never>()
    const patience = setTimeout(() => reject(new Error(`no answer within ${patienceMs} ms`)), patienceMs)
    const asking = ask(asked).finally(() => {
      isAsking = false
    })
    try {
      await Promise.race([asking, late])
      return true
    } catch (error) {
      outages.note(error)
      return false
    } finally {
      clearTimeout(patience)
    }
  }

  /** @throws when the store does not answer, or takes no writes */
  async function ask(asked: PingedStore): Promise<void> {
    await asked.ping()
    if (!doWritesFail) return
    // No client may send a write to a server that is not ready. The ids of this block are never handed out.
    const block = ((await asked.highestIdBlock('auctions')) ?? 0) + 1
    if ((await asked.claimIdBlock('auctions', block)) === 'taken') throw new Error('another process was first')
    doWritesFail = false
  }

  async function watched<Value>(write: Promise<Value>, signal?: CallSignal): Promise<Value> {
    try {
      const value = await write
      if (doWritesFail) latest = undefined
      doWritesFail = false
      return value
    } catch (error) {
      // A write that was given up before it began, as its caller had left, is no failure of the store, and has no cause.
      const isGivenUp = signal?.aborted === true && error instanceof Error && error.cause === undefined
      if (isStoreUnavailable(error) && !isGivenUp) {
        doWritesFail = true
        latest = Promise.resolve(false)
        askedStoreAtMs = performance.now()
        outages.note(error)
      }
      throw error
    }
  }

  return {
    watch(opened) {
      store = opened
      return {
        ...opened,
        insertAuction: (auction) => watched(opened.insertAuction(auction)),
        append: (entries, options) => watched(opened.append(entries, options), options?.signal),
        claimIdBlock: (kind, block) => watched(opened.claimIdBlock(kind, block)),
      }
    },
    isOpen: () => store !== undefined,
    isReady,
    noteError(error) {
      if (isStoreUnavailable(error)) outages.note(error)
    },
    wasAskedLately: () => askedAtMs !== undefined && performance.now() - askedAtMs < latelyMs,
    noteAsked() {
      askedAtMs = performance.now()
    },
    close: outages.close,
  }
}

/** One line when the store begins to fail, with the first error, and one when it works again. */
function createOutageLog(logger: Logger, isReady: () => Promise<boolean>) {
  let outage: { readonly beganAtMs: number; failedAtMs: number } | undefined
  let timer: NodeJS.Timeout | undefined

  async function look(): Promise<void> {
    const isWorking = await isReady()
    const nowMs = performance.now()
    if (outage === undefined || !isWorking || nowMs - outage.failedAtMs < calmMs) return
    logger.info({ ms: Math.round(outage.failedAtMs - outage.beganAtMs) }, 'the store works again')
    outage = undefined
    clearInterval(timer)
  }

  return {
    note(err: unknown): void {
      const nowMs = performance.now()
      if (outage !== undefined) {
        outage.failedAtMs = nowMs
        return
      }
      outage = { beganAtMs: nowMs, failedAtMs: nowMs }
      logger.warn({ err }, 'the store fails: what needs it is answered with 503 store-unavailable')
      timer = setInterval(look, askAgainAfterMs).unref()
    },
    close: () => clearInterval(timer),
  }
}
