import type { DeliveryFailed, DeliveryObserver } from '@auction/delivery'
import { createOutageLog, cut, onceAMinute } from '@auction/host/log'
import type { Logger } from 'pino'
import { messageId } from './messages.ts'

type OutageLog = ReturnType<typeof createOutageLog>

/**
 * Logs failed deliveries, at most one a minute, the beginning and the end of an outage of an endpoint, and each event
 * that is given up.
 */
export function logWebhooks(logger: Logger): DeliveryObserver {
  const outages = new Map<string, OutageLog>()
  const warn = onceAMinute<DeliveryFailed>((failures, failed) =>
    logger.warn({ ...fieldsOf(failed), failures }, 'a delivery failed; another attempt follows'),
  )
  return {
    onDeliveryFailed(failed) {
      if (outages.get(failed.name)?.isOutage() !== true) warn(failed)
    },
    onDeliveryGivenUp: (failed) =>
      logger.error(fieldsOf(failed), 'an event was given up after its last attempt; start --replay delivers it again'),
    onOutage(outage) {
      const { name: webhook } = outage
      const log = outages.get(webhook) ?? createOutageLog(logger, outageMessages)
      outages.set(webhook, log)
      if (outage.state === 'begins') log.begin({ webhook, reason: reasonOf(outage) })
      else log.end({ webhook, ms: Math.round(outage.lastedMs) })
    },
  }
}

const outageMessages = {
  level: 'warn',
  begin: 'all deliveries to an endpoint fail; single attempts continue',
  end: 'deliveries to an endpoint succeed again',
} as const

const fieldsOf = (failed: DeliveryFailed) => ({
  webhook: failed.name,
  id: messageId(failed),
  attempt: failed.attempt,
  reason: reasonOf(failed),
})

const reasonOf = ({ reason = 'unknown' }: Pick<DeliveryFailed, 'reason'>): string => cut(reason)
