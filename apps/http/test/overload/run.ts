import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startChild } from '../../../../tools/vitest/child.ts'
import { secret } from '../support/tokens.ts'
import type { Latency } from './load.ts'
import { soak } from './soak.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    factor: { type: 'string', default: '2' },
    connections: { type: 'string', default: '1900' },
    store: { type: 'string', default: 'sqlite' },
  },
})

const say = (text: string) => process.stdout.write(`${text}\n`)
const whole = (count: number) => Math.round(count).toLocaleString('en')
const percentiles = ({ p50, p99, max }: Latency) =>
  `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, max ${max.toFixed(0)} ms`

const folder = await mkdtemp(join(tmpdir(), 'auction-overload-'))
const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const server = startChild(process.execPath, ['--conditions=@auction/source', main], {
  env: {
    PATH: process.env['PATH'],
    PORT: '0',
    JWT_SECRET: secret,
    RATE_LIMIT_MAX: '1000000000',
    // The whole load comes from one address.
    MAX_CONNECTIONS_PER_ADDRESS: '2000',
    MAX_REQUESTS_AT_ONCE: process.env['MAX_REQUESTS_AT_ONCE'] ?? '512',
    ...(values.store === 'memory' ? { STORE: 'memory' } : { SQLITE_FILE: join(folder, 'auctions.sqlite') }),
  },
})

try {
  const [, url = ''] = await server.until(/"url":"([^"]+)".*"msg":"listening/)
  const { capacity, overload, probes } = await soak({
    url,
    seconds: Number(values.seconds),
    factor: Number(values.factor),
    connections: Number(values.connections),
  })
  const share = overload.refused / (overload.refused + overload.admitted)
  say(
    `capacity:  ${whole(capacity.perSecond)} requests a second on 64 connections; ${percentiles(capacity.admittedLatency)}`,
  )
  say(`offered:   ${whole(overload.offeredPerSecond)} a second for ${values.seconds} s`)
  say(`admitted:  ${whole(overload.admittedPerSecond)} a second; ${percentiles(overload.admittedLatency)}`)
  say(`refused:   ${(100 * share).toFixed(1)} % with 503; ${percentiles(overload.refusedLatency)}`)
  say(`unsent:    ${whole(overload.unsent)}, as all ${values.connections} connections waited for answers`)
  say(`broken:    ${overload.broken.length} ${overload.broken[0] ?? ''}`)
  say(`probes:    ${probes.failed} failed; ${percentiles(probes.latency)}`)
  process.exitCode = overload.broken.length + capacity.broken.length + probes.failed === 0 ? 0 : 1
} finally {
  server.child.kill('SIGTERM')
  await server.exited()
  await rm(folder, { recursive: true })
}
