import type { Logger } from 'pino'
import { onceAMinute } from '../log/once-a-minute.ts'
import type { DropReason, ServerWatch } from '../server/watch.ts'

export type ReportDropped = (reason: DropReason, facts?: object) => void

const closes = 'closes the one that has been idle longest'

/** Returns a function that counts each dropped connection, and logs each reason at most once a minute. */
export function createDropReport(logger: Logger, watch?: ServerWatch): ReportDropped {
  const logAs = (message: string) => onceAMinute<object>((closed, facts) => logger.warn({ ...facts, closed }, message))
  const logs: Readonly<Record<DropReason, (facts: object) => void>> = {
    'too-many-connections': logAs(`MAX_CONNECTIONS is reached: each new connection ${closes}`),
    'too-many-of-address': logAs(
      `half of MAX_CONNECTIONS are in use, and an address has MAX_CONNECTIONS_PER_ADDRESS or more: a new connection ${closes} of them; if it is a proxy, name it in TRUST_PROXY`,
    ),
    pipelined: logAs('closing connections on which a request arrived before the last response was complete'),
  }

  return (reason, facts = {}) => {
    logs[reason](facts)
    watch?.onDroppedConnection?.(reason)
  }
}
