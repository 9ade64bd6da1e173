import type { Logger } from 'pino'

/** Logs when something begins to fail, and when it works again: one line each, however often that is reported. */
export function createOutageLog(logger: Logger, messages: { readonly begin: string; readonly end: string }) {
  let isOutage = false
  return {
    isOutage: (): boolean => isOutage,
    /** Reports a failure. Only the first of an outage is logged, with its facts. */
    begin(facts: object): void {
      if (isOutage) return
      isOutage = true
      logger.error(facts, messages.begin)
    },
    /** Reports a success. */
    end(): void {
      if (!isOutage) return
      isOutage = false
      logger.info(messages.end)
    },
  }
}
