import { fork, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import jwt from 'jsonwebtoken'
import { auctionFields, repeat } from '../bidding.ts'
import { ask, freePort, makeFolder, stop, untilItWorks } from '../resources.ts'
import type { Defer } from '../scope.ts'
import type { Usage } from './report-usage.ts'

/** Who bids, and on which auction. */
type Caller = { readonly token: string; readonly auctionId: number }

export type Server = {
  readonly origin: string
  readonly callers: readonly Caller[]
  /** From the start of its process until it is ready. */
  readonly startMs: number
  usage(): Promise<Usage>
}
type Settings = Readonly<Record<string, string>>

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Whether processes can be kept on a core here. Where they can't, the load takes time from the server that it measures. */
const isPinned = availableParallelism() > 1 && spawnSync('taskset', ['--version']).error === undefined

/** A command that runs on one core only, where that is possible: the server on core 0, its load on core 1. */
export const onCore = (core: 0 | 1, command: string, args: readonly string[]): [string, ...string[]] =>
  isPinned ? ['taskset', '--cpu-list', String(core), command, ...args] : [command, ...args]

const secret = randomBytes(32).toString('base64url')
const permissions = ['auction-service:Auctions:Create', 'auction-service:Bids:Create']
const tokens = Array.from({ length: 64 }, (_, index) => jwt.sign({ sub: `caller-${index}`, permissions }, secret))
const callerOf = (auctionId: number): Caller => ({ token: tokens[auctionId % tokens.length] ?? '', auctionId })

/** The service as production runs it, with a limit that no caller reaches, and auctions to bid on. */
export async function startService(store: 'memory' | 'sqlite', auctions: number, defer: Defer): Promise<Server> {
  const file = join(await makeFolder(defer), 'auctions.sqlite')
  const storeSettings: Settings = store === 'memory' ? { STORE: 'memory' } : { SQLITE_FILE: file }
  const settings = { ...storeSettings, LOG_LEVEL: 'warn', RATE_LIMIT_MAX: '1000000000' }
  const server = await startServer(pathOf('../../../http/src/main.ts'), settings, defer)
  const callers: Caller[] = []
  await repeat(auctions, async () => {
    const { body } = await post(`${server.origin}/api/Auctions`, callerOf(0), auctionFields)
    callers.push(callerOf(body.data.id))
  })
  return { ...server, callers }
}

/** Another server for the same bids, which has every auction. */
export async function startStack(
  stack: 'bare' | 'idiomatic' | 'express',
  settings: Settings,
  auctions: number,
  defer: Defer,
) {
  const server = await startServer(pathOf(`./stacks/${stack}.ts`), settings, defer)
  return { ...server, callers: Array.from({ length: auctions }, (_, index) => callerOf(index + 1)) }
}

/** Starts a server in a process for it alone, with its log going to the null device, and waits until it is ready. */
async function startServer(script: string, settings: Settings, defer: Defer): Promise<Server> {
  const port = await freePort()
  const preload = ['--conditions=@auction/source', '--import', import.meta.resolve('./report-usage.ts')]
  const [execPath, ...execArgv] = onCore(0, process.execPath, preload)
  const common = {
    PATH: process.env['PATH'],
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(port),
    JWT_SECRET: secret,
  }
  const beganMs = performance.now()
  const child = fork(script, [], {
    execPath,
    execArgv,
    env: { ...common, ...settings },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  defer(() => stop(child))
  const origin = `http://127.0.0.1:${port}`
  await untilItWorks(child, async () => {
    // The service listens before its store is open. The other stacks have no such route: any answer of theirs will do.
    const { status } = await fetch(`${origin}/readyz`)
    if (status === 503) throw new Error('the server is not ready')
  })
  const startMs = performance.now() - beganMs
  return { origin, callers: [], startMs, usage: async () => (await ask(child, 'usage')) as Usage } // What report-usage.ts sends.
}

/** @throws Error when the answer is not 201 */
export async function post(url: string, { token }: Caller, fields: object) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(fields) })
  const text = await response.text()
  if (response.status !== 201) throw new Error(`${url} answered ${response.status}: ${text}`)
  // The service's own contract.
  return { headers: [...response.headers], body: JSON.parse(text) as { readonly data: { readonly id: number } } }
}
