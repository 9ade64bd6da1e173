import { type Backlog, type Observer, storeOperations } from '@auction/domain'
import type { MetricFactory } from '@auction/host/metrics'
import type { ClosingRun } from '../closing.ts'

const entriesBuckets = [1, 2, 4, 8, 16, 32, 64, 128, 256, 500]
const storeBuckets = [0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5]
const lateBuckets = [0.5, 1, 2, 5, 10, 30, 60, 300, 900, 3_600]

const closingRuns: ClosingRun[] = ['complete', 'incomplete', 'failed']

export function createServiceMetrics(factory: MetricFactory) {
  const runs = factory.counter(
    'auction_closing_runs_total',
    'Runs that close due auctions, by result: complete, incomplete (some auctions remain), failed (the due auctions are unknown).',
    { run: closingRuns },
  )
  const observeBacklog = createBacklogGauges(factory)
  const observer: Observer = { ...observeLedger(factory), ...observeStore(factory) }
  return { observer, onClosingRun: (run: ClosingRun) => runs.inc({ run }), observeBacklog }
}

function observeLedger({ counter, histogram }: MetricFactory): Observer {
  const appendEntries = histogram(
    'auction_append_entries',
    'Entries per append: bids, purchases, cancellations and closings of one auction that are stored together.',
    entriesBuckets,
  )
  const appendDurations = histogram(
    'auction_append_duration_seconds',
    'Duration of appends: stored, conflict (another process was first), failed.',
    storeBuckets,
    { outcome: ['stored', 'conflict', 'failed'] },
  )
  const conflicts = counter(
    'auction_conflicts_total',
    'Commands decided again, because another process was first (sequence) or the key was already used (request-key).',
    { over: ['sequence', 'request-key'] },
  )
  const unknownOutcomes = counter(
    'auction_unknown_outcomes_total',
    'Entries and auctions whose write had no response, by resolution: found, sent-again, given-up.',
    { what: ['entries', 'auction'], settled: ['found', 'sent-again', 'given-up'] },
  )
  const deadlines = counter(
    'auction_deadlines_total',
    'Commands that exceeded the deadline: nothing-changed, unknown.',
    { outcome: ['nothing-changed', 'unknown'] },
  )
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

function observeStore({ counter, histogram }: MetricFactory): Observer {
  const labels = { operation: storeOperations }
  const durations = histogram(
    'auction_store_call_duration_seconds',
    'Duration of store calls including retries.',
    storeBuckets,
    labels,
  )
  const errors = counter('auction_store_errors_total', 'Store calls that failed after all retries.', labels)
  const retries = counter('auction_store_retries_total', 'Retries of store calls.', labels)
  const delays = histogram(
    'auction_closing_delay_seconds',
    'Delay between the time an auction was due and its closing by this server.',
    lateBuckets,
  )
  const waiting = counter(
    'auction_closings_unopened_total',
    'Due auctions that this server could not close, because a sealed bid could not be opened: its key is missing, or it is damaged.',
  )
  return {
    onStoreCall(operation) {
      const startMs = performance.now()
      return (error) => {
        durations.observe({ operation }, secondsSince(startMs))
        if (error !== undefined) errors.inc({ operation })
      }
    },
    onStoreRetry: (operation) => retries.inc({ operation }),
    onBidsUnopened: () => waiting.inc(),
    onClosed: ({ lateMs }) => delays.observe(Math.max(lateMs, 0) / 1000),
  }
}

/** A scrape reads all gauges in one turn of the event loop, so they show the same moment. */
function createBacklogGauges({ gauge }: MetricFactory): (backlog: () => Backlog) => void {
  let backlog: (() => Backlog) | undefined
  const show = (name: string, help: string, read: (now: Backlog) => number) =>
    gauge(name, help, () => (backlog === undefined ? 0 : read(backlog())))
  show(
    'auction_commands_in_progress',
    'Bids, purchases, cancellations and closings in progress: waiting, or being stored.',
    ({ commands }) => commands,
  )
  show('auction_lanes', 'Auctions with commands in progress.', ({ lanes }) => lanes)
  show('auction_lane_depth_max', 'Waiting commands in the longest lane.', ({ longestLane }) => longestLane)
  show('auction_closings_due', 'Auctions known to be due for closing.', ({ closingsDue }) => closingsDue)
  show(
    'auction_closing_longest_due_seconds',
    'The longest time that an auction has been due for closing.',
    ({ longestDueMs }) => longestDueMs / 1000,
  )
  return (read) => {
    backlog = read
  }
}

const secondsSince = (startMs: number): number => (performance.now() - startMs) / 1000
