import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'

/** The simplest load balancer, which sends a request once. */
export type Balancer = { readonly url: string }

type Server = { readonly url: string; isReady: boolean }

const probeEveryMs = 50

/**
 * Sends requests in turn to the servers whose `/readyz` returns 200. Retries a request only if its connection was refused, so that
 * no request is sent twice. Other failures are 502.
 */
export async function startBalancer(urls: readonly string[]): Promise<Balancer> {
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
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const probing = setInterval(() => Promise.all(servers.map(probe)), probeEveryMs)
  onTestFinished(async () => {
    clearInterval(probing)
    agent.destroy()
    proxy.closeAllConnections()
    proxy.close()
    await once(proxy, 'close')
  })
  const address = proxy.address()
  if (address === null || typeof address === 'string') throw new Error('a TCP server has an address and a port')
  return { url: `http://127.0.0.1:${address.port}` }
}
