import { inspect } from 'node:util'
import { type DestinationStream, type LevelWithSilent, type Logger, pino, stdSerializers } from 'pino'
import { cut } from './cut.ts'

/** One JSON object per line. Text from clients can neither move the cursor of a terminal nor reorder its output. */
export const createLogger = (level: LevelWithSilent, destination: DestinationStream): Logger =>
  pino({ level, serializers: { err: boundedError }, hooks: { streamWrite: withoutControls } }, destination)

// Control and bidirectional characters, as JSON has them: escaped or not. Line feeds and tabs stay.
const controls = /\\\\|\\u00[01][0-9a-f]|\\[bfr]|[\u007f-\u009f\u2028\u2029]|\p{Bidi_Control}/gu

/** Replaces each control character in a line of JSON with the text of its escape, which stays text after parsing. */
const withoutControls = (line: string): string =>
  line.replace(controls, (found) => {
    if (found === '\\\\') return found
    if (found.startsWith('\\')) return `\\${found}`
    return `\\\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`
  })

const longestStack = 8_000

/** An error with the stacks of its causes, without its other properties: a driver may attach whole documents to them. */
function boundedError(thrown: unknown): object | string {
  if (!(thrown instanceof Error)) return cut(inspect(thrown, { depth: 1 }))
  const { type, message, stack, code } = stdSerializers.err(thrown)
  // A stack begins with the message, which may have any length.
  const lines = stack.split('\n').map((line) => cut(line))
  return { type, code, message: cut(message), stack: cut(lines.join('\n'), longestStack) }
}
