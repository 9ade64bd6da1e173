import { type Parsed, pointerTo, validationFailed } from '@auction/domain/parsing'
import { accepted, refused } from '@auction/domain/result'
import * as v from 'valibot'
import { readText } from './text-values.ts'

/** Converts an OpenAPI path, such as `/api/Auctions/{id}`, for the router. Parameters are not empty, so a trailing slash does not match. */
export const routePath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1(.+)')

type Values<Entries extends v.ObjectEntries> = { readonly [Name in keyof Entries]: v.InferOutput<Entries[Name]> }

/** Parses the parameters of a path with their schemas. */
export function parsePathParameters<Entries extends v.ObjectEntries>(
  entries: Entries,
  params: unknown,
): Parsed<Values<Entries>> {
  // The router has a string for each parameter of the path.
  const texts = params as Readonly<Record<string, string>>
  const values: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(entries)) {
    const result = v.safeParse(schema, readText(schema, texts[name] ?? ''))
    if (!result.success)
      return refused(validationFailed({ pointer: pointerTo([name]), message: result.issues[0].message }))
    values[name] = result.output
  }
  return accepted(values as Values<Entries>) // The schemas returned the values.
}
