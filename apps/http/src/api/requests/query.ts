import { defaultPageSize, maxPageSize } from '@auction/domain'
import { type FieldError, type Parsed, pointerTo, withUnknownNames } from '@auction/domain/parsing'
import { accepted, refused } from '@auction/domain/result'
import * as v from 'valibot'
import { readText } from './text-values.ts'

type QuerySchema = v.GenericSchema & { readonly entries: v.ObjectEntries }

/** Parses a query strictly: unknown, repeated and invalid parameters are errors. */
export function parseQuery<Schema extends QuerySchema>(schema: Schema, query: unknown): Parsed<v.InferOutput<Schema>> {
  // Fastify's parser returns an object of strings, with an array for a repeated name.
  const given = query as Readonly<Record<string, string | readonly string[]>>
  const names = Object.keys(schema.entries)
  const values = Object.fromEntries(
    names.flatMap((name) => {
      const text = Object.hasOwn(given, name) ? given[name] : undefined
      const entry = schema.entries[name]
      if (text === undefined || entry === undefined) return []
      // The cast: no schema is asynchronous.
      return [[name, typeof text === 'string' ? readText(entry as v.GenericSchema, text) : text]]
    }),
  )
  const unknown = Object.keys(given).filter((name) => !names.includes(name))
  const result = v.safeParse(schema, values)
  if (result.success && unknown.length === 0) return accepted(result.output)
  const errors = new Map<string, FieldError>()
  for (const { path, message } of result.issues ?? []) {
    const name = String(path?.[0]?.key)
    const pointer = pointerTo([name])
    const isRepeated = Array.isArray(given[name])
    if (!errors.has(name)) errors.set(name, { pointer, message: isRepeated ? 'must not be repeated' : message })
  }
  const rule = `is not a known query parameter; known parameters are ${names.join(', ')}`
  return refused(withUnknownNames([...errors.values()], unknown, rule))
}

const limitRule = `must be an integer from 1 to ${maxPageSize}`

/** The maximum number of items on a page. */
export const Limit = v.optional(
  v.pipe(
    v.number(limitRule),
    v.integer(limitRule),
    v.minValue(1, limitRule),
    v.maxValue(maxPageSize, limitRule),
    v.description('The maximum number of items on the page.'),
  ),
  defaultPageSize,
)

/** The position at which a page starts, in the form of its list. */
export const cursor = <Position>(read: (cursor: string) => Position | undefined) =>
  v.optional(
    v.pipe(
      v.string(cursorRule),
      v.description('The `nextCursor` of the previous page. It is opaque.'),
      v.rawTransform(({ dataset, addIssue, NEVER }): Position => {
        const position = read(dataset.value)
        if (position !== undefined) return position
        addIssue({ message: cursorRule })
        return NEVER
      }),
    ),
  )

export const cursorRule = 'must be a nextCursor returned by this list'
