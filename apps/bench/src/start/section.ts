import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { serviceScript } from '../http/service.ts'
import { freePort } from '../measure/free-port.ts'
import type { Findings, Point } from '../measure/measurement.ts'
import { measureInRounds } from '../measure/rounds.ts'
import type { Options } from '../options.ts'
import type { Progress } from '../progress.ts'
import { withScratchFile } from '../sqlite/scratch-file.ts'

type Settings = Readonly<Record<string, string>>
type StartPoint = Point & { readonly script: string; readonly settings: (file: string) => Settings }

const bareScript = fileURLToPath(new URL('./bare-server.ts', import.meta.url))
const secret = randomBytes(32).toString('base64url')
const ours: Settings = { JWT_SECRET: secret, LOG_LEVEL: 'warn' }

const points: readonly StartPoint[] = [
  point('start/bare-fastify', 'bare Fastify', bareScript, () => ({})),
  point('start/service-in-memory', 'the service in memory', serviceScript, () => ({ ...ours, STORE: 'memory' })),
  point('start/service', 'the service on a new file', serviceScript, (file) => ({ ...ours, SQLITE_FILE: file })),
]

/** How long a process takes from its start to the first answer to a request. */
export async function measureStart({ httpRounds }: Options, progress: Progress): Promise<Findings> {
  progress.section('start', points.length * httpRounds)
  const measurements = await measureInRounds(points, httpRounds, progress, ({ script, settings }) =>
    withScratchFile(async (file) => ({ tookMs: await timeStart(script, settings(file)) })),
  )
  return { measurements, notMeasured: [], notes: [] }
}

function point(series: string, label: string, script: string, settings: StartPoint['settings']): StartPoint {
  return { section: 'start', series, label, clients: 1, script, settings }
}

const giveUpMs = 20_000

async function timeStart(script: string, settings: Settings): Promise<number> {
  const port = await freePort()
  const env = { PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: String(port), ...settings }
  const startMs = performance.now()
  const child = spawn(process.execPath, ['--conditions=@auction/source', script], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'exit')
  try {
    while (!(await isAnswered(port))) {
      if (hasEnded(child)) throw new Error('a server ended before it served; its own words are above')
      if (performance.now() - startMs > giveUpMs) throw new Error(`a server did not answer within ${giveUpMs} ms`)
      await sleep(1)
    }
    return performance.now() - startMs
  } finally {
    child.kill('SIGKILL')
    await ended
  }
}

/** Whether a request gets any answer. */
async function isAnswered(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1', () =>
    socket.write('GET /api/Auctions/1 HTTP/1.1\r\nHost: localhost\r\n\r\n'),
  )
  try {
    await once(socket, 'data')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null
