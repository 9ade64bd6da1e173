import { type Document, Long } from 'mongodb'

/** A document as it is written and, except for its numbers, as it is read. */
export type StoredDocument = Document & { readonly _id: Long }

/**
 * Numbers are written as 64-bit integers. By default, small ones would be 32-bit integers and large ones doubles.
 * @throws RangeError for an inexact integer, which would be stored as another number
 */
export function int64(integer: number): Long {
  if (!Number.isSafeInteger(integer)) throw new RangeError('a number is not an exact integer')
  return Long.fromNumber(integer)
}

/**
 * A value with all its numbers as 64-bit integers, and without undefined fields. It depends on no field's name, so that
 * new kinds of events and states need no change here. Some servers refuse dots in names, which metadata may have: a colon
 * replaces them, which no name has.
 */
export function toStored(value: unknown): unknown {
  if (typeof value === 'number') return int64(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(toStored)
  const document: Document = {}
  // Every bid runs this, so it makes no array of names. These objects inherit no fields.
  for (const name in value) {
    const field: unknown = value[name as keyof typeof value] // The name is from this object.
    if (field !== undefined) document[name.replaceAll('.', ':')] = toStored(field)
  }
  return document
}

/** A document that was read, with the domain's names. The domain validates it. */
export const fromStored = ({ _id: id, ...fields }: Document): unknown => Object.assign({ id }, withDots(fields))

/** Replaces colons in names by dots. */
function withDots(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withDots)
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name.replaceAll(':', '.'), withDots(field)]))
}

/**
 * An integer that was read and that no parser of the domain validates.
 * @throws Error if it is invalid. The store is available then, but its data is wrong.
 */
export function integerIn(document: Document, collection: string, field: string): number {
  const value = integerAt(document, field)
  if (value !== undefined) return value
  throw new Error(`the document ${String(document['_id'])} of ${collection} has an invalid field ${field}`)
}

/** The integer in a field, or undefined without one. */
export function integerAt(document: Document, field: string): number | undefined {
  const value: unknown = document[field]
  return Number.isSafeInteger(value) ? (value as number) : undefined // Checked in this line.
}
