import { measureDomain } from './domain/section.ts'
import { measureHttp } from './http/section.ts'
import type { Findings } from './measure/measurement.ts'
import { measureMemory } from './memory/section.ts'
import { measureMongodb } from './mongodb/section.ts'
import { type BenchServer, connectServer } from './mongodb/server.ts'
import type { Options } from './options.ts'
import type { Progress } from './progress.ts'
import { describeEnvironment } from './report/environment.ts'
import type { Results } from './report/results.ts'
import { judgeTargets } from './report/targets.ts'

const noDatabase: Findings = {
  measurements: [],
  notMeasured: [{ section: 'mongodb', label: 'all', reason: 'not run' }],
  notes: ['No database was measured, as neither --mongodb nor MONGODB_URI names one.'],
}

/** Measures the sections that were asked for. */
export async function run(options: Options, progress: Progress): Promise<Results> {
  const { sections, mongodbUri, connections } = options
  // A server that can't be reached is heard of before anything else takes its time.
  const isAsked = sections.includes('mongodb') && mongodbUri !== undefined
  const server = isAsked ? await connectServer(mongodbUri, connections) : undefined
  if (server !== undefined) endTidily(server, progress)
  const found: Findings[] = []
  try {
    // The domain comes first: later sections show its code other stores, and the engine then compiles it for all of them.
    if (sections.includes('domain')) found.push(await measureDomain(options, progress))
    if (server !== undefined) found.push(await measureMongodb(server, options, progress))
    else if (sections.includes('mongodb')) found.push(noDatabase)
    if (sections.includes('http')) found.push(await measureHttp(options, progress))
    const memory = sections.includes('memory') ? await measureMemory(options, progress) : undefined
    return resultsOf(options, found, memory, server)
  } finally {
    await server?.close()
  }
}

/** Leaves no database behind when the run is interrupted. */
function endTidily(server: BenchServer, progress: Progress): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      progress.clear()
      server.close().finally(() => process.exit(130))
    })
  }
}

function resultsOf(
  options: Options,
  found: readonly Findings[],
  memory: Results['memory'],
  server: BenchServer | undefined,
): Results {
  // Where the server is and where the results go is nobody else's business.
  const { mongodbUri: _uri, outFolder: _folder, ...shown } = options
  const measurements = found.flatMap((findings) => findings.measurements)
  return {
    environment: describeEnvironment(server?.buildInfo),
    options: shown,
    targets: judgeTargets({ measurements, memory }),
    measurements,
    notMeasured: found.flatMap(({ notMeasured }) => notMeasured),
    memory,
    notes: found.flatMap(({ notes }) => notes),
  }
}
