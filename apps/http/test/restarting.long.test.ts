import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../../../tools/vitest/listen.ts'
import { clientOf } from './support/client.ts'
import { startServerProcess, temporaryFolder } from './support/server-process.ts'
import { secret } from './support/tokens.ts'

const clients = 16

/** The pause between requests of a client. It leaves the processor to other tests. */
const pauseMs = 100

/** Clients that bid and read. Collects responses that must not occur. */
function startLoad(url: string, auctionId: number) {
  const anna = clientOf({ url })
  const broken: string[] = []
  const waiting: { readonly count: number; readonly resolve: () => void }[] = []
  let amount = 100
  let accepted = 0
  let isStopping = false

  async function bidAndRead(): Promise<void> {
    while (!isStopping) {
      amount += 5
      const responses = [
        await anna.placeBid({ auctionId, amount }).catch(String),
        await anna.get(`/api/Auctions/${auctionId}`).catch(String),
      ]
      for (const response of responses) {
        if (typeof response === 'string') broken.push(response)
        else if (response.status === 201) accepted += 1
        // A newer bid may arrive first.
        else if (response.status !== 200 && response.body?.code !== 'bid-too-low') broken.push(response.text)
      }
      for (const { resolve } of waiting.filter(({ count }) => accepted >= count)) resolve()
      await setTimeout(pauseMs)
    }
  }

  const working = Promise.all(Array.from({ length: clients }, bidAndRead))
  return {
    /** Waits until this many more bids are accepted. */
    accepted(more: number): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.push({ count: accepted + more, resolve })
      return promise
    },
    async stop() {
      isStopping = true
      await working
      return { broken, accepted }
    },
  }
}

/** The simplest load balancer, which sends a request once. */
type Balancer = { readonly url: string }

type Server = { readonly url: string; isReady: boolean }

const probeEveryMs = 50

/**
 * Sends requests in turn to the servers whose `/readyz` returns 200. Retries a request only if its connection was refused, so that
 * no request is sent twice. Other failures are 502.
 */
async function startBalancer(urls: readonly string[]): Promise<Balancer> {
  const servers: readonly Server[] = urls.map((url) => ({ url, isReady: true }))
  const agent = new Agent({ keepAlive: true })
  let turn = 0

  async function probe(server: Server): Promise<void> {
    server.isReady = await fetch(`${server.url}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    )
  }

  function forward(incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse, tries: number): void {
    const ready = servers.filter(({ isReady }) => isReady)
    const server = ready[turn++ % ready.length]
    if (server === undefined) {
      outgoing.writeHead(502).end('no server is ready')
      return
    }
    const { method = 'GET', url = '/', headers } = incoming
    const sent = request(new URL(url, server.url), { agent, method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      response.on('error', () => outgoing.destroy())
      response.pipe(outgoing)
    })
    sent.on('error', (error) => {
      const isRefused = 'code' in error && error.code === 'ECONNREFUSED'
      if (isRefused && tries < servers.length) forward(incoming, body, outgoing, tries + 1)
      else if (outgoing.headersSent) outgoing.destroy()
      else outgoing.writeHead(502).end(String(error))
    })
    sent.end(body)
  }

  const proxy = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    forward(incoming, Buffer.concat(chunks), outgoing, 1)
  })
  const probing = setInterval(() => Promise.all(servers.map(probe)), probeEveryMs)
  onTestFinished(() => {
    clearInterval(probing)
    agent.destroy()
  })
  return { url: `http://127.0.0.1:${await listen(proxy)}` }
}

test('no client receives a failure while two servers restart, one after the other, behind a load balancer', async () => {
  const settings = {
    SQLITE_FILE: join(temporaryFolder(), 'auctions.sqlite'),
    JWT_SECRET: secret,
    RATE_LIMIT_MAX: '1000000',
    SHUTDOWN_SECONDS: '4',
  }
  const start = async (PORT = '0') => startServerProcess({ ...settings, PORT })
  const servers = [await start(), await start()]
  const balancer = await startBalancer(servers.map(({ url }) => url))
  const created = await clientOf(balancer).createAuction({ startTime: '2020-01-01T00:00:00Z' })
  const load = startLoad(balancer.url, created.body.data.id)

  await load.accepted(50)
  const ended: (number | null)[] = []
  for (const server of servers) {
    server.child.kill('SIGTERM')
    ended.push(await server.exited())
    await load.accepted(20)
    const started = await start(new URL(server.url).port)
    // It must serve before the other one stops.
    await started.until(/"method":"POST".*"status":201/)
  }
  const { broken, accepted } = await load.stop()
  expect(broken).toEqual([])
  expect(ended).toEqual([0, 0])
  expect(accepted).toBeGreaterThan(90)
})
