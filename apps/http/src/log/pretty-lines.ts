import { type PrettyOptions, prettyFactory } from 'pino-pretty'

/** Makes of a line of the log one that people take in at a glance. */
export function createPrettyLines(hasColors: boolean): (line: string) => string {
  const pretty = prettyFactory({
    colorize: hasColors,
    colorizeObjects: false,
    translateTime: 'SYS:HH:MM:ss.l',
    singleLine: true,
    ignore: `pid,hostname,${inMessage.join(',')}`,
    messageFormat: messageOf,
  })
  // What is no line of the log comes back as it is.
  return (line) => pretty(withoutControls(line))
}

/** Stands in the message, and so not beside it. */
const inMessage = ['method', 'path', 'status', 'code', 'ms'] as const

const messageOf: Exclude<PrettyOptions['messageFormat'], string | false | undefined> = (line, messageKey) => {
  const { method, path, status, code, ms } = line
  const said = line[messageKey] ?? [method, path, status, code].filter((part) => part !== undefined).join(' ')
  return ms === undefined ? String(said) : `${said} (${ms} ms)`
}

// In a line of the log they are escaped; a line break within an error is one that is meant.
const controls = /\\\\|\\u(?:00(?:[01][0-9a-f]|7f|[89][0-9a-f])|061c|20(?:0[ef]|2[89a-e]|6[6-9]))|\\[bf]/gi

/** What clients have sent could move the cursor of a terminal, or paint over lines: it is shown as it is written in JSON. */
const withoutControls = (line: string): string =>
  line.replaceAll(controls, (found) => (found === '\\\\' ? found : `\\${found}`))
