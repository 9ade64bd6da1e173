import type { Logger } from 'pino'

// Every path, subject or message that is meant to be read is shorter.
const maxLength = 500

/** Shortens a text for the log, with a mark. Clients and databases may send texts of any length. */
export function cut(text: string, max = maxLength): string {
  if (text.length <= max) return text
  // The cut may split a character of two code units.
  return `${text.slice(0, max).toWellFormed()}… (cut; ${text.length} characters)`
}

const minuteMs = 60_000

/**
 * Limits a report to one a minute. It receives how many times it was requested since the last one, and the latest
 * value.
 */
export function onceAMinute<Value = void>(report: (times: number, latest: Value) => void): (value: Value) => void {
  let times = 0
  let quietUntilMs = 0

  return (value) => {
    times += 1
    if (performance.now() < quietUntilMs) return
    report(times, value)
    times = 0
    quietUntilMs = performance.now() + minuteMs
  }
}

type OutageMessages = { readonly level: 'warn' | 'error'; readonly begin: string; readonly end: string }

/** Logs when something begins to fail, and when it works again: one line each, however often that is reported. */
export function createOutageLog(logger: Logger, { level, begin, end }: OutageMessages) {
  let isOutage = false
  return {
    isOutage: (): boolean => isOutage,
    /** Reports a failure. Only the first of an outage is logged, with its facts. */
    begin(facts: object): void {
      if (isOutage) return
      isOutage = true
      logger[level](facts, begin)
    },
    /** Reports a success. */
    end(facts: object = {}): void {
      if (!isOutage) return
      isOutage = false
      logger.info(facts, end)
    },
  }
}
