/** What is bound to a statement, or read from a column. There are no blobs, and no integers beyond 2^53. */
export type SqlValue = string | number | null

export type Row = readonly SqlValue[]

/** @throws RangeError for what is no exact integer, which SQLite would store as another value. */
export function integer(value: number): number {
  if (!Number.isSafeInteger(value)) throw new RangeError('a number is not an exact integer')
  return value
}
