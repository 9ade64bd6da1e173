import type { Findings } from '../measure/measurement.ts'
import { besideBase } from '../measure/ratios.ts'
import type { Options } from '../options.ts'
import type { Progress } from '../progress.ts'
import { withScratchFile } from '../sqlite/scratch-file.ts'
import type { LoadOrder } from './load.ts'
import { connections, type HttpPoint, measurePoints } from './measure-points.ts'
import { withProcesses } from './running.ts'
import { answerToABid, type Service, startService, startStack } from './service.ts'
import { bareStack, expressStack, idiomaticStack } from './stacks.ts'

/** The service over HTTP beside a bare Fastify server that answers the same bytes, and beside what else one writes. */
export const measureHttp = (options: Options, progress: Progress): Promise<Findings> =>
  withScratchFile((file) =>
    withProcesses(async (started) => {
      const service = started(await startService({}))
      const logging = started(await startService({ LOG_LEVEL: 'info' }))
      const onFile = started(await startService({ SQLITE_FILE: file }))
      const ANSWER = JSON.stringify(await answerToABid(service))
      const bare = started(await startStack(bareStack, { ANSWER }))
      const bareLogging = started(await startStack(bareStack, { ANSWER, LOG_LEVEL: 'info' }))
      const idiomatic = started(await startStack(idiomaticStack, {}))
      const express = started(await startStack(expressStack, {}))
      const bids = await measurePoints(
        [
          point('bare-fastify/quiet', 'bare Fastify, no log', bare),
          point('service/quiet', 'the service, LOG_LEVEL=warn', service),
          point('service/logging', 'the service, LOG_LEVEL=info, a line a request', logging),
          point('service/sqlite', 'the service on SQLite, LOG_LEVEL=warn', onFile),
          point('bare-fastify/logging', "bare Fastify, its own log's two lines a request", bareLogging),
          point('idiomatic/quiet', 'Fastify with @fastify/jwt, @fastify/rate-limit and valibot, no log', idiomatic),
          point('express/quiet', 'Express with jsonwebtoken, express-rate-limit and valibot, no log', express),
        ],
        options,
        progress,
      )
      const reads = await measurePoints(
        [
          point('reads/memory', 'reads of one auction, LOG_LEVEL=warn', service, 'read'),
          point('reads/sqlite', 'reads of one auction on SQLite, LOG_LEVEL=warn', onFile, 'read'),
        ],
        options,
        progress,
      )
      const measurements = [...besideBase(bids.measurements, 'bare-fastify/quiet'), ...reads.measurements]
      return { measurements, notMeasured: [], notes: [...new Set([...bids.notes, ...reads.notes])] }
    }),
  )

function point(series: string, label: string, server: Service, request: LoadOrder['request'] = 'bid'): HttpPoint {
  const text = request === 'bid' ? `bids: ${label}` : label
  return { section: 'http', series, label: text, clients: connections, server, request, headers: {} }
}
