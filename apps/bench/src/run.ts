import { type Row, reasonOf } from './measure/rows.ts'
import type { Options } from './options.ts'
import { scoped } from './scope.ts'
import { measureBids } from './sections/bids.ts'
import { measureClosing } from './sections/closing.ts'
import { measureDecisions } from './sections/decide.ts'
import { measureHttp, measureStart } from './sections/http.ts'
import { measureProcesses } from './sections/processes.ts'
import { measureSoak } from './sections/soak.ts'
import { connect, type StoreRequest } from './stores/stores.ts'

/** What a section gets. */
export type Bench = { readonly options: Options; readonly log: (text: string) => void }
type Rows = readonly Omit<Row, 'section' | 'store'>[]
const beforeStores = { decide: measureDecisions }
const ofStores = { bids: measureBids, closing: measureClosing, processes: measureProcesses }
const afterStores = { http: measureHttp, start: measureStart, soak: measureSoak }
const all = { ...beforeStores, ...ofStores, ...afterStores }
export type SectionName = keyof typeof all
export const sectionNames = Object.keys(all) as readonly SectionName[] // Its keys.

type Task = [section: string, measure: (bench: Bench) => Promise<Rows>, store?: StoreRequest]

/** On a server that a command starts, each section has one that was started for it. */
function tasksOf(store: StoreRequest, versions: Set<string>): readonly Task[] {
  return Object.entries(ofStores).map(([section, measure]): Task => {
    const connectAndMeasure = (bench: Bench) =>
      scoped(async (defer) => {
        const subject = await connect(store, defer)
        versions.add(`${store.name} (${subject.version})`)
        return measure(bench, subject)
      })
    return [section, connectAndMeasure, store]
  })
}

/** What a run has measured so far. */
export type Results = {
  readonly rows: readonly Row[]
  /** Those of the last section. */
  readonly added: readonly Row[]
  /** The names and versions of the stores. */
  readonly versions: readonly string[]
}

/** Runs the sections, and yields all results after each. A section that fails has one row, which says why. */
export async function* run(options: Options, log: (text: string) => void): AsyncGenerator<Results> {
  const rows: Row[] = []
  const versions = new Set<string>()
  const tasks: readonly Task[] = [
    ...Object.entries(beforeStores),
    ...options.stores.flatMap((store) => tasksOf(store, versions)),
    ...Object.entries(afterStores),
  ]
  for (const [section, measure, store] of tasks) {
    if (!options.sections.some((chosen) => chosen === section)) continue
    const name = store === undefined ? section : `${store.name}, ${section}`
    const measured = await measure({ options, log: (text) => log(`${name}: ${text}`) }).catch((error): Rows => {
      log(`${name}: failed with ${reasonOf(error)}`)
      return [{ key: 'failed', label: name, clients: 0, rounds: [], failure: reasonOf(error) }]
    })
    const added = measured.map((row): Row => ({ ...row, section, ...(store && { store }) }))
    rows.push(...added)
    yield { rows, added, versions: [...versions] }
  }
}
