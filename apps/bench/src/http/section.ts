import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Findings, Point } from '../measure/measurement.ts'
import { measureInRounds } from '../measure/rounds.ts'
import type { Sample } from '../measure/sample.ts'
import type { Options } from '../options.ts'
import type { Progress } from '../progress.ts'
import { type Caller, type LoadGenerator, startLoadGenerator } from './load-generator.ts'
import { type ServerProcess, startServer } from './server-process.ts'
import { answerToABid, type Service, serviceScript, startService } from './service.ts'

const connections = 64

type HttpPoint = Point & { readonly server: ServerProcess; readonly callers: readonly Caller[] }

/** The service over HTTP beside a bare Fastify server, each with and without a log line for every request. */
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
  try {
    const quiet = started(await startService('warn', connections))
    const logging = started(await startService('info', connections))
    const ANSWER = await answerToABid(quiet)
    const bareQuiet = started(await startServer(bareScript, { ANSWER }))
    const bareLogging = started(await startServer(bareScript, { ANSWER, LOG_LEVEL: 'info' }))
    const points = [
      point('bare-fastify/quiet', 'bare Fastify, no log', bareQuiet, quiet),
      point('service/quiet', 'the service, LOG_LEVEL=warn', quiet, quiet),
      point('bare-fastify/logging', "bare Fastify, its own log's two lines a request", bareLogging, quiet),
      point('service/logging', 'the service, LOG_LEVEL=info, a line a request', logging, logging),
    ]
    return await alternate(points, started(startLoadGenerator()), options, progress)
  } finally {
    await Promise.all(running.map((process) => process.stop()))
  }
}

const bareScript = fileURLToPath(new URL('./bare-server.ts', import.meta.url))

const point = (series: string, label: string, server: ServerProcess, { callers }: Service): HttpPoint => {
  return { section: 'http', series, label, clients: connections, server, callers }
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
  for (const { label, server, callers } of points) {
    progress.begin(`warm-up: ${label}`)
    await load.run({ origin: server.origin, callers, seconds: seconds * 2 })
    progress.end(`warm-up: ${label}`)
  }
  const measurements = await measureInRounds(points, httpRounds, progress, async ({ server, callers, label }) => {
    const { sample, trouble } = await measureServer(server, callers, load, seconds)
    if (trouble !== undefined) notes.add(`${label}: ${trouble}`)
    return sample
  })
  return { measurements, notMeasured: [], notes: [...notes] }
}

async function measureServer(
  server: ServerProcess,
  callers: readonly Caller[],
  load: LoadGenerator,
  seconds: number,
): Promise<{ readonly sample: Sample; readonly trouble: string | undefined }> {
  const beforeMicros = await server.cpuMicros()
  const { sample, requests, trouble } = await load.run({ origin: server.origin, callers, seconds })
  const usedMicros = (await server.cpuMicros()) - beforeMicros
  return { sample: { ...sample, cpuMicrosPerRequest: usedMicros / requests }, trouble }
}
