import { measureBids } from './bids/section.ts'
import { measureClosing } from './closing/section.ts'
import { reasonOf } from './contest/contest.ts'
import { measureCreation } from './creation/section.ts'
import { measureDomain } from './domain/section.ts'
import { measureHttp } from './http/section.ts'
import { type Findings, onDatabase, type Section } from './measure/measurement.ts'
import { measureMemory } from './memory/section.ts'
import type { NamedDatabase } from './mongodb/named-database.ts'
import { type BenchServer, connectServer } from './mongodb/server.ts'
import { startServerByCommand } from './mongodb/server-command.ts'
import type { Options } from './options.ts'
import { measureParts } from './parts/section.ts'
import { measureProcesses } from './processes/section.ts'
import type { Progress } from './progress.ts'
import { type Database, describeEnvironment } from './report/environment.ts'
import type { Results } from './report/results.ts'
import { judgeTargets } from './report/targets.ts'
import { measureSqlite, sqlite } from './sqlite/section.ts'
import { measureStart } from './start/section.ts'
import { measureWriters } from './writers/section.ts'

/** What is measured on each of the databases. */
const databaseSections = {
  bids: measureBids,
  creation: measureCreation,
  closing: measureClosing,
  processes: measureProcesses,
  writers: measureWriters,
} as const satisfies Partial<Record<Section, unknown>>

/** Measures the sections that were asked for. */
export async function run(options: Options, progress: Progress): Promise<Results> {
  const { sections } = options
  const onDatabases = (Object.keys(databaseSections) as (keyof typeof databaseSections)[]) // The keys of the record above.
    .filter((section) => sections.includes(section))
  const open = new Set<BenchServer>()
  endTidily(open, progress)
  try {
    // A server that can't be reached is heard of before anything else takes its time.
    const servers: BenchServer[] = []
    if (onDatabases.length > 0) {
      for (const database of options.databases)
        servers.push(await withServer(database, options, open, async (its) => its))
    }
    const found: Findings[] = []
    // The domain comes first: later sections show its code other stores, and the engine then compiles it for all of them.
    if (sections.includes('domain')) found.push(await measureDomain(options, progress))
    if (sections.includes('sqlite')) found.push(await measureSqlite(options, progress))
    for (const database of servers.length > 0 ? options.databases : []) {
      for (const section of onDatabases) found.push(await measureOn(database, section, options, open, progress))
    }
    if (servers.length === 0) found.push(withoutDatabase(onDatabases))
    if (sections.includes('http')) found.push(await measureHttp(options, progress))
    if (sections.includes('parts')) found.push(await measureParts(options, progress))
    if (sections.includes('start')) found.push(await measureStart(options, progress))
    const memory = sections.includes('memory') ? await measureMemory(options, progress) : []
    return resultsOf(options, found, memory, servers)
  } finally {
    await Promise.all([...open].map((server) => server.close()))
  }
}

/** A section on a server of its own: one that dies of a section takes no other with it. */
async function measureOn(
  database: NamedDatabase,
  section: keyof typeof databaseSections,
  options: Options,
  open: Set<BenchServer>,
  progress: Progress,
): Promise<Findings> {
  try {
    const findings = await withServer(database, options, open, (server) =>
      databaseSections[section](server, options, progress),
    )
    return onDatabase(database.name, findings)
  } catch (error) {
    const notMeasured = [{ section, label: 'all', reason: 'failed' }]
    const notes = [`${section} was not measured to its end: ${reasonOf(error)}`]
    return onDatabase(database.name, { measurements: [], notMeasured, notes })
  }
}

async function withServer<Value>(
  database: NamedDatabase,
  { connections }: Options,
  open: Set<BenchServer>,
  use: (server: BenchServer) => Promise<Value>,
): Promise<Value> {
  const server = await openServer(database, connections)
  open.add(server)
  try {
    return await use(server)
  } finally {
    open.delete(server)
    await server.close().catch(() => undefined) // It may be gone.
  }
}

async function openServer(database: NamedDatabase, connections: number): Promise<BenchServer> {
  if ('uri' in database) return connectServer(database.name, database.uri, connections)
  const started = await startServerByCommand(database.command)
  try {
    const server = await connectServer(database.name, started.uri, connections)
    return {
      ...server,
      async close() {
        await server.close().finally(() => started.stop())
      },
    }
  } catch (error) {
    await started.stop()
    throw error
  }
}

const withoutDatabase = (asked: readonly Section[]): Findings => ({
  measurements: [],
  notMeasured: asked.map((section) => ({ section, label: 'all', reason: 'not run' })),
  notes: asked.length === 0 ? [] : ['No database was measured, as neither --mongodb nor MONGODB_URI names one.'],
})

/** Leaves no database and no server behind when the run is interrupted. */
function endTidily(open: ReadonlySet<BenchServer>, progress: Progress): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      progress.clear()
      Promise.allSettled([...open].map((server) => server.close())).finally(() => process.exit(130))
    })
  }
}

function resultsOf(
  options: Options,
  found: readonly Findings[],
  memory: Results['memory'],
  servers: readonly BenchServer[],
): Results {
  // Where the servers are and where the results go is nobody else's business.
  const { databases: _databases, outFolder: _folder, ...shown } = options
  const measurements = found.flatMap((findings) => findings.measurements)
  const databases: readonly Database[] = [
    ...(options.sections.includes('sqlite') ? [sqlite] : []),
    ...servers.map(({ name, buildInfo, hasAtomicUpdates }) => {
      return { name, kind: 'server', ...buildInfo, hasAtomicUpdates } as const
    }),
  ]
  return {
    environment: describeEnvironment(databases),
    options: shown,
    targets: judgeTargets({ databases, measurements, memory, due: options.due }),
    measurements,
    notMeasured: found.flatMap(({ notMeasured }) => notMeasured),
    memory,
    notes: found.flatMap(({ notes }) => notes),
  }
}
