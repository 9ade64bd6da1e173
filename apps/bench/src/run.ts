import { type Row, reasonOf } from './measure/rows.ts'
import type { Bench, Options, SectionName, StoreRequest } from './options.ts'
import { measureBids } from './sections/bids.ts'
import { measureHttp } from './sections/http.ts'
import { measureRegisters } from './sections/registers.ts'
import { measureSales } from './sections/sales.ts'
import { measureSealed } from './sections/sealed.ts'
import { measureServers } from './sections/servers.ts'
import { measureStreams } from './sections/streams.ts'
import { storeOf } from './stores/stores.ts'

type Rows = readonly Omit<Row, 'section' | 'store'>[]

const ofStores = [
  ['bids', measureBids],
  ['sealed', measureSealed],
  ['registers', measureRegisters],
  ['servers', measureServers],
  ['streams', measureStreams],
  ['sales', measureSales],
] as const

/** The results so far. */
export type Results = {
  readonly rows: readonly Row[]
  /** The rows of the last section. */
  readonly added: readonly Row[]
  /** The names and versions of the stores. */
  readonly versions: readonly string[]
}

type Task = readonly [section: SectionName, measure: (bench: Bench) => Promise<Rows>, store?: StoreRequest['kind']]

/** Runs the sections, and yields all results after each. A section that fails has one row, with the reason. */
export async function* run(options: Options, log: (text: string) => void): AsyncGenerator<Results> {
  const rows: Row[] = []
  const versions = new Set<string>()
  const tasksOf = (request: StoreRequest): readonly Task[] =>
    ofStores.map(([section, measure]) => {
      async function measureStore(bench: Bench): Promise<Rows> {
        versions.add(await storeOf(request.kind).version(request.uri))
        return measure(bench, request)
      }
      return [section, measureStore, request.kind]
    })
  const tasks: readonly Task[] = [...options.stores.flatMap(tasksOf), ['http', measureHttp]]
  for (const [section, measure, store] of tasks) {
    if (!options.sections.includes(section)) continue
    const name = store === undefined ? section : `${store}, ${section}`
    const measured = await measure({ options, log: (text) => log(`${name}: ${text}`) }).catch((error): Rows => {
      log(`${name}: failed with ${reasonOf(error)}`)
      return [{ key: 'failed', label: name, clients: 0, rounds: [], failure: reasonOf(error) }]
    })
    const added = measured.map((row): Row => ({ ...row, section, ...(store && { store }) }))
    rows.push(...added)
    yield { rows, added, versions: [...versions] }
  }
}
