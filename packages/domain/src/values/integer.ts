import * as v from 'valibot'

/** A stored integer, such as a time in milliseconds. */
export const StoredInteger = v.pipe(v.number(), v.safeInteger())

/** A stored number of things, from 0. */
export const StoredCount = v.pipe(StoredInteger, v.minValue(0))
