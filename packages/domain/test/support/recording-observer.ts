import type { Observer } from '../../src/observer.ts'

/** What an observer was told, in order: its part, and what it was told with. Ends stand apart from their starts. */
type Told = readonly [part: string, ...values: unknown[]]

export type Recording = {
  readonly observer: Required<Observer>
  readonly told: readonly Told[]
  /** The ids of the entries of each append. */
  readonly appends: readonly (readonly number[])[]
}

/** An observer that keeps what it is told. */
export function createRecordingObserver(): Recording {
  const told: Told[] = []
  const appends: (readonly number[])[] = []
  const observer: Required<Observer> = {
    onAppend({ entries }) {
      appends.push(entries.map(({ id }) => id))
      return (end) => told.push(['append ended', end.outcome === 'failed' ? end.outcome : end])
    },
    onStoreCall(operation) {
      told.push(['call', operation])
      return (error) => {
        told.push([error === undefined ? 'call ended' : 'call failed', operation, ...(error ? [error.cause] : [])])
      }
    },
    onStoreRetry: (operation) => told.push(['retry', operation]),
    onConflict: (conflict) => told.push(['conflict', conflict]),
    onUnknownOutcome: (settled) => told.push(['unknown outcome', settled]),
    onDeadline: (outcome) => told.push(['deadline', outcome]),
    onUnreadable: (error) => told.push(['unreadable', error]),
    onClosed: (closing) => told.push(['closed', closing]),
  }
  return { observer, told, appends }
}
