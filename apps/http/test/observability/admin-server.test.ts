import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { clientOf } from '../support/client.ts'
import { samplesIn, valuesOf } from '../support/samples.ts'
import { startProcess, startServerProcess } from '../support/server-process.ts'
import { secret } from '../support/tokens.ts'

test('a process with ADMIN_PORT logs its address and serves metrics there, and not on its public port', async () => {
  const server = await startServerProcess({ JWT_SECRET: secret, ADMIN_PORT: '0', STORE: 'memory' })
  await server.until(/"msg":"serving metrics"/)
  const url = /"url":"(?<url>[^"]*\/metrics)"/.exec(server.stdout())?.groups?.['url'] ?? ''
  expect((await clientOf(server).createAuction()).status).toBe(201)
  expect((await clientOf(server).get('/metrics')).status).toBe(404)
  const response = await fetch(url)
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  const samples = samplesIn(await response.text())
  expect(valuesOf(samples, 'auction_http_requests_total')).toEqual({
    '{operation="createAuction",status="201"}': 1,
    '{operation="unknown",status="404"}': 1,
  })
  expect(samples.get('process_cpu_seconds_total')).toBeGreaterThan(0)
  server.child.kill('SIGTERM')
  expect(await server.exited()).toBe(0)
})

test('an admin port in use ends the start with one line', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  const { port } = other.address() as { readonly port: number } // It listens on a port.
  const server = startProcess({ JWT_SECRET: secret, ADMIN_PORT: String(port), STORE: 'memory' })
  expect(await server.exited()).toBe(1)
  expect(server.stderr()).toBe(
    `ADMIN_HOST, ADMIN_PORT: cannot listen on 127.0.0.1:${port}: the address is already in use; stop the other program or choose another ADMIN_PORT\n`,
  )
})
