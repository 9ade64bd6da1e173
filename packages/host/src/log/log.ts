import { inspect } from 'node:util'
import { type DestinationStream, type LevelWithSilent, type Logger, pino, stdSerializers } from 'pino'
import { within } from '../time.ts'

/** About 4,000 lines. */
export const maxWaitingLength = 1024 * 1024

export type Log = Awaited<ReturnType<typeof openLog>>

/**
 * Opens the process's log on its standard output or standard error: JSON, or readable text on a terminal. Unread lines
 * wait in the stream, up to a limit. Lines beyond it are dropped, and a line reports their number when the stream has
 * drained.
 */
export async function openLog(level: LevelWithSilent, stream: NodeJS.WriteStream) {
  const format = stream.isTTY ? await createTerminalFormat(stream.hasColors()) : undefined
  let dropped = 0

  function write(line: string): void {
    if (stream.writableLength + line.length > maxWaitingLength) {
      dropped += 1
      return
    }
    // The lines of one turn of the event loop are one write.
    if (stream.writableCorked === 0) {
      stream.cork()
      setImmediate(() => stream.uncork())
    }
    stream.write(format === undefined ? line : format(line))
  }

  const logger = createLogger(level, { write })
  stream.on('drain', () => {
    if (dropped === 0) return
    const noticeLevel = logger.isLevelEnabled('warn') ? 'warn' : 'fatal'
    logger[noticeLevel]({ dropped }, 'log lines were dropped because their reader was too slow')
    dropped = 0
  })
  // The service keeps running if its log cannot be written, because the reader has closed it or the disk is full.
  stream.on('error', () => undefined)
  process.once('exit', () => stream.uncork())
  return {
    logger,
    /** Waits until the lines so far are written, at most this long. */
    drain: (longestMs: number): Promise<unknown> =>
      within(longestMs, new Promise<void>((resolve) => stream.write('', () => resolve()))),
  }
}

export async function createTerminalFormat(colorize: boolean): Promise<(line: string) => string> {
  const { prettyFactory } = await import('pino-pretty')
  return prettyFactory({
    colorize,
    colorizeObjects: false,
    translateTime: 'SYS:HH:MM:ss.l',
    singleLine: true,
    messageFormat:
      '{if method}{method} {path} {status} {end}{if code}{code} {end}{if msg}{msg} {end}{if ms}({ms} ms){end}',
    // The message contains them.
    ignore: 'pid,hostname,method,path,status,code,ms',
  })
}

/** One JSON object per line. Text from clients can neither move the cursor of a terminal nor reorder its output. */
export const createLogger = (level: LevelWithSilent, destination: DestinationStream): Logger =>
  pino({ level, serializers: { err: boundedError }, hooks: { streamWrite: withoutControls } }, destination)

// Control and bidirectional characters, as JSON has them: escaped or not. Line feeds and tabs stay.
const controls = /\\\\|\\u00[01][0-9a-f]|\\[bfr]|[\u007f-\u009f\u2028\u2029]|\p{Bidi_Control}/gu

/** Replaces each control character in a line of JSON with the text of its escape, which stays text after parsing. */
const withoutControls = (line: string): string =>
  line.replace(controls, (control) => {
    if (control === '\\\\') return control
    if (control.startsWith('\\')) return `\\${control}`
    return `\\\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`
  })

const longestStack = 8_000

/**
 * An error with the stacks of its causes, without its other properties: a driver may attach whole documents to them.
 */
function boundedError(thrown: unknown): object | string {
  if (!(thrown instanceof Error)) return cut(inspect(thrown, { depth: 1 }))
  const { type, message, stack, code } = stdSerializers.err(thrown)
  // A stack begins with the message, which may have any length.
  const lines = stack.split('\n').map((line) => cut(line))
  return { type, code, message: cut(message), stack: cut(lines.join('\n'), longestStack) }
}

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
