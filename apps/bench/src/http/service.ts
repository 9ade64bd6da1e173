import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Caller } from './load-generator.ts'
import { type ServerProcess, startServer } from './server-process.ts'
import { signToken } from './token.ts'

export const serviceScript = fileURLToPath(new URL('../../../http/src/main.ts', import.meta.url))

export type Service = ServerProcess & { readonly callers: readonly Caller[] }

/** Where the service keeps its data, as a setting of it. */
export type ServiceStore = { readonly STORE: 'memory' } | { readonly SQLITE_FILE: string }

/** The service as production runs it, with a limit that nobody reaches, and one auction a caller. */
export async function startService(store: ServiceStore, logLevel: string, callerCount: number): Promise<Service> {
  const secret = randomBytes(32).toString('base64url')
  const server = await startServer(serviceScript, {
    ...store,
    LOG_LEVEL: logLevel,
    JWT_SECRET: secret,
    RATE_LIMIT_MAX: '1000000000',
  })
  const callers: Caller[] = []
  for (let index = 0; index < callerCount; index++) {
    const token = signToken(claimsOf(index), secret)
    callers.push({ token, auctionId: await createAuction(server.origin, token) })
  }
  return { ...server, callers }
}

const claimsOf = (index: number): object => ({
  sub: `caller-${index}`,
  permissions: ['auction-service:Auctions:Create', 'auction-service:Bids:Create'],
  exp: Math.floor(Date.now() / 1000) + 24 * 60 * 60,
})

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
  const { text } = await post(`${origin}/api/Auctions`, token, newAuction)
  const { data } = JSON.parse(text) as { readonly data: { readonly id: number } } // The service's own contract.
  return data.id
}

/** One accepted bid, to see what its answer looks like. */
export async function answerToABid({ origin, callers }: Service): Promise<string> {
  const [caller] = callers
  if (caller === undefined) throw new RangeError('there is no caller')
  const bid = JSON.stringify({ auctionId: caller.auctionId, bidderId: 2, amount: 1.99 })
  return (await post(`${origin}/api/Bids`, caller.token, bid)).text
}

async function post(url: string, token: string, body: string): Promise<{ readonly text: string }> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body })
  const text = await response.text()
  if (response.status !== 201) throw new Error(`${url} answered ${response.status}: ${text}`)
  return { text }
}
