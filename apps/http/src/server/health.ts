import type { Logger } from 'pino'

/** Whether requests should be sent to this server. */
export type Readiness = {
  /** Whether the store answers. However often this is asked, the store is asked once a second at most. */
  storeAnswers(): Promise<boolean>
  /** Whether a probe has asked in the last minute: then somebody waits to hear that the server ends. */
  wasAskedLately(): boolean
  noteAsked(): void
}

declare module 'fastify' {
  interface FastifyInstance {
    readonly readiness: Readiness
  }
}

/** Asks the store for a sign of life, and changes nothing in it. @throws when there is none */
export type Ping = () => Promise<void>

const askAgainAfterMs = 1_000
// Kubernetes gives a probe one second if nothing is said.
const patienceMs = 900
const latelyMs = 60_000

export function createReadiness(ping: Ping, logger: Logger, nowMs: () => number = () => performance.now()): Readiness {
  let latest: Promise<boolean> | undefined
  let askedStoreAtMs = 0
  let isPinging = false
  let didAnswer = true
  let askedAtMs: number | undefined

  async function askStore(): Promise<boolean> {
    // A store that hangs is not asked again until it has answered the ping before, or has given it up.
    if (isPinging) return report(new Error('the store still owes an answer'))
    isPinging = true
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(new Error(`no answer within ${patienceMs} ms`)), patienceMs)
    const pinging = ping().finally(() => {
      isPinging = false
    })
    try {
      await Promise.race([pinging, late])
      return report(undefined)
    } catch (err) {
      return report(err)
    } finally {
      clearTimeout(timer)
    }
  }

  /** One line when the store stops answering, and one when it answers again. */
  function report(err: unknown): boolean {
    const answers = err === undefined
    if (didAnswer && !answers) logger.warn({ err }, 'not ready: the store does not answer')
    if (!didAnswer && answers) logger.info('ready again: the store answers')
    didAnswer = answers
    return answers
  }

  return {
    storeAnswers() {
      if (latest === undefined || nowMs() - askedStoreAtMs >= askAgainAfterMs) {
        askedStoreAtMs = nowMs()
        latest = askStore()
      }
      return latest
    },
    wasAskedLately: () => askedAtMs !== undefined && nowMs() - askedAtMs < latelyMs,
    noteAsked() {
      askedAtMs = nowMs()
    },
  }
}
