import { createOpenApiDocument } from '../../apps/http/src/api/openapi/document.ts'
import { requestName } from '../../apps/http/src/api/openapi/names.ts'
import type { JsonSchema } from '../../apps/http/src/api/openapi/openapi.ts'
import type { Operation } from '../../apps/http/src/api/operations/operation.ts'
import { operations } from '../../apps/http/src/api/operations/table.ts'
import { type FieldRow, type FieldsOnPage, fieldRows, fieldsTable, foldFields } from './field-rows.ts'
import { markdownTable } from './markdown-table.ts'

export const { schemas } = createOpenApiDocument('').components

type Resource = readonly [name: string, schema: JsonSchema]

/** The schemas of the variants of a union, whose table shows them. */
const variants = Object.values(schemas).flatMap(({ oneOf = [] }) => oneOf.map(nameOfRef))

const resources: readonly Resource[] = Object.entries(schemas).filter(
  ([name]) => !/(Problem|Success|Request|Message|FieldError)$/.test(name) && !variants.includes(name),
)

export const anchorOf = ({ docs }: Operation): string =>
  `#${docs.summary
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-')}`

/** The fields of the request's body, without those that the server ignores. */
export const requestRows = (operation: Operation): readonly FieldRow[] =>
  fieldRows(schemas[requestName(operation)] ?? {}).filter(
    ({ name }) => operation.schemas.body?.ignored.has(name) === false,
  )

const requestTables: readonly FieldsOnPage[] = operations.map((operation) => ({
  link: `[the request](${anchorOf(operation)})`,
  rows: requestRows(operation),
}))

const tableOf = ([name, schema]: Resource): FieldsOnPage => ({
  link: `[${name}](#${name.toLowerCase()})`,
  rows: fieldRows(schema),
})

/** Describes the data of a response that is not a single resource. */
export function membersInWords(schema: JsonSchema): string {
  const { parts, rest } = foldFields(fieldRows(schema), resources.map(tableOf))
  return [...rest.map(({ name, type }) => `\`${name}\` (${type})`), ...parts].join(' and ')
}

/** The sections of the resources that the page links to. */
export function resourceSections(page: string): readonly string[] {
  const sections = resources.map((resource, index) => ({
    link: `](#${resource[0].toLowerCase()})`,
    text: sectionOf(resource, resources.slice(0, index)),
  }))
  const all = [page, ...sections.map(({ text }) => text)].join()
  return sections.filter(({ link }) => all.includes(link)).map(({ text }) => text)
}

function sectionOf([name, schema]: Resource, before: readonly Resource[]): string {
  const heading = `### ${name}`
  if (schema.oneOf !== undefined) return `${heading}\n\n${variantsTable(schema)}`
  const { parts, rest } = foldFields(fieldRows(schema), [...requestTables, ...before.map(tableOf)])
  if (parts.length === 0) return `${heading}\n\n${fieldsTable(rest)}`
  const text = `${heading}\n\nContains ${parts.join(' and ')}`
  return rest.length === 0 ? `${text}.` : `${text}, and:\n\n${fieldsTable(rest)}`
}

/** The fields of the variants of a union, each after the constant that identifies the variant. */
function variantsTable({ oneOf = [] }: JsonSchema): string {
  const tables = oneOf.map((variant) => fieldRows(schemas[nameOfRef(variant)] ?? {}))
  const rows = tables.flatMap(([constant, ...own]) =>
    own.map(({ name, type, description }) => [constant?.type ?? '', `\`${name}\``, type, description]),
  )
  return markdownTable([`\`${tables[0]?.[0]?.name}\``, 'field', 'type', 'description'], rows)
}

function nameOfRef(schema: JsonSchema | boolean): string {
  return typeof schema === 'object' ? (schema.$ref?.split('/').at(-1) ?? '') : ''
}
