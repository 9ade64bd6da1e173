import { KeyMissingError } from '@auction/domain/errors'
import { toAuctionId } from '@auction/domain/ids'
import { createMetricFactory } from '@auction/host/metrics'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { loadObservability } from '../../src/api/observability/load-observability.ts'
import { createServiceMetrics } from '../../src/api/observability/service-metrics.ts'

const waiting = { auctionId: toAuctionId(7), error: new KeyMissingError('the key k is missing') }

test('an auction that waits for the key of its bids is logged', async () => {
  const lines: string[] = []
  const logger = pino({}, { write: (line: string) => void lines.push(line) })
  const store = { kind: 'memory' } as const
  const { observer } = await loadObservability({ admin: undefined, tracing: undefined, store }, logger)
  observer.onBidsUnopened?.(waiting)
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      level: 50,
      auctionId: 7,
      msg: 'an auction has no result, because a sealed bid cannot be opened',
    }),
  ])
})

test('an auction that waits for the key of its bids is counted', async () => {
  const registry = new Registry()
  const { observer } = createServiceMetrics(createMetricFactory(registry))
  observer.onBidsUnopened?.(waiting)
  const metric = await registry.getSingleMetric('auction_closings_unopened_total')?.get()
  expect(metric?.values).toMatchObject([{ value: 1 }])
})
