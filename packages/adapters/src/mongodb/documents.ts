import type { Currency } from '@auction/domain/money'
import { Long } from 'mongodb'
import * as v from 'valibot'

/**
 * Numbers are written as 64-bit integers: as they are, small ones would be 32-bit integers and great ones doubles.
 * @throws RangeError for what is no exact integer, which would be stored as another number.
 */
export function int64(integer: number): Long {
  if (!Number.isSafeInteger(integer)) throw new RangeError(`not an exact integer: ${integer}`)
  return Long.fromNumber(integer)
}

/** The currency with the exponent that its amounts were stored with. */
export const currencyDocument = ({ code, exponent }: Currency) => ({ code, exponent: int64(exponent) })

/** What is written of a document that is read as `Read`. */
export type Written<Read> = Read extends number
  ? Long
  : Read extends string | Date | undefined
    ? Read
    : { [Field in keyof Read]: Written<Read[Field]> }

/** An integer as the driver reads it: a number as long as it is exact, else a `Long`, which is none. */
export const StoredInteger = v.pipe(v.number(), v.safeInteger())
export const StoredCount = v.pipe(StoredInteger, v.minValue(1))

/**
 * Parses what was read from a collection.
 * @throws Error when somebody else wrote it, or an older version did: no store is unavailable then, the data is wrong.
 */
export function parseDocument<Schema extends v.GenericSchema>(
  schema: Schema,
  collection: string,
  document: { readonly _id?: unknown },
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, document, { abortEarly: true })
  if (result.success) return result.output
  const [issue] = result.issues
  const field = v.getDotPath(issue) ?? 'whole'
  throw new Error(`the document ${String(document._id)} of ${collection} has a faulty field ${field}: ${issue.message}`)
}
