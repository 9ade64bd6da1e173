import { renameSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { clientOf } from '../support/client.ts'
import { samplesIn } from '../support/samples.ts'
import { startServerProcess, temporaryFolder } from '../support/server-process.ts'
import { secret } from '../support/tokens.ts'

async function startWithMetrics(environment: Readonly<Record<string, string>>) {
  const server = await startServerProcess({ JWT_SECRET: secret, ADMIN_PORT: '0', ...environment })
  const [, url = ''] = await server.until(/"url":"([^"]+)","msg":"serving metrics"/)
  const read = async (): Promise<string> => (await fetch(url)).text()
  const gauge = (text: string, name: string) => samplesIn(text).get(`auction_sqlite_${name}_bytes`)
  return { server, read, gauge }
}

test('metrics have the sizes of the SQLite file and its log, and the free space of its disk', async () => {
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
})

test('a file that was moved has no size, and the other metrics are read', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'auctions.sqlite')
  const { read, gauge } = await startWithMetrics({ SQLITE_FILE: file })
  renameSync(file, join(folder, 'moved.sqlite'))
  const text = await read()
  expect(gauge(text, 'file')).toBeNaN()
  expect(gauge(text, 'disk_free')).toBeGreaterThan(0)
  expect(text).toContain('\nauction_lanes 0\n')
})

test('metrics of another store have no file', async () => {
  const { read } = await startWithMetrics({ STORE: 'memory' })
  const text = await read()
  expect(text).toContain('auction_lanes')
  expect(text).not.toContain('auction_sqlite')
})
