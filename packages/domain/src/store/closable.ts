import { createCallsInFlight } from '../in-flight.ts'
import { StoreUnavailableError } from './errors.ts'
import type { ClosableStore, Store } from './store.ts'

export { createCallsInFlight }

type Operations = Readonly<Record<string, (...values: never[]) => Promise<unknown>>>

/**
 * Adds a `close` to a store. It waits for the calls in flight, and then calls `closeConnection`, once. Later calls of
 * operations fail. Members that are not functions, and the functions of objects among them, such as `checkpoints`, are
 * kept: functions of objects are guarded like operations.
 */
export function closable<Closed extends Store>(
  closeConnection: () => Promise<void>,
  store: Closed,
): Closed & ClosableStore {
  const { during, ended } = createCallsInFlight()
  let closing: Promise<void> | undefined

  const guardedCall =
    (call: Operations[string]) =>
    async (...values: never[]): Promise<unknown> => {
      if (closing !== undefined) throw new StoreUnavailableError('the store is closed')
      return during(call(...values))
    }
  // Only `partOf` returns no promise, and it does not use the connection.
  const guarded = (name: string, member: unknown): unknown => {
    if (typeof member === 'function') return name === 'partOf' ? member : guardedCall(member as Operations[string])
    return typeof member === 'object' && member !== null ? guardedMembers(member) : member
  }
  const guardedMembers = (object: object): object =>
    Object.fromEntries(Object.entries(object).map(([name, member]) => [name, guarded(name, member)]))

  return {
    ...(guardedMembers(store) as Closed), // The same members, of which the operations are guarded.
    async close() {
      closing ??= ended().then(closeConnection)
      await closing
    },
  }
}
