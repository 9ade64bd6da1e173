import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type StoreKind, storeKinds, storeOf } from './stores/stores.ts'

/** The extent of the measurements. */
export const sizes = {
  auctions: 1_000,
  /** With this many, no bid is overtaken by the next one on its auction. */
  httpAuctions: 4_096,
  watchedAuctions: 10_000,
  /** The time in which watched auctions have no events: all are read once in it. */
  idleSeconds: 15,
  /** The numbers of servers that share a store. */
  serverCounts: [2, 3, 6] as readonly number[],
  /** The bids on each of several servers before a measurement. The engine optimizes hot code after some 600. */
  warmBids: 1_000,
  /** The sealed bids on an auction that is closed. */
  sealedBids: 100_000,
  /** The most bidders of a register. */
  registeredBidders: 20_000,
  /** The lots of a sale that end two a second, and the readers of its stream. */
  saleLots: 60,
  saleReaders: 100,
  /** The time of the bids with which those during a sale are compared. */
  saleSeconds: 10,
}

/** The sections in the order of measurement. */
const sectionNames = ['bids', 'sealed', 'registers', 'servers', 'streams', 'sales', 'http'] as const
export type SectionName = (typeof sectionNames)[number]

/** A store to measure, with the URI of its server, if it has one. */
export type StoreRequest = { readonly kind: StoreKind; readonly uri: string }

export type Options = typeof sizes & {
  readonly sections: readonly SectionName[]
  readonly stores: readonly StoreRequest[]
  readonly rounds: number
  readonly seconds: number
  readonly warmupSeconds: number
  readonly outFolder: string
}

/** The input of a section. */
export type Bench = { readonly options: Options; readonly log: (text: string) => void }

export const usage = `Usage: pnpm bench [options]

  --section NAME  ${sectionNames.join(', ')}; repeatable; all by default
  --store NAME    ${storeKinds.join(', ')}; repeatable; by default memory, sqlite, and the servers
                  whose URIs are in the environment: POSTGRESQL_URI, MONGODB_URI
  --rounds N      the results are medians of these rounds (3)
  --seconds S     how long each point takes in each round (1)
  --out FOLDER    where the results go (reports/bench): to results.md, or, of one section, to a file
                  with its name, such as bids.md
`

/** @throws TypeError that names the invalid option */
export function readOptions(args: readonly string[], environment: NodeJS.ProcessEnv): Options | 'help' {
  const isReachable = (kind: StoreKind) => storeOf(kind).uriVariable === undefined || uriOf(kind) !== ''
  const uriOf = (kind: StoreKind) => environment[storeOf(kind).uriVariable ?? ''] ?? ''
  const { values } = parseArgs({
    args: [...args],
    options: {
      section: { type: 'string', multiple: true, default: [...sectionNames] },
      store: { type: 'string', multiple: true, default: storeKinds.filter(isReachable) },
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '1' },
      out: { type: 'string', default: fileURLToPath(new URL('../../../reports/bench', import.meta.url)) },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return 'help'
  const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)]
  if (!(rounds > 0 && seconds > 0)) throw new TypeError('--rounds and --seconds must be numbers above 0')
  const sections = values.section.map((text) => oneOf('section', sectionNames, text))
  const stores = values.store.map((text): StoreRequest => {
    const kind = oneOf('store', storeKinds, text)
    if (!isReachable(kind)) throw new TypeError(`--store ${kind} needs a URI in ${storeOf(kind).uriVariable}`)
    return { kind, uri: uriOf(kind) }
  })
  return { ...sizes, sections, stores, rounds, seconds, warmupSeconds: seconds / 4, outFolder: values.out }
}

function oneOf<Name extends string>(option: string, names: readonly Name[], text: string): Name {
  const name = names.find((one) => one === text)
  if (name === undefined) throw new TypeError(`--${option} must be one of ${names.join(', ')}`)
  return name
}
