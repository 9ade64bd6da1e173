import type { Observer } from '../../src/observer.ts'

/** The events that an observer received, in order: the part and its arguments. Ends are recorded apart from their starts. */
type Report = readonly [part: string, ...values: unknown[]]

type Recording = {
  readonly observer: Required<Observer>
  readonly reports: readonly Report[]
  /** The ids of the entries of each append. */
  readonly appends: readonly (readonly number[])[]
}

/** An observer that records its events. */
export function createRecordingObserver(): Recording {
  const reports: Report[] = []
  const appends: (readonly number[])[] = []
  const observer: Required<Observer> = {
    onAppend({ entries }) {
      appends.push(entries.map(({ id }) => id))
      return (end) => reports.push(['append ended', end.outcome === 'failed' ? end.outcome : end])
    },
    onStoreCall(operation) {
      reports.push(['call', operation])
      return (error) => {
        reports.push([error === undefined ? 'call ended' : 'call failed', operation, ...(error ? [error.cause] : [])])
      }
    },
    onStoreRetry: (operation) => reports.push(['retry', operation]),
    onConflict: (conflict) => reports.push(['conflict', conflict]),
    onUnknownOutcome: (settled) => reports.push(['unknown outcome', settled]),
    onDeadline: (outcome) => reports.push(['deadline', outcome]),
    onUnreadable: (error) => reports.push(['unreadable', error]),
    onBidsUnopened: (waiting) => reports.push(['bids unopened', waiting]),
    onClosed: (closing) => reports.push(['closed', closing]),
  }
  return { observer, reports, appends }
}
