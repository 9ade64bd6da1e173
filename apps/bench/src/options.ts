import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Section, sections } from './measure/measurement.ts'
import { type NamedDatabase, parseDatabase } from './mongodb/named-database.ts'

export type Options = {
  readonly sections: readonly Section[]
  readonly seconds: number
  readonly warmupSeconds: number
  readonly rounds: number
  readonly httpRounds: number
  readonly clients: readonly number[]
  readonly databases: readonly NamedDatabase[]
  /** To the database, at the most; for each of the contestants the same. */
  readonly connections: number
  /** How many auctions are closed at one moment. */
  readonly due: number
  /** How many bids the memory section places, if not as many as each of its watches is for. */
  readonly memoryBids: number | undefined
  readonly outFolder: string
}

export const usage = `Usage: pnpm bench [options]

  --mongodb SERVER  to measure on; may be given several times; else MONGODB_URI. SERVER is a URI, NAME=URI, or NAME=COMMAND with a
                    shell command that serves in the foreground, with its files in "$DATA", on 127.0.0.1 and port "$PORT".
                    Databases are made and dropped, none is kept or touched.
  --section LIST    of ${sections.join(',')};
                    all but memory unless given
  --memory          also watch processes over 10 million bids, in memory and on a file, and over a million by HTTP, which takes
                    some minutes
  --bids N          how many bids the memory section places in each (10000000, and 1000000 by HTTP)
  --due N           how many auctions the closing section closes at one moment (10000)
  --clients LIST    numbers of concurrent clients (1,16,64,256)
  --connections N   that each contestant may open to the database (20, as the service does)
  --seconds N       that each point is measured, after a warm-up of a quarter of that (2)
  --rounds N        of which the medians are taken (3, and 5 over HTTP)
  --out FOLDER      for results.json, results.md and results.svg (docs/benchmarks)
`

const defaultOutFolder = fileURLToPath(new URL('../../../docs/benchmarks', import.meta.url))

/** @throws TypeError that says which option is wrong. */
export function readOptions(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Options | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      mongodb: { type: 'string', multiple: true },
      section: { type: 'string', default: sections.filter((section) => section !== 'memory').join(',') },
      memory: { type: 'boolean', default: false },
      bids: { type: 'string' },
      due: { type: 'string', default: '10000' },
      clients: { type: 'string', default: '1,16,64,256' },
      connections: { type: 'string', default: '20' },
      seconds: { type: 'string', default: '2' },
      rounds: { type: 'string' },
      out: { type: 'string', default: defaultOutFolder },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return 'help'
  const rounds = values.rounds === undefined ? undefined : positiveInteger('rounds', values.rounds)
  const seconds = positive('seconds', values.seconds)
  const chosen = values.section.split(',').map(sectionOf)
  return {
    sections: sections.filter((section) => chosen.includes(section) || (section === 'memory' && values.memory)),
    seconds,
    warmupSeconds: seconds / 4,
    rounds: rounds ?? 3,
    httpRounds: rounds ?? 5,
    clients: values.clients.split(',').map((text) => positiveInteger('clients', text)),
    databases: databasesOf(values.mongodb ?? [environment['MONGODB_URI'] ?? ''].filter((uri) => uri !== '')),
    connections: positiveInteger('connections', values.connections),
    due: positiveInteger('due', values.due),
    memoryBids: values.bids === undefined ? undefined : positiveInteger('bids', values.bids),
    outFolder: values.out,
  }
}

function databasesOf(texts: readonly string[]): readonly NamedDatabase[] {
  const databases = texts.map(parseDatabase)
  const names = new Set(databases.map(({ name }) => name))
  if (names.size < databases.length) throw new TypeError('each --mongodb must have a name of its own, as in NAME=URI')
  return databases
}

function sectionOf(name: string): Section {
  const section = sections.find((known) => known === name)
  if (section === undefined) throw new TypeError(`--section knows no section "${name}", only ${sections.join(', ')}`)
  return section
}

function positive(option: string, text: string): number {
  const value = Number(text)
  if (!Number.isFinite(value) || value <= 0) throw new TypeError(`--${option} must be a number above 0, not "${text}"`)
  return value
}

function positiveInteger(option: string, text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value <= 0) {
    throw new TypeError(`--${option} must be a whole number above 0, not "${text}"`)
  }
  return value
}
