import { integer, type Row } from './values.ts'

/** An order of auctions: by a time, and among those of one millisecond by id, both up or both down. */
export type Order = { readonly timeColumn: 'createdAtMs' | 'endMs'; readonly direction: 'up' | 'down' }

/** A place in an order. */
export type Place = { readonly timeMs: number; readonly id: number }

/** All that is behind `after`, up to `until` and with it; either end may be open. */
export type Range = { readonly after?: Place | undefined; readonly until?: Place | undefined }

/** A part of a WHERE clause, with what is bound to it. */
export type Condition = { readonly sql: string; readonly params: Row }

/** Below 0 where `a` comes first, above 0 where `b` does. */
export function comparePlaces({ direction }: Order, a: Place, b: Place): number {
  const upwards = a.timeMs - b.timeMs || a.id - b.id
  return direction === 'up' ? upwards : -upwards
}

const operators = { up: { behind: '>', upTo: '<=' }, down: { behind: '<', upTo: '>=' } } as const

/** A range as conditions. SQLite compares time and id together, as the index has them: each end is one seek. */
export function rangeConditions({ timeColumn, direction }: Order, { after, until }: Range): readonly Condition[] {
  const { behind, upTo } = operators[direction]
  const end = (operator: string, place: Place | undefined): readonly Condition[] =>
    place === undefined
      ? []
      : [{ sql: `(${timeColumn}, id) ${operator} (?, ?)`, params: [integer(place.timeMs), integer(place.id)] }]
  return [...end(behind, after), ...end(upTo, until)]
}
