import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type SectionName, sectionNames } from './run.ts'
import { type StoreRequest, storeKinds, storeOf } from './stores/stores.ts'

/** How much is measured. */
export const sizes = {
  auctions: 1_000,
  /** So many that no bid is overtaken by the next one on its auction. */
  httpAuctions: 4_096,
  closedAuctions: 10_000,
  /** Of two processes. */
  hotCounts: [1, 20, 100] as readonly number[],
  soakBids: 1_000_000,
  soakSamples: 20,
}

export type Options = typeof sizes & {
  readonly sections: readonly SectionName[]
  readonly stores: readonly StoreRequest[]
  readonly rounds: number
  readonly seconds: number
  readonly warmupSeconds: number
  readonly outFolder: string
}

export const usage = `Usage: pnpm bench [options]

  --section NAME  ${sectionNames.join(', ')}; repeatable; all by default
  --store STORE   a store to measure; repeatable; by default those of this process, and the servers whose URIs are in the
                  environment, such as MONGODB_URI. STORE is KIND, KIND=URI, or KIND=COMMAND for a shell command that serves
                  in the foreground on the port $PORT, with its files in the folder $DATA; KIND:NAME names it in the results.
                  KIND is one of ${storeKinds.join(', ')}
  --rounds N      the results are medians of these rounds (3)
  --seconds S     how long each point takes in each round (1)
  --out FOLDER    where results.md and results.svg go (docs/benchmarks)
`

/** @throws TypeError that says which option is wrong, without the URIs, which may hold credentials */
export function readOptions(args: readonly string[], environment: NodeJS.ProcessEnv): Options | 'help' {
  // Of a server; undefined for a store of this process.
  const uriOf = (kind: (typeof storeKinds)[number]) => {
    const { server } = storeOf(kind)
    return server && (environment[server.uriVariable] ?? '')
  }
  const { values } = parseArgs({
    args: [...args],
    options: {
      section: { type: 'string', multiple: true, default: [...sectionNames] },
      store: { type: 'string', multiple: true, default: storeKinds.filter((kind) => uriOf(kind) !== '') },
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '1' },
      out: { type: 'string', default: fileURLToPath(new URL('../../../docs/benchmarks', import.meta.url)) },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return 'help'
  const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)]
  if (!(rounds > 0 && seconds > 0)) throw new TypeError('--rounds and --seconds must be numbers above 0')
  const sections = values.section.map((text) => oneOf('section', sectionNames, text))
  const stores = values.store.map((text): StoreRequest => {
    const [, kindText = '', name, given] = /^(\w+)(?::([^=]+))?(?:=(.+))?$/s.exec(text) ?? []
    const kind = oneOf('store', storeKinds, kindText)
    const at = given ?? uriOf(kind)
    if (at === '') throw new TypeError(`--store ${kind} needs =URI, =COMMAND, or ${storeOf(kind).server?.uriVariable}`)
    return { kind, name: name ?? storeOf(kind).label, at }
  })
  return { ...sizes, sections, stores, rounds, seconds, warmupSeconds: seconds / 4, outFolder: values.out }
}

function oneOf<Name extends string>(option: string, names: readonly Name[], text: string): Name {
  const found = names.find((name) => name === text)
  if (found === undefined) throw new TypeError(`--${option} must be one of ${names.join(', ')}`)
  return found
}
