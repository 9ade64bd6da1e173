import type { CloseDue } from '@auction/domain'
import { isStoreUnavailable } from '@auction/domain/errors'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Readiness } from './readiness.ts'

export type ClosingRun = 'complete' | 'incomplete' | 'failed'

// If nothing is due, a call is cheap: it does not read the store.
const everyMs = 1_000

/** Closes due auctions from when the server is ready until it closes. The service waits for a run in progress. */
export function closeDueRegularly(
  app: FastifyInstance,
  closeDue: CloseDue,
  readiness: Pick<Readiness, 'noteError'>,
  logger: Logger,
  onClosingRun?: (run: ClosingRun) => void,
): void {
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  let isFailing = false

  async function closeRepeatedly(): Promise<void> {
    try {
      const { left } = await closeDue()
      onClosingRun?.(left === 0 ? 'complete' : 'incomplete')
      report(left === 0 ? undefined : { left })
    } catch (err) {
      if (!isOver) onClosingRun?.('failed')
      readiness.noteError(err)
      if (!isStoreUnavailable(err)) report({ err })
    }
    if (!isOver) timer = setTimeout(closeRepeatedly, everyMs)
  }

  /** Logs one line when closing begins to fail, and one when it works again. */
  function report(trouble: object | undefined): void {
    if (isOver) return // The next start closes the rest.
    if (trouble !== undefined && !isFailing)
      logger.warn(trouble, 'ended auctions cannot be closed; the service keeps trying')
    if (trouble === undefined && isFailing) logger.info('ended auctions can be closed again')
    isFailing = trouble !== undefined
  }

  app.addHook('onReady', async () => void closeRepeatedly())
  app.addHook('onClose', async () => {
    isOver = true
    clearTimeout(timer)
  })
}
