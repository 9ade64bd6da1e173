import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { describeWith } from '../../../../tools/vitest/needs.ts'
import { runPromtool } from '../../../../tools/vitest/promtool.ts'
import { startReceiver } from '../../../../tools/vitest/receiver.ts'
import { createMetrics } from '../../src/api/observability/metrics.ts'
import { clientOf } from '../support/client.ts'
import { startServer } from '../support/server.ts'
import { webhookSecret } from '../support/tokens.ts'

const example = (name: string) => fileURLToPath(new URL(`../../../../docs/how-to/examples/${name}`, import.meta.url))
const alerts = readFileSync(example('alerts.yaml'), 'utf8')

// Gauges are exposed even without a file.
const sqliteFile = 'no-such-folder/auctions.sqlite'

let exposition: Promise<string> | undefined

/** What a server exposes that has served each kind of request. */
function exposed(): Promise<string> {
  exposition ??= expose()
  return exposition
}

async function expose(): Promise<string> {
  const metrics = createMetrics(sqliteFile)
  // The metrics of garbage collection appear after the first one.
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const receiver = await startReceiver()
  const WEBHOOK_SECRET = webhookSecret
  const environment = { WEBHOOK_URL: receiver.url, WEBHOOK_SECRET }
  const anna = clientOf(await startServer({ metrics, environment }))
  await anna.createAuction()
  await anna.placeBid()
  await anna.placeBid()
  await anna.get('/nowhere')
  await receiver.received(1)
  return metrics.registry.metrics()
}

/** The names of metrics in a query, with their labels. */
const askedFor = (query: string) =>
  [...query.matchAll(/\b((?:auction|nodejs|process)_\w+)(?:\{([^}]*)\})?/g)].map(([, name = '', matchers = '']) => ({
    name,
    labels: [...matchers.matchAll(/(\w+)\s*[=!]/g)].map(([, label]) => label),
  }))

/** Labels that Prometheus itself adds. */
const addedLabels = new Set(['job', 'instance'])

test('the alerts use metrics and labels that a server has', async () => {
  const text = await exposed()
  const expressions = alerts.split('\n').filter((line) => !/^\s*(summary:|#)/.test(line))
  const asked = expressions.flatMap(askedFor)
  expect(asked.length).toBeGreaterThan(10)
  const missing = asked.filter(({ name, labels }) => {
    const samples = [...text.matchAll(new RegExp(`^${name}(?:\\{(.*)\\})? `, 'gm'))].map(([, found = '']) => found)
    const isThere = (label = '') => addedLabels.has(label) || samples.some((sample) => sample.includes(`${label}="`))
    return samples.length === 0 || !labels.every(isThere)
  })
  expect(missing).toEqual([])
})

test('every alert is tested to fire', () => {
  const named = [...alerts.matchAll(/- alert: (\w+)/g)].map(([, name]) => name)
  const tested = readFileSync(example('alerts.test.yaml'), 'utf8')
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((name) => !tested.includes(`alertname="${name}"`))).toEqual([])
})

describeWith('promtool', 'promtool', () => {
  test('accepts the metrics of a server', async () => {
    expect(await runPromtool(['check', 'metrics'], await exposed())).toEqual({ code: 0, said: '' })
  })

  test.each([
    ['check', 'config', example('prometheus.yaml')],
    ['check', 'rules', example('alerts.yaml')],
    ['test', 'rules', example('alerts.test.yaml')],
  ])('%s %s %s succeeds', async (...parts) => {
    const { code, said } = await runPromtool(parts)
    expect(said).toContain('SUCCESS')
    expect(code).toBe(0)
  })
})
