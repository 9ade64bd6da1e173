import type { Backlog, Observer, StoreOperation } from '@auction/domain'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { ClosingRun } from '../../closing.ts'

const entriesBuckets = [1, 2, 4, 8, 16, 32, 64, 128, 256, 500]
const storeBuckets = [0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5]
const lateBuckets = [0.5, 1, 2, 5, 10, 30, 60, 300, 900, 3_600]

const operations = [
  'insertAuction',
  'findAuction',
  'findAuctionByKey',
  'listAuctions',
  'updateAgenda',
  'append',
  'findHeads',
  'findEntries',
  'findEntriesByKey',
  'listEntries',
  'claimIdBlock',
  'highestIdBlock',
] as const satisfies readonly StoreOperation[]

export type ServiceMetrics = {
  readonly observer: Observer
  readonly onClosingRun: (run: ClosingRun) => void
  /** Sets the function that reads the backlog for each scrape. */
  watchBacklog(backlog: () => Backlog): void
}

/** Measures the lanes and the store. Series with known labels start at 0. */
export function createServiceMetrics(registry: Registry): ServiceMetrics {
  const closingRuns = createClosingRuns(registry)
  const watchBacklog = createBacklogGauges(registry)
  return {
    observer: { ...observeLedger(registry), ...observeStore(registry), ...observeClosings(registry) },
    onClosingRun: (run) => closingRuns.inc({ run }),
    watchBacklog,
  }
}

function observeLedger(registry: Registry): Observer {
  const registers = [registry]
  const appendEntries = new Histogram({
    name: 'auction_append_entries',
    help: 'Entries per append: bids, purchases, cancellations and closings of one auction that are stored together.',
    buckets: entriesBuckets,
    registers,
  })
  const appendDurations = new Histogram({
    name: 'auction_append_duration_seconds',
    help: 'Duration of appends, by outcome: stored, conflict (another process was first), failed.',
    labelNames: ['outcome'],
    buckets: storeBuckets,
    registers,
  })
  const conflicts = new Counter({
    name: 'auction_conflicts_total',
    help: 'Commands decided again, because another process was first (sequence) or the key was already used (request-key).',
    labelNames: ['over'],
    registers,
  })
  const unknownOutcomes = new Counter({
    name: 'auction_unknown_outcomes_total',
    help: 'Entries and auctions whose write had no response, by resolution: found, sent-again, given-up.',
    labelNames: ['what', 'settled'],
    registers,
  })
  const deadlines = new Counter({
    name: 'auction_deadlines_total',
    help: 'Commands that exceeded the deadline, by outcome: nothing-changed, unknown.',
    labelNames: ['outcome'],
    registers,
  })
  for (const outcome of ['stored', 'conflict', 'failed']) appendDurations.zero({ outcome })
  for (const over of ['sequence', 'request-key']) conflicts.inc({ over }, 0)
  for (const outcome of ['nothing-changed', 'unknown']) deadlines.inc({ outcome }, 0)
  for (const what of ['entries', 'auction']) {
    for (const settled of ['found', 'sent-again', 'given-up']) unknownOutcomes.inc({ what, settled }, 0)
  }
  return {
    onAppend({ entries }) {
      const startMs = performance.now()
      appendEntries.observe(entries.length)
      return ({ outcome }) => appendDurations.observe({ outcome }, secondsSince(startMs))
    },
    onConflict: ({ over, commands }) => conflicts.inc({ over }, commands),
    onUnknownOutcome: ({ what, settled, count }) => unknownOutcomes.inc({ what, settled }, count),
    onDeadline: (outcome) => deadlines.inc({ outcome }),
  }
}

function observeStore(registry: Registry): Observer {
  const registers = [registry]
  const durations = new Histogram({
    name: 'auction_store_call_duration_seconds',
    help: 'Duration of store calls including retries, by operation.',
    labelNames: ['operation'],
    buckets: storeBuckets,
    registers,
  })
  const errors = new Counter({
    name: 'auction_store_errors_total',
    help: 'Store calls that failed after all retries, by operation.',
    labelNames: ['operation'],
    registers,
  })
  const retries = new Counter({
    name: 'auction_store_retries_total',
    help: 'Retries of store calls, by operation.',
    labelNames: ['operation'],
    registers,
  })
  for (const operation of operations) {
    durations.zero({ operation })
    errors.inc({ operation }, 0)
    retries.inc({ operation }, 0)
  }
  return {
    onStoreCall(operation) {
      const startMs = performance.now()
      return (error) => {
        durations.observe({ operation }, secondsSince(startMs))
        if (error !== undefined) errors.inc({ operation })
      }
    },
    onStoreRetry: (operation) => retries.inc({ operation }),
  }
}

function observeClosings(registry: Registry): Observer {
  const delays = new Histogram({
    name: 'auction_closing_delay_seconds',
    help: 'Delay between the time an auction was due and its closing by this server.',
    buckets: lateBuckets,
    registers: [registry],
  })
  return { onClosed: ({ lateMs }) => delays.observe(Math.max(lateMs, 0) / 1000) }
}

function createClosingRuns(registry: Registry): Counter<'run'> {
  const runs = new Counter({
    name: 'auction_closing_runs_total',
    help: 'Runs that close due auctions, by result: complete, incomplete (some auctions remain), failed (the due auctions are unknown).',
    labelNames: ['run'],
    registers: [registry],
  })
  for (const run of ['complete', 'incomplete', 'failed'] satisfies ClosingRun[]) runs.inc({ run }, 0)
  return runs
}

function createBacklogGauges(registry: Registry): (backlog: () => Backlog) => void {
  let readBacklog: (() => Backlog) | undefined
  const registers = [registry]
  new Gauge({
    name: 'auction_commands_in_progress',
    help: 'Bids, purchases, cancellations and closings in progress: waiting, or being stored.',
    registers,
    // Sets all gauges, so that they show the same moment. The registry collects the gauge that was created first before the others.
    collect() {
      const now = readBacklog?.()
      if (now === undefined) return
      this.set(now.commands)
      lanes.set(now.lanes)
      longestLane.set(now.longestLane)
      closingsDue.set(now.closingsDue)
      longestDue.set(now.longestDueMs / 1000)
    },
  })
  const lanes = new Gauge({
    name: 'auction_lanes',
    help: 'Auctions with commands in progress.',
    registers,
  })
  const longestLane = new Gauge({
    name: 'auction_lane_depth_max',
    help: 'Waiting commands in the longest lane.',
    registers,
  })
  const closingsDue = new Gauge({
    name: 'auction_closings_due',
    help: 'Auctions known to be due for closing.',
    registers,
  })
  const longestDue = new Gauge({
    name: 'auction_closing_longest_due_seconds',
    help: 'The longest time that an auction has been due for closing.',
    registers,
  })
  return (backlog) => {
    readBacklog = backlog
  }
}

const secondsSince = (startMs: number): number => (performance.now() - startMs) / 1000
