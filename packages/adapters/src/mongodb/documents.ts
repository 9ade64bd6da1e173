import { type Document, Long } from 'mongodb'

/** A document as it is written, and, its numbers aside, as it is read. */
export type StoredDocument = Document & { readonly _id: Long }

/**
 * Numbers are written as 64-bit integers: as they are, small ones would be 32-bit integers and great ones doubles.
 * @throws RangeError for what is no exact integer, which would be stored as another number.
 */
export function int64(integer: number): Long {
  if (!Number.isSafeInteger(integer)) throw new RangeError('a number is not an exact integer')
  return Long.fromNumber(integer)
}

/**
 * A value with all its numbers as 64-bit integers, and without the fields that are undefined. It knows no field by name, so that
 * another kind of event or state is stored without a change here.
 */
export function toStored(value: unknown): unknown {
  if (typeof value === 'number') return int64(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(toStored)
  const document: Document = {}
  // On the way of every bid, so without an array of the names; these objects inherit nothing.
  for (const name in value) {
    const field: unknown = value[name as keyof typeof value] // One of its own names.
    if (field !== undefined) document[name] = toStored(field)
  }
  return document
}

/** A document that was read, with its id where the domain has it. What it says is for the domain to check. */
export const fromStored = ({ _id: id, ...fields }: Document): unknown => ({ id, ...fields })

/**
 * An integer that was read, where no parser of the domain checks it.
 * @throws Error when somebody else wrote it: no store is unavailable then, the data is wrong.
 */
export function integerIn(document: Document, collection: string, field: string): number {
  const value = integerAt(document, field)
  if (value !== undefined) return value
  throw new Error(`the document ${String(document['_id'])} of ${collection} has a faulty field ${field}`)
}

/** The integer in a field, or undefined where there is none. */
export function integerAt(document: Document, field: string): number | undefined {
  const value: unknown = document[field]
  return Number.isSafeInteger(value) ? (value as number) : undefined // Checked in this line.
}
