import { renameSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { clientOf } from '../support/client.ts'
import { samplesIn, valuesOf } from '../support/samples.ts'
import { startServerProcess, temporaryFolder } from '../support/server-process.ts'
import { secret } from '../support/tokens.ts'

async function startWithMetrics(environment: Readonly<Record<string, string>>) {
  const server = await startServerProcess({ JWT_SECRET: secret, ADMIN_PORT: '0', ...environment })
  const [, url = ''] = await server.until(/"url":"([^"]+)","msg":"serving metrics"/)
  const read = async (): Promise<string> => (await fetch(url)).text()
  const gauge = (text: string, name: string) => samplesIn(text).get(`auction_sqlite_${name}_bytes`)
  return { server, url, read, gauge }
}

test('a process with ADMIN_PORT logs its address and serves metrics there, and not on its public port', async () => {
  const { server, url } = await startWithMetrics({ STORE: 'memory' })
  expect(new URL(url).pathname).toBe('/metrics')
  expect((await clientOf(server).createAuction()).status).toBe(201)
  expect((await clientOf(server).get('/metrics')).status).toBe(404)
  const response = await fetch(url)
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  const text = await response.text()
  const samples = samplesIn(text)
  expect(valuesOf(samples, 'auction_http_requests_total')).toEqual({
    '{operation="createAuction",status="201"}': 1,
    '{operation="unknown",status="404"}': 1,
  })
  expect(samples.get('process_cpu_seconds_total')).toBeGreaterThan(0)
  expect(text).not.toContain('auction_sqlite')
  server.child.kill('SIGTERM')
  expect(await server.exited()).toBe(0)
})

test('metrics have the sizes of the SQLite file and its log, unless it was moved, and the free space of its disk', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'auctions.sqlite')
  const { server, read, gauge } = await startWithMetrics({ SQLITE_FILE: file })
  const logBefore = gauge(await read(), 'wal')
  expect((await clientOf(server).createAuction()).status).toBe(201)

  const text = await read()
  expect(gauge(text, 'file')).toBe(statSync(file).size)
  expect(gauge(text, 'wal')).toBe(statSync(`${file}-wal`).size)
  expect(gauge(text, 'wal')).toBeGreaterThan(logBefore ?? Number.NaN)
  const { bavail, blocks, bsize } = statfsSync(folder)
  // Other processes use the disk too.
  expect(Math.abs((gauge(text, 'disk_free') ?? Number.NaN) - bavail * bsize)).toBeLessThan((blocks * bsize) / 10)

  renameSync(file, join(folder, 'moved.sqlite'))
  const later = await read()
  expect(gauge(later, 'file')).toBeNaN()
  expect(gauge(later, 'disk_free')).toBeGreaterThan(0)
  expect(later).toContain('\nauction_lanes ')
})
