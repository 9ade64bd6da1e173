import type { Observer } from '@auction/domain/observer'
import type { ServerWatch } from '../server/watch.ts'

/** One observer that tells all of them; none where there are none. */
export function combineObservers(observers: readonly Observer[]): Observer | undefined {
  if (observers.length < 2) return observers[0]
  return {
    onAppend: startEach(observers.map(({ onAppend }) => onAppend)),
    onStoreCall: startEach(observers.map(({ onStoreCall }) => onStoreCall)),
    onStoreRetry: tellEach(observers.map(({ onStoreRetry }) => onStoreRetry)),
    onConflict: tellEach(observers.map(({ onConflict }) => onConflict)),
    onUnknownOutcome: tellEach(observers.map(({ onUnknownOutcome }) => onUnknownOutcome)),
    onDeadline: tellEach(observers.map(({ onDeadline }) => onDeadline)),
    onUnreadable: tellEach(observers.map(({ onUnreadable }) => onUnreadable)),
    onClosed: tellEach(observers.map(({ onClosed }) => onClosed)),
  }
}

/** One watch that tells all of them; none where there are none. */
export function combineWatches(watches: readonly ServerWatch[]): ServerWatch | undefined {
  if (watches.length < 2) return watches[0]
  return {
    addTo: tellEach(watches.map(({ addTo }) => addTo)),
    onRequest: startEach(watches.map(({ onRequest }) => onRequest)),
    onEarlyRefusal: tellEach(watches.map(({ onEarlyRefusal }) => onEarlyRefusal)),
    onDroppedConnection: tellEach(watches.map(({ onDroppedConnection }) => onDroppedConnection)),
    onClosingRun: tellEach(watches.map(({ onClosingRun }) => onClosingRun)),
  }
}

function tellEach<Values extends readonly unknown[]>(parts: readonly (((...values: Values) => void) | undefined)[]) {
  const given = parts.filter((part) => part !== undefined)
  return (...values: Values): void => {
    for (const tell of given) tell(...values)
  }
}

function startEach<Values extends readonly unknown[], Ends extends readonly unknown[]>(
  parts: readonly (((...values: Values) => (...ends: Ends) => void) | undefined)[],
) {
  const given = parts.filter((part) => part !== undefined)
  return (...values: Values) => tellEach<Ends>(given.map((start) => start(...values)))
}
