import type { Backlog, Observer, StoreOperation } from '@auction/domain/observer'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { ClosingRun } from '../../server/watch.ts'

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
  /** Has what waits read whenever the metrics are. */
  watchBacklog(backlog: () => Backlog): void
}

/** Counts what happens in the lanes and the store, and takes the times. What can be named before it happens begins with 0. */
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
    help: 'Entries of one auction in one append: how many bids, purchases, cancellations and closings are decided together.',
    buckets: entriesBuckets,
    registers,
  })
  const appendDurations = new Histogram({
    name: 'auction_append_duration_seconds',
    help: 'How long appends take, by outcome: stored, conflict (another process was first), failed.',
    labelNames: ['outcome'],
    buckets: storeBuckets,
    registers,
  })
  const conflicts = new Counter({
    name: 'auction_conflicts_total',
    help: 'Commands that were decided again, as another process was first (sequence) or their key was used before (request-key).',
    labelNames: ['over'],
    registers,
  })
  const unknownOutcomes = new Counter({
    name: 'auction_unknown_outcomes_total',
    help: 'Entries and auctions whose write had no answer, by what was done: found, sent-again, given-up.',
    labelNames: ['what', 'settled'],
    registers,
  })
  const deadlines = new Counter({
    name: 'auction_deadlines_total',
    help: 'Commands that took too long, by what is known of them: nothing-changed, unknown.',
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
    help: 'How long the store takes, by operation, all tries together.',
    labelNames: ['operation'],
    buckets: storeBuckets,
    registers,
  })
  const errors = new Counter({
    name: 'auction_store_errors_total',
    help: 'Calls of the store that failed, after all tries, by operation.',
    labelNames: ['operation'],
    registers,
  })
  const retries = new Counter({
    name: 'auction_store_retries_total',
    help: 'Tries that failed and were made again, by operation.',
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
    help: 'Auctions that this server has closed, by how long they had been due.',
    buckets: lateBuckets,
    registers: [registry],
  })
  return { onClosed: ({ lateMs }) => delays.observe(Math.max(lateMs, 0) / 1000) }
}

function createClosingRuns(registry: Registry): Counter<'run'> {
  const runs = new Counter({
    name: 'auction_closing_runs_total',
    help: 'Tries to close all that is due: complete, incomplete (some auctions are left), failed (it is not known which are due).',
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
    help: 'Bids, purchases, cancellations and closings that are not settled: those that wait, and those on their way into the ledger.',
    registers,
    // For all of them, so that they are of one moment; the first that is made is the first to be read.
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
    help: 'Auctions that have commands to settle.',
    registers,
  })
  const longestLane = new Gauge({
    name: 'auction_lane_depth_max',
    help: 'Commands that wait behind those on their way, in the lane where the most do.',
    registers,
  })
  const closingsDue = new Gauge({
    name: 'auction_closings_due',
    help: 'Auctions that are known to be due for closing, and are not closed.',
    registers,
  })
  const longestDue = new Gauge({
    name: 'auction_closing_longest_due_seconds',
    help: 'How long the first of the auctions has been due that are not closed.',
    registers,
  })
  return (backlog) => {
    readBacklog = backlog
  }
}

const secondsSince = (startMs: number): number => (performance.now() - startMs) / 1000
