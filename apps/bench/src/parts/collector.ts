import { once } from 'node:events'
import { createServer } from 'node:http'

/** Takes traces over OTLP/HTTP and throws them away: what they cost the server that sends them does not depend on their use. */
export async function startCollector(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    async stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}
