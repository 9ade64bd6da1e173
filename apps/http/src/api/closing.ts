import type { CloseDue } from '@auction/domain'
import { isStoreUnavailable } from '@auction/domain/errors'
import { createOutageLog } from '@auction/host/log'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Readiness } from './readiness.ts'

export type ClosingRun = 'complete' | 'incomplete' | 'failed'

// A call is cheap if nothing is due: it does not read the store.
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
  const outage = createOutageLog(logger, {
    level: 'warn',
    begin: 'ended auctions cannot be closed; the service keeps trying',
    end: 'ended auctions can be closed again',
  })

  async function closeRepeatedly(): Promise<void> {
    try {
      const { left } = await closeDue()
      if (isOver) return // The next start closes the rest.
      onClosingRun?.(left === 0 ? 'complete' : 'incomplete')
      if (left === 0) outage.end()
      else outage.begin({ left })
    } catch (err) {
      readiness.noteError(err)
      if (isOver) return
      onClosingRun?.('failed')
      if (!isStoreUnavailable(err)) outage.begin({ err })
    }
    timer = setTimeout(closeRepeatedly, everyMs)
  }

  app.addHook('onReady', async () => void closeRepeatedly())
  app.addHook('onClose', async () => {
    isOver = true
    clearTimeout(timer)
  })
}
