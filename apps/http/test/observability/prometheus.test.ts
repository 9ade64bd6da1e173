import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
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
import { temporaryFolder } from '../support/server-process.ts'
import { webhookSecret } from '../support/tokens.ts'

const example = (name: string) => fileURLToPath(new URL(`../../../../docs/how-to/examples/${name}`, import.meta.url))
const alerts = readFileSync(example('alerts.yaml'), 'utf8')

/** Every query of the dashboard, as Prometheus gets it: with its variables in their places. */
const queriesOfDashboard: readonly string[] = [
  ...readFileSync(example('grafana-dashboard.json'), 'utf8').matchAll(/"(?:expr|query)": ("(?:[^"\\]|\\.)*\(.*")/g),
].map(([, text = '']) =>
  JSON.parse(text)
    .replaceAll('$__rate_interval', '5m')
    .replaceAll(/\$\w+/g, '.*')
    .replace(/^label_values\((.*), \w+\)$/, '$1'),
)

// Gauges are exposed even without a file.
const sqliteFile = 'no-such-folder/auctions.sqlite'

/** What a server exposes that has served each kind of request. */
async function exposed(): Promise<string> {
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

test('the dashboard and the alerts use metrics and labels that a server has', async () => {
  const text = await exposed()
  const expressions = alerts.split('\n').filter((line) => !/^\s*(summary:|#)/.test(line))
  const asked = [...queriesOfDashboard, ...expressions].flatMap(askedFor)
  expect(asked.length).toBeGreaterThan(60)
  const missing = asked.filter(({ name, labels }) => {
    const samples = [...text.matchAll(new RegExp(`^${name}(?:\\{(.*)\\})? `, 'gm'))].map(([, found = '']) => found)
    const isThere = (label = '') => addedLabels.has(label) || samples.some((sample) => sample.includes(`${label}="`))
    return samples.length === 0 || !labels.every(isThere)
  })
  expect(missing).toEqual([])
})

test('every metric of the service is in the dashboard', () => {
  const names = createMetrics(sqliteFile)
    .registry.getMetricsAsArray()
    .map(({ name }) => name)
    .filter((name) => name.startsWith('auction_'))
  const shown = queriesOfDashboard.join('\n')
  expect(names.filter((name) => !shown.includes(name))).toEqual([])
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

  test('reads every query of the dashboard', async () => {
    expect(queriesOfDashboard.length).toBeGreaterThan(40)
    const rules = queriesOfDashboard.map((expr, index) => ({ record: `query:${index}`, expr }))
    const file = join(temporaryFolder(), 'queries.yaml')
    // JSON is YAML.
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }))
    const { code, said } = await runPromtool(['check', 'rules', file])
    expect(said).toContain(`${rules.length} rules found`)
    expect(code).toBe(0)
  })
})
