import { test } from 'vitest'
import { startHttpServer } from '../../../apps/http/test/faults/http-server.ts'
import { startChild } from '../child.ts'

test('a fault test fails', async () => {
  const { url } = await startHttpServer({ STORE: 'memory' })
  throw new Error(`on purpose, while a server listens on ${url}.`)
})

test('a test fails', async () => {
  const { until } = startChild('sh', ['-c', 'echo "its words" >&2; sleep 1000 & echo up; wait'])
  await until(/up/)
  throw new Error('on purpose, too')
})

test('a test times out', async () => {
  await startChild('sleep', ['1000']).exited()
}, 500)
