import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import jwt from 'jsonwebtoken'
import { auctionFields, repeat } from '../bidding.ts'
import { ask, makeFolder, messageOf, stop, untilReady } from '../resources.ts'
import type { Defer } from '../scope.ts'

export type Server = {
  readonly origin: string
  /** The user and system time of all threads so far. */
  cpuMicros(): Promise<number>
}
type Settings = Readonly<Record<string, string>>
type Stack = 'bare' | 'idiomatic'

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const secret = randomBytes(32).toString('base64url')
const permissions = ['Auctions:Create', 'Auctions:Read', 'Bids:Create', 'Sales:Manage'].map(
  (name) => `auction-service:${name}`,
)
export const token = jwt.sign({ sub: 'bench', permissions }, secret)

/** Limits that one caller at one address does not reach. */
const limits: Settings = {
  LOG_LEVEL: 'warn',
  RATE_LIMIT_MAX: '1000000000',
  MAX_CONNECTIONS: '50000',
  MAX_CONNECTIONS_PER_ADDRESS: '50000',
  MAX_STREAMS_PER_CALLER: '1000',
}

/** Starts the service as in production, but for limits. @param settings the store, and others */
export const startService = (settings: Settings, defer: Defer): Promise<Server> =>
  startServer(pathOf('../../../http/src/main.ts'), { ...limits, ...settings }, defer)

/** Starts a service that belongs to one process, and creates auctions to bid on, whose ids start at 1. */
export async function startAlone(store: 'memory' | 'sqlite', auctions: number, defer: Defer) {
  const SQLITE_FILE = join(await makeFolder(defer), 'auctions.sqlite')
  const server = await startService(store === 'memory' ? { STORE: store } : { SQLITE_FILE }, defer)
  await createAuctionsAt(server, auctions)
  return server
}

/** Creates auctions over HTTP, whose ids start at 1. */
export const createAuctionsAt = ({ origin }: Server, count: number): Promise<void> =>
  repeat(count, async () => {
    const { body } = await post(`${origin}/api/Auctions`, auctionFields)
    if (body.data.id > count) throw new Error(`auction ${body.data.id} is none of 1 to ${count}`)
  })

/** Starts another server for the same bids, which has every auction. */
export const startStack = (stack: Stack, settings: Settings, defer: Defer) =>
  startServer(pathOf(`./stacks/${stack}.ts`), settings, defer)

/** Starts a server in a separate process, with its log sent to the null device, and waits until it is ready. */
async function startServer(script: string, settings: Settings, defer: Defer): Promise<Server> {
  const common = { NODE_ENV: 'production', HOST: '127.0.0.1', PORT: '0', JWT_SECRET: secret }
  const child = fork(script, [], {
    execArgv: ['--conditions=@auction/source', '--import', import.meta.resolve('./report-usage.ts')],
    env: { PATH: process.env['PATH'], ...common, ...settings },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  defer(() => stop(child))
  const origin = `http://127.0.0.1:${await messageOf(child)}`
  // The service listens before its store is open, and returns 503 until then. The other servers lack this route.
  await untilReady(child, `${origin}/readyz`, (status) => status !== 503)
  return {
    origin,
    cpuMicros: async () => Number(await ask(child, 'cpu')),
  }
}

/** The headers that Node adds to every response. */
const nodesOwn = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding'])

/** A response of the service as JSON, for a stack that responds the same. */
export const jsonOf = ({ headers, body }: ApiResponse<object>): string =>
  JSON.stringify({ headers: Object.fromEntries(headers.filter(([name]) => !nodesOwn.has(name))), body })

type ApiResponse<Body> = { readonly headers: readonly (readonly [string, string])[]; readonly body: Body }

/** @throws Error if the status is not 201 */
export const post = (url: string, fields: object) =>
  request<{ readonly data: { readonly id: number } }>(url, 201, { method: 'POST', body: JSON.stringify(fields) })

/** Posts JSON, and returns the data of the response. @throws Error if the status is another one */
export const postFor = async <Data>(url: string, status: number, fields: object): Promise<Data> =>
  (await request<{ readonly data: Data }>(url, status, { method: 'POST', body: JSON.stringify(fields) })).body.data

/** @throws Error if the status is not 200 */
export const get = (url: string) => request<object>(url, 200, {})

async function request<Body>(url: string, expected: number, init: RequestInit): Promise<ApiResponse<Body>> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const response = await fetch(url, { ...init, headers })
  const text = await response.text()
  if (response.status !== expected) throw new Error(`${url} responded with ${response.status}: ${text}`)
  return { headers: [...response.headers], body: JSON.parse(text) as Body } // The contract of the service.
}
