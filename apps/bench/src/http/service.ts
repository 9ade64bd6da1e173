import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Caller } from './load.ts'
import { type ServerProcess, startServer } from './server-process.ts'
import { signToken } from './token.ts'

export const serviceScript = fileURLToPath(new URL('../../../http/src/main.ts', import.meta.url))

export type Service = ServerProcess & { readonly callers: readonly Caller[] }

/** Settings of the service, by their names in its environment. */
export type ServiceSettings = Readonly<Record<string, string>>

const subjects = 64
// So many that a bid can't be overtaken by the next one on its auction. Node accepts one connection in each round of its event loop, so
// that the first connections get many answers before the last ones get their first.
export const auctions = 4_096

const secret = randomBytes(32).toString('base64url')

const tokens = Array.from({ length: subjects }, (_, index) =>
  signToken(
    {
      sub: `caller-${index}`,
      permissions: ['auction-service:Auctions:Create', 'auction-service:Bids:Create'],
      exp: Math.floor(Date.now() / 1000) + 24 * 60 * 60,
    },
    secret,
  ),
)

/** The service as production runs it, on memory unless told otherwise, with a limit that nobody reaches, and auctions to bid on. */
export async function startService(settings: ServiceSettings): Promise<Service> {
  const server = await startServer(serviceScript, {
    ...('SQLITE_FILE' in settings ? {} : { STORE: 'memory' }),
    LOG_LEVEL: 'warn',
    JWT_SECRET: secret,
    RATE_LIMIT_MAX: '1000000000',
    ...settings,
  })
  const callers: Caller[] = []
  while (callers.length < auctions) {
    const group = tokens.map(async (token) => ({ token, auctionId: await createAuction(server.origin, token) }))
    callers.push(...(await Promise.all(group)))
  }
  return { ...server, callers }
}

/** Another server for the same bids, which has all auctions that it is asked for. */
export async function startStack(script: string, settings: ServiceSettings): Promise<Service> {
  const server = await startServer(script, { JWT_SECRET: secret, ...settings })
  const callers = Array.from({ length: auctions }, (_, index) => {
    return { token: tokens[index % subjects] ?? '', auctionId: index + 1 }
  })
  return { ...server, callers }
}

const newAuction = JSON.stringify({
  productId: 1,
  ownerId: 1,
  title: 'Walnut desk',
  startingPrice: 1,
  minimumBidIncrement: 1,
  currency: 'USD',
  startTime: '2020-01-01T00:00:00Z',
  endTime: '2999-12-31T23:59:59Z',
})

async function createAuction(origin: string, token: string): Promise<number> {
  const { data } = await post(`${origin}/api/Auctions`, token, newAuction)
  return data.id
}

/** What is answered to a bid, but for what Node adds to every answer. */
export type Answer = { readonly headers: Readonly<Record<string, string>>; readonly body: Envelope }
type Envelope = { readonly data: { readonly id: number } }

const nodesOwn = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding'])

/** One accepted bid, to see what its answer looks like. */
export async function answerToABid({ origin, callers }: Service): Promise<Answer> {
  const [caller] = callers
  if (caller === undefined) throw new RangeError('there is no caller')
  const bid = JSON.stringify({ auctionId: caller.auctionId, bidderId: 2, amount: 1.99 })
  const { headers, ...body } = await post(`${origin}/api/Bids`, caller.token, bid)
  return { headers: Object.fromEntries([...headers].filter(([name]) => !nodesOwn.has(name))), body }
}

async function post(url: string, token: string, body: string): Promise<Envelope & { readonly headers: Headers }> {
  const sent = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers: sent, body })
  const text = await response.text()
  if (response.status !== 201) throw new Error(`${url} answered ${response.status}: ${text}`)
  return { ...(JSON.parse(text) as Envelope), headers: response.headers } // The service's own contract.
}
