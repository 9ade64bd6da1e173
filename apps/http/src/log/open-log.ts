import { writeSync } from 'node:fs'
import type { Logger } from 'pino'
import type { Configuration } from '../configuration/configuration.ts'
import { createBoundedWriter } from './bounded-writer.ts'
import { createLogger } from './logger.ts'

/** Some 4,000 lines, and little of a server's memory. */
export const maxWaitingBytes = 1024 * 1024

export type Log = {
  readonly logger: Logger
  /** Waits until the lines so far are written, but no longer than this. */
  drain(longestMs: number): Promise<void>
}

/** The process's log, on its standard output or standard error: JSON, or on a terminal, text for people. Call it once. */
export async function openLog(
  level: Configuration['logLevel'],
  stream: NodeJS.WriteStream & { readonly fd: 1 | 2 },
): Promise<Log> {
  // Node makes a pipe non-blocking when it makes the stream, so that a write to it never waits; what a terminal or a file
  // does not take at once, it waits for, as Node itself does.
  const { fd } = stream
  const writer = createBoundedWriter((bytes) => writeSync(fd, bytes), {
    maxWaitingBytes,
    onDropped: (dropped) => {
      const level = logger.isLevelEnabled('warn') ? 'warn' : 'fatal'
      logger[level]({ dropped }, 'lines of the log were dropped here: its reader was too slow')
    },
  })
  const pretty = stream.isTTY ? await loadPrettyLines(stream) : undefined
  const logger = createLogger(level, pretty ? { write: (line) => writer.write(pretty(line)) } : writer)
  process.once('exit', writer.flush)
  return { logger, drain: writer.drain }
}

/** With colours, unless `NO_COLOR` or the terminal is against them. */
async function loadPrettyLines(terminal: NodeJS.WriteStream): Promise<(line: string) => string> {
  const { createPrettyLines } = await import('./pretty-lines.ts')
  return createPrettyLines(terminal.hasColors())
}
