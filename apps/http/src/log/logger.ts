import { inspect } from 'node:util'
import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino'
import type { Configuration } from '../configuration/configuration.ts'
import { cut } from './cut.ts'

/**
 * Makes the service's logger: one JSON object a line, in which errors are bounded, whatever their messages repeat. What clients choose
 * can neither move a terminal's cursor nor reorder what it shows.
 */
export const createLogger = (level: Configuration['logLevel'], destination: DestinationStream): Logger =>
  pino({ level, serializers: { err: boundedError } }, { write: (line) => destination.write(escaped(line)) })

// JSON escapes only those below the space. They stand in texts alone, where an escape has the same value.
const unescaped = /[\u007f-\u009f\u2028\u2029]|\p{Bidi_Control}/gu

const escaped = (line: string): string =>
  line.replace(unescaped, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

const longestStack = 8_000

/** An error with the stacks of its causes. Its other properties stay out: a driver may hang whole documents on them. */
function boundedError(thrown: unknown): object | string {
  if (!(thrown instanceof Error)) return cut(inspect(thrown, { depth: 1 }))
  const { type, message, stack, code } = stdSerializers.err(thrown)
  // A stack begins with the message, and must not end with it.
  const lines = stack.split('\n').map((line) => cut(line))
  return { type, code, message: cut(message), stack: cut(lines.join('\n'), longestStack) }
}
