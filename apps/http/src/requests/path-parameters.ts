import { accepted, refused } from '@auction/domain/result'
import { type Parsed, pointerTo, validationFailed } from '@auction/domain/validation'
import * as v from 'valibot'
import { readText } from './text-values.ts'

/** A path of OpenAPI, such as `/api/Auctions/{id}`, as the router writes it. No part is empty, so a slash at the end makes another path. */
export const routePath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1(.+)')

type Values<Entries extends v.ObjectEntries> = { readonly [Name in keyof Entries]: v.InferOutput<Entries[Name]> }

/** Reads the parameters of a path, each by its schema. */
export function parsePathParameters<Entries extends v.ObjectEntries>(
  entries: Entries,
  params: unknown,
): Parsed<Values<Entries>> {
  // The router has a text for each parameter of the path.
  const texts = params as Readonly<Record<string, string>>
  const values: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(entries)) {
    const result = v.safeParse(schema, readText(schema, texts[name] ?? ''))
    if (!result.success)
      return refused(validationFailed({ pointer: pointerTo([name]), message: result.issues[0].message }))
    values[name] = result.output
  }
  return accepted(values as Values<Entries>) // Each value is what the schema of its name has made.
}
