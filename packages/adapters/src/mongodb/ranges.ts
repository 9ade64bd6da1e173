import type { Long } from 'mongodb'
import { int64 } from './documents.ts'

/** An order of auctions: by a time, and among those of one millisecond by id, both up or both down. */
export type Order = {
  readonly timeField: 'createdAtMs' | 'endTime.epochMs' | 'overtime.endMs'
  readonly idField: '_id' | 'overtime.id'
  readonly direction: 'up' | 'down'
}

/** A place in an order. */
export type Place = { readonly timeMs: number; readonly id: number }

/** All that is behind `after`, up to `until` and with it; either end may be open. */
export type Range = { readonly after?: Place | undefined; readonly until?: Place | undefined }

/** Below 0 where `a` comes first, above 0 where `b` does. */
export function comparePlaces({ direction }: Order, a: Place, b: Place): number {
  const upwards = a.timeMs - b.timeMs || a.id - b.id
  return direction === 'up' ? upwards : -upwards
}

export type RangeFilter = Readonly<Record<string, Long | Readonly<Record<string, Long>>>>

const operators = {
  up: { behind: '$gt', before: '$lt', upTo: '$lte' },
  down: { behind: '$lt', before: '$gt', upTo: '$gte' },
} as const

/**
 * A range as filters, exactly one of which matches each auction in it. Each is one interval of an index by time and id, so the
 * server merges what it reads along that index, and sorts nothing.
 */
export function rangeFilters(
  { timeField, idField, direction }: Order,
  { after, until }: Range,
): readonly RangeFilter[] {
  const { behind, before, upTo } = operators[direction]
  if (after && until && after.timeMs === until.timeMs) {
    return [{ [timeField]: int64(after.timeMs), [idField]: { [behind]: int64(after.id), [upTo]: int64(until.id) } }]
  }
  const between = {
    ...(after && { [behind]: int64(after.timeMs) }),
    ...(until && { [before]: int64(until.timeMs) }),
  }
  return [
    ...(after ? [{ [timeField]: int64(after.timeMs), [idField]: { [behind]: int64(after.id) } }] : []),
    after || until ? { [timeField]: between } : {},
    ...(until ? [{ [timeField]: int64(until.timeMs), [idField]: { [upTo]: int64(until.id) } }] : []),
  ]
}
