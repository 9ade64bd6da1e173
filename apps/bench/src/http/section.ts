import { existsSync } from 'node:fs'
import type { Findings, Point } from '../measure/measurement.ts'
import { measureInRounds } from '../measure/rounds.ts'
import type { Sample } from '../measure/sample.ts'
import type { Options } from '../options.ts'
import type { Progress } from '../progress.ts'
import { withScratchFile } from '../sqlite/scratch-file.ts'
import { bareScript } from './bare-script.ts'
import { type Caller, type LoadGenerator, type Request, startLoadGenerator } from './load-generator.ts'
import { type ServerProcess, startServer } from './server-process.ts'
import { answerToABid, type Service, serviceScript, startService } from './service.ts'

const connections = 64

type HttpPoint = Point & {
  readonly request: Request
  readonly server: ServerProcess
  readonly callers: readonly Caller[]
}

/** The service over HTTP beside a bare Fastify server, with and without a log line for every request, in memory and on a file. */
export async function measureHttp(options: Options, progress: Progress): Promise<Findings> {
  if (!existsSync(serviceScript)) {
    const missing = { section: 'http', label: 'POST /api/Bids', reason: 'not run' } as const
    return { measurements: [], notMeasured: [missing], notes: ['HTTP was not measured, as apps/http is not there.'] }
  }
  const running: { stop(): unknown }[] = []
  const started = <Started extends { stop(): unknown }>(process: Started): Started => {
    running.push(process)
    return process
  }
  return withScratchFile(async (file) => {
    try {
      const quiet = started(await startService({ STORE: 'memory' }, 'warn', connections))
      const logging = started(await startService({ STORE: 'memory' }, 'info', connections))
      const onFile = started(await startService({ SQLITE_FILE: file }, 'warn', connections))
      const ANSWER = await answerToABid(quiet)
      const bareQuiet = started(await startServer(bareScript, { ANSWER }))
      const bareLogging = started(await startServer(bareScript, { ANSWER, LOG_LEVEL: 'info' }))
      const points = [
        point('bare-fastify/quiet', 'bids: bare Fastify, no log', 'bid', bareQuiet, quiet),
        point('service/quiet', 'bids: the service, LOG_LEVEL=warn', 'bid', quiet, quiet),
        point(
          'bare-fastify/logging',
          "bids: bare Fastify, its own log's two lines a request",
          'bid',
          bareLogging,
          quiet,
        ),
        point('service/logging', 'bids: the service, LOG_LEVEL=info, a line a request', 'bid', logging, logging),
        point('service/sqlite', 'bids: the service on SQLite, LOG_LEVEL=warn', 'bid', onFile, onFile),
        point('reads/memory', 'reads of one auction, LOG_LEVEL=warn', 'read', quiet, quiet),
        point('reads/sqlite', 'reads of one auction on SQLite, LOG_LEVEL=warn', 'read', onFile, onFile),
      ]
      return await alternate(points, started(startLoadGenerator()), options, progress)
    } finally {
      await Promise.all(running.map((process) => process.stop()))
    }
  })
}

function point(
  series: string,
  label: string,
  request: Request,
  server: ServerProcess,
  { callers }: Service,
): HttpPoint {
  return { section: 'http', series, label, clients: connections, request, server, callers }
}

async function alternate(
  points: readonly HttpPoint[],
  load: LoadGenerator,
  { httpRounds, seconds }: Options,
  progress: Progress,
): Promise<Findings> {
  progress.section('http', points.length * (httpRounds + 1))
  const notes = new Set<string>()
  // Each server is first left to compile what it uses often, for longer than a point takes.
  for (const { label, server, callers, request } of points) {
    progress.begin(`warm-up: ${label}`)
    await load.run({ origin: server.origin, callers, request, seconds: seconds * 2 })
    progress.end(`warm-up: ${label}`)
  }
  const measurements = await measureInRounds(points, httpRounds, progress, async (point) => {
    const { sample, trouble } = await measureServer(point, load, seconds)
    if (trouble !== undefined) notes.add(`${point.label}: ${trouble}`)
    return sample
  })
  return { measurements, notMeasured: [], notes: [...notes] }
}

async function measureServer(
  { server, callers, request }: HttpPoint,
  load: LoadGenerator,
  seconds: number,
): Promise<{ readonly sample: Sample; readonly trouble: string | undefined }> {
  await server.usage()
  const { sample, requests, trouble } = await load.run({ origin: server.origin, callers, request, seconds })
  const { cpuMicros, loopDelayP99Ms } = await server.usage()
  return { sample: { ...sample, cpuMicrosPerRequest: cpuMicros / requests, loopDelayP99Ms }, trouble }
}
