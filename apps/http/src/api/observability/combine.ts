import type { Observer } from '@auction/domain'
import type { Watch } from './instrument.ts'

/** An observer that notifies all of them; undefined for an empty list. */
export function combineObservers(observers: readonly Observer[]): Observer | undefined {
  if (observers.length < 2) return observers[0]
  return {
    onAppend: startEach(observers.map(({ onAppend }) => onAppend)),
    onStoreCall: startEach(observers.map(({ onStoreCall }) => onStoreCall)),
    onStoreRetry: notifyEach(observers.map(({ onStoreRetry }) => onStoreRetry)),
    onConflict: notifyEach(observers.map(({ onConflict }) => onConflict)),
    onUnknownOutcome: notifyEach(observers.map(({ onUnknownOutcome }) => onUnknownOutcome)),
    onDeadline: notifyEach(observers.map(({ onDeadline }) => onDeadline)),
    onUnreadable: notifyEach(observers.map(({ onUnreadable }) => onUnreadable)),
    onClosed: notifyEach(observers.map(({ onClosed }) => onClosed)),
  }
}

/** A watch that notifies all of them; undefined for an empty list. */
export function combineWatches(watches: readonly Watch[]): Watch | undefined {
  if (watches.length < 2) return watches[0]
  return {
    addTo: notifyEach(watches.map(({ addTo }) => addTo)),
    onRequest: startEach(watches.map(({ onRequest }) => onRequest)),
    onEarlyRefusal: notifyEach(watches.map(({ onEarlyRefusal }) => onEarlyRefusal)),
    onDroppedConnection: notifyEach(watches.map(({ onDroppedConnection }) => onDroppedConnection)),
    onClosingRun: notifyEach(watches.map(({ onClosingRun }) => onClosingRun)),
  }
}

function notifyEach<Values extends readonly unknown[]>(parts: readonly (((...values: Values) => void) | undefined)[]) {
  const given = parts.filter((part) => part !== undefined)
  return (...values: Values): void => {
    for (const notify of given) notify(...values)
  }
}

function startEach<Values extends readonly unknown[], Ends extends readonly unknown[]>(
  parts: readonly (((...values: Values) => (...ends: Ends) => void) | undefined)[],
) {
  const given = parts.filter((part) => part !== undefined)
  return (...values: Values) => notifyEach<Ends>(given.map((start) => start(...values)))
}
