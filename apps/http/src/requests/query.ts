import { defaultPageSize, maxPageSize } from '@auction/domain/page'
import { accepted, refused } from '@auction/domain/result'
import { type Fault, type Parsed, pointerTo, withUnknownNames } from '@auction/domain/validation'
import * as v from 'valibot'
import { readText } from './text-values.ts'

type QuerySchema = v.GenericSchema & { readonly entries: v.ObjectEntries }

/** Reads a query as strictly as a body: what is unknown, repeated or wrong is a fault, with a pointer to its name. */
export function parseQuery<Schema extends QuerySchema>(schema: Schema, query: unknown): Parsed<v.InferOutput<Schema>> {
  // Fastify's parser makes an object of texts, with an array for a name that is repeated.
  const given = query as Readonly<Record<string, string | readonly string[]>>
  const names = Object.keys(schema.entries)
  const values = Object.fromEntries(
    names.flatMap((name) => {
      const text = Object.hasOwn(given, name) ? given[name] : undefined
      const entry = schema.entries[name]
      if (text === undefined || entry === undefined) return []
      // The cast: none of them is asynchronous.
      return [[name, typeof text === 'string' ? readText(entry as v.GenericSchema, text) : text]]
    }),
  )
  const unknown = Object.keys(given).filter((name) => !names.includes(name))
  const result = v.safeParse(schema, values)
  if (result.success && unknown.length === 0) return accepted(result.output)
  const faults = new Map<string, Fault>()
  for (const { path, message } of result.issues ?? []) {
    const name = String(path?.[0]?.key)
    const pointer = pointerTo([name])
    const isRepeated = Array.isArray(given[name])
    if (!faults.has(name)) faults.set(name, { pointer, message: isRepeated ? 'is given more than once' : message })
  }
  const rule = `is not a known query parameter; there are ${names.join(', ')}`
  return refused(withUnknownNames([...faults.values()], unknown, rule))
}

const limitRule = `must be an integer from 1 to ${maxPageSize}`

/** How many items a page has at the most. */
export const Limit = v.optional(
  v.pipe(
    v.number(limitRule),
    v.integer(limitRule),
    v.minValue(1, limitRule),
    v.maxValue(maxPageSize, limitRule),
    v.description('How many items the page has at the most.'),
  ),
  defaultPageSize,
)

/** Where a page goes on, read by what has written it. */
export const cursor = <Place>(read: (cursor: string) => Place | undefined) =>
  v.optional(
    v.pipe(
      v.string(cursorRule),
      v.description('The `nextCursor` of the page before. It is opaque.'),
      v.rawTransform(({ dataset, addIssue, NEVER }): Place => {
        const place = read(dataset.value)
        if (place !== undefined) return place
        addIssue({ message: cursorRule })
        return NEVER
      }),
    ),
  )

export const cursorRule = 'must be a nextCursor that this list has answered'
