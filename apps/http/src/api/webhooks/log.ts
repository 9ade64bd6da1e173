import type { DeliveryFailed, DeliveryObserver } from '@auction/delivery'
import { cut, onceAMinute } from '@auction/host/brief-log'
import type { Logger } from 'pino'
import { messageId } from './messages.ts'

/** Logs failed deliveries, at most one a minute, the beginning and the end of an outage of an endpoint, and each event that is given up. */
export function logWebhooks(logger: Logger): DeliveryObserver {
  const unavailable = new Set<string>()
  const warn = onceAMinute<DeliveryFailed>((failures, failed) =>
    logger.warn({ ...fieldsOf(failed), failures }, 'a delivery failed; another attempt follows'),
  )
  return {
    onDeliveryFailed(failed) {
      if (!unavailable.has(failed.name)) warn(failed)
    },
    onDeliveryGivenUp: (failed) =>
      logger.error(fieldsOf(failed), 'an event was given up after its last attempt; start --replay delivers it again'),
    onOutage(outage) {
      const { name: webhook } = outage
      if (outage.state === 'begins') {
        unavailable.add(webhook)
        logger.warn(
          { webhook, reason: reasonOf(outage) },
          'all deliveries to an endpoint fail; single attempts continue',
        )
      } else {
        unavailable.delete(webhook)
        logger.info({ webhook, ms: Math.round(outage.lastedMs) }, 'deliveries to an endpoint succeed again')
      }
    },
  }
}

const fieldsOf = (failed: DeliveryFailed) => ({
  webhook: failed.name,
  id: messageId(failed),
  attempt: failed.attempt,
  reason: reasonOf(failed),
})

const reasonOf = ({ reason = 'unknown' }: Pick<DeliveryFailed, 'reason'>): string => cut(reason)
