import { isStoreUnavailable } from '@auction/domain/store-unavailable'
import type { CloseDue } from '@auction/domain/use-cases/close-due'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Readiness } from './health.ts'
import type { ServerWatch } from './watch.ts'

// While nothing is due, a call costs next to nothing: the store is not asked.
const everyMs = 1_000

/**
 * Has the auctions closed that are due, from when the server is ready until it closes. What is under way then ends with the service.
 */
export function closeDueRegularly(
  app: FastifyInstance,
  closeDue: CloseDue,
  readiness: Pick<Readiness, 'noteError'>,
  logger: Logger,
  watch?: ServerWatch,
): void {
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  let isFailing = false

  async function closeAgainAndAgain(): Promise<void> {
    try {
      const { left } = await closeDue()
      watch?.onClosingRun?.(left === 0 ? 'complete' : 'incomplete')
      report(left === 0 ? undefined : { left })
    } catch (err) {
      if (!isOver) watch?.onClosingRun?.('failed')
      readiness.noteError(err)
      if (!isStoreUnavailable(err)) report({ err })
    }
    if (!isOver) timer = setTimeout(closeAgainAndAgain, everyMs)
  }

  /** One line when closing begins to fail, and one when it does not any more. */
  function report(trouble: object | undefined): void {
    if (isOver) return // What is left then is left to the next start.
    if (trouble !== undefined && !isFailing) logger.warn(trouble, 'auctions that have ended could not be closed')
    if (trouble === undefined && isFailing) logger.info('auctions that have ended are closed again')
    isFailing = trouble !== undefined
  }

  app.addHook('onReady', async () => void closeAgainAndAgain())
  app.addHook('onClose', async () => {
    isOver = true
    clearTimeout(timer)
  })
}
