import { pseudonymNote } from '../../apps/http/src/api/answers/resources.ts'
import type { JsonSchema } from '../../apps/http/src/api/openapi/openapi.ts'
import { markdownTable } from './markdown-table.ts'
import { typeInWords } from './schema-words.ts'

/** A field of an object as the reference shows it, in Markdown. */
export type FieldRow = { readonly name: string; readonly type: string; readonly description: string }

/** The fields of an object, and of the objects without a name in it. */
export const fieldRows = ({ properties = {}, required = [] }: JsonSchema): readonly FieldRow[] =>
  Object.entries(properties).flatMap(([name, property]) => {
    if (typeof property !== 'object') return []
    return [rowOf(name, property, required.includes(name)), ...rowsWithin(name, property)]
  })

/** The fields of an object, or of the objects in an array. */
function rowsWithin(name: string, property: JsonSchema): readonly FieldRow[] {
  const { properties, items } = property
  if (properties !== undefined) return fieldRows(property).map((row) => ({ ...row, name: `${name}.${row.name}` }))
  if (typeof items !== 'object' || Array.isArray(items)) return []
  return fieldRows(items).map((row) => ({ ...row, name: `${name}[].${row.name}` }))
}

/** In requests, `null` omits an optional field. In responses, an optional field is never null. */
function rowOf(name: string, property: JsonSchema, isRequired: boolean): FieldRow {
  const words = typeInWords(property)
  return {
    name,
    type: isRequired ? words : `${words.replace(/ or null$/, '')}, optional`,
    // The type states it.
    description: (property.description ?? '').replace(pseudonymNote, '').trim(),
  }
}

export const fieldsTable = (rows: readonly FieldRow[]): string =>
  markdownTable(
    ['field', 'type', 'description'],
    rows.map(({ name, type, description }) => [`\`${name}\``, type, description]),
  )

/** A table on the page: what others link to, and its fields. */
export type FieldsOnPage = { readonly link: string; readonly rows: readonly FieldRow[] }

type Folded = { readonly parts: readonly string[]; readonly rest: readonly FieldRow[] }

/** Replaces fields that other tables describe by references to these tables, and returns the rest. */
export function foldFields(rows: readonly FieldRow[], tables: readonly FieldsOnPage[]): Folded {
  const found = tables.map((table) => ({ table, same: rows.filter((row) => isDescribedBy(table, row)) }))
  const [best] = found.toSorted((one, other) => other.same.length - one.same.length)
  if (best === undefined || best.same.length < 3) return { parts: [], rest: rows }
  const { parts, rest } = foldFields(
    rows.filter((row) => !best.same.includes(row)),
    tables,
  )
  return { parts: [referenceTo(best.table, best.same), ...parts], rest }
}

const isDescribedBy = ({ rows }: FieldsOnPage, { name, description }: FieldRow): boolean =>
  rows.some((row) => row.name === name && (description === '' || row.description === description))

/** The fields of a table, by the shorter of the two lists: those that are the same or those that are missing. */
function referenceTo({ link, rows }: FieldsOnPage, same: readonly FieldRow[]): string {
  const names = (some: readonly FieldRow[]) => some.map(({ name }) => `\`${name}\``).join(', ')
  const missing = rows.filter(({ name }) => !name.includes('.') && !same.some((row) => row.name === name))
  if (missing.length >= same.length) return `${names(same)} of ${link}`
  return `the fields of ${link}${missing.length === 0 ? '' : ` without ${names(missing)}`}`
}
