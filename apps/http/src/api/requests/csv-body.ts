import { type Parsed, pointerTo, shortened, type ValidationFailed, validationFailed } from '@auction/domain/parsing'
import { accepted, type Result, refused } from '@auction/domain/result'
import { type CellType, errorIn, unacceptable, valueIn } from './csv-cells.ts'
import { type CsvRecord, cellsOf, decodeCsv, delimiterOf, recordsIn } from './csv-records.ts'
import type { Body } from './json-body.ts'

/** The table that a list of a body may be. */
type Table = {
  /** The field of the body that has a row for each item. */
  readonly listName: string
  /** The fields of an item. A dot in a name is before a field of an inner object. */
  readonly columns: Readonly<Record<string, CellType>>
  /** The fields that are objects of texts with any names. Each name has a column, such as `metadata.imageUrl`. */
  readonly textObjects?: readonly string[]
  readonly required: readonly string[]
  readonly maxRows: number
}

/**
 * A body that may also be CSV (RFC 4180). The rows become the value that the JSON body has, which `body` parses. Errors
 * have the same pointers, and messages that begin with the line and the column.
 */
export const csvBody = <Fields, Path>(body: Body<Fields, Path>, table: Table): Body<Fields, Path> => ({
  ...body,
  csvFormat: formatOf(table),
  parse(input, request) {
    // The value of a JSON text is never a buffer.
    if (!Buffer.isBuffer(input)) return body.parse(input, request)
    const rows = parseRows(input, table)
    if (!rows.ok) return rows
    const { items, cellErrors, lines } = rows.value
    const parsed = body.parse({ [table.listName]: items }, request)
    const positioned = (refusal: ValidationFailed) => withPositions(refusal, table, cellErrors, lines)
    if (!parsed.ok) return refused(positioned(parsed.refusal))
    if (typeof parsed.value === 'object' && parsed.value !== null) positionsOf.set(parsed.value, positioned)
    return parsed
  },
})

/** The positions in bodies that were CSV. */
const positionsOf = new WeakMap<object, (refusal: ValidationFailed) => ValidationFailed>()

/** Adds the lines and columns to errors that are found after a body was parsed, if it was CSV. */
export const withLines = (body: object, refusal: ValidationFailed): ValidationFailed =>
  positionsOf.get(body)?.(refusal) ?? refusal

/** Describes the table in Markdown. */
function formatOf({ listName, columns, textObjects = [], required, maxRows }: Table): string {
  const described = [
    ...Object.entries(columns).map(
      ([name, type]) => `\`${name}\` (${type}${required.includes(name) ? ', required' : ''})`,
    ),
    ...textObjects.map((name) => `\`${name}.NAME\` (text) for each member of \`${name}\``),
  ]
  const times = Object.values(columns).includes('time') ? ' A time is in UTC, such as 2030-02-07T12:00:00Z.' : ''
  return `CSV (RFC 4180) in UTF-8 with \`,\` or \`;\` between cells. A header names the columns, in any order; up to ${maxRows} rows are the items of \`${listName}\`. Columns: ${described.join(', ')}. An empty cell is an absent field. A number is a plain decimal, such as 1234.50.${times}`
}

type Rows = {
  readonly items: readonly object[]
  /** The errors of cells that are not of the type of their column, by pointer. */
  readonly cellErrors: ReadonlyMap<string, string>
  /** The lines on which the rows begin. */
  readonly lines: readonly number[]
}

/** A header or a row with more cells is an error, because its cells take time. */
const maxCells = 500

function parseRows(bytes: Buffer, table: Table): Parsed<Rows> {
  const { listName, maxRows } = table
  const text = decodeCsv(bytes)
  if (!text.ok) return failed(listName, text.refusal)
  const delimiter = delimiterOf(text.value)
  const { records, count } = recordsIn(text.value, delimiter, maxRows + 1)
  const [header, ...rows] = records
  if (header === undefined) return failed(listName, `must have a header; known columns are ${namesOf(table)}`)
  const columns = parseHeader(header, delimiter, table)
  if (!columns.ok) return columns
  if (count === 1) return failed(listName, 'must have a row below the header')
  if (count - 1 > maxRows) return failed(listName, tooManyRows(count - 1, maxRows))
  const cellsOfRows: (readonly string[])[] = []
  const errors: string[] = []
  for (const row of rows) {
    const cells = cellsBelow(header, columns.value, row, delimiter)
    if (cells.ok) cellsOfRows.push(cells.value)
    else errors.push(`line ${row.line}: ${cells.refusal}`)
  }
  if (errors.length > 0) return failed(listName, ...errors)
  const cellErrors = new Map<string, string>()
  const items = cellsOfRows.map((cells, index) =>
    itemOf(cells, columns.value, (path, error) => cellErrors.set(pointerTo([listName, `${index}`, ...path]), error)),
  )
  return accepted({ items, cellErrors, lines: rows.map(({ line }) => line) })
}

const failed = (listName: string, ...messages: readonly string[]) =>
  refused(validationFailed(...messages.map((message) => ({ pointer: `/${listName}`, message }))))

const tooManyRows = (count: number, maxRows: number): string =>
  `must have at most ${maxRows} rows; it has ${count}; send it in ${Math.ceil(count / maxRows)} parts, each with the header`

/** A column of a CSV. */
type Column = {
  /** The names of the field and of the objects that it is in. */
  readonly path: readonly string[]
  readonly type: CellType
}

function columnOf(name: string, { columns, textObjects = [] }: Table): Column | undefined {
  const type = Object.hasOwn(columns, name) ? columns[name] : undefined
  if (type !== undefined) return { path: name.split('.'), type }
  const object = textObjects.find((object) => name.startsWith(`${object}.`))
  return object === undefined ? undefined : { path: [object, name.slice(object.length + 1)], type: 'text' }
}

/** Reads the columns. Ignores spaces around names, and empty names after the last one, which spreadsheets write. */
function parseHeader(header: CsvRecord, delimiter: string, table: Table): Parsed<readonly Column[]> {
  const fail = (...errors: readonly string[]) =>
    failed(table.listName, ...errors.map((error) => `line ${header.line}: ${error}`))
  if (header.width > maxCells) return fail(`has ${header.width} cells; a header has at most ${maxCells}`)
  const cells = cellsOf(header, delimiter)
  if (!cells.ok) return fail(cells.refusal)
  const trimmed = cells.value.map((cell) => cell.trim())
  const names = trimmed.slice(0, 1 + trimmed.findLastIndex((name) => name !== ''))
  const errors = errorsInHeader(names, table)
  if (errors.length > 0) return fail(...errors)
  return accepted(names.flatMap((name) => columnOf(name, table) ?? []))
}

function errorsInHeader(header: readonly string[], table: Table): readonly string[] {
  const byName = Map.groupBy(header, (name) => name)
  const names = [...byName.keys()]
  const unknown = names.filter((name) => columnOf(name, table) === undefined)
  const repeated = names.filter((name) => columnOf(name, table) !== undefined && byName.get(name)?.length !== 1)
  const missing = table.required.filter((name) => !byName.has(name))
  const known = new Map(Object.keys(table.columns).map((name) => [plain(name), name]))
  const suggested = (name: string) => known.get(plain(name))
  return [
    ...(unknown.length > 0
      ? [`has unknown columns ${listed(unknown, suggested)}; known columns are ${namesOf(table)}`]
      : []),
    ...(repeated.length > 0 ? [`repeats the columns ${listed(repeated)}`] : []),
    ...(missing.length > 0 ? [`lacks the columns ${listed(missing)}`] : []),
  ]
}

/** A name as it is compared to find what was meant: `Starting price` is `startingPrice`. */
const plain = (name: string): string =>
  shortened(name)
    .toLowerCase()
    .replaceAll(/[\s_-]/g, '')

const namesOf = ({ columns, textObjects = [] }: Table): string =>
  [...Object.keys(columns), ...textObjects.map((name) => `${name}.NAME`)].join(', ')

const maxListed = 10

function listed(names: readonly string[], suggested: (name: string) => string | undefined = () => undefined): string {
  const shown = names.slice(0, maxListed).map((name) => {
    const suggestion = suggested(name)
    return `${JSON.stringify(shortened(name))}${suggestion === undefined ? '' : ` (write ${suggestion})`}`
  })
  return names.length > maxListed ? `${shown.join(', ')} and ${names.length - maxListed} more` : shown.join(', ')
}

/** Reads the cells of a row, or returns its error. */
function cellsBelow(
  { width }: CsvRecord,
  { length }: readonly Column[],
  row: CsvRecord,
  delimiter: string,
): Result<readonly string[], string> {
  const advice = row.width > width ? '; put a cell with a delimiter in double quotes' : ''
  const otherWidth = refused(`must have as many cells as the header, ${width}; it has ${row.width}${advice}`)
  if (row.width > maxCells) return otherWidth
  // A quote in a wrong place changes the number of cells.
  const cells = cellsOf(row, delimiter)
  if (!cells.ok) return cells
  if (row.width !== width) return otherWidth
  if (cells.value.slice(length).every((cell) => cell.trim() === '')) return cells
  return refused('has text in a column without a name; name the column in the header, or empty its cells')
}

/** Makes the item of a row. An empty cell is an absent field. */
function itemOf(
  cells: readonly string[],
  columns: readonly Column[],
  addError: (path: Column['path'], error: string) => void,
): object {
  const fields = columns.flatMap(({ path, type }, position): Field[] => {
    const cell = cells[position] ?? ''
    if (cell === '') return []
    const error = errorIn(cell, type)
    if (error !== undefined) addError(path, error)
    return [{ path, value: error === undefined ? valueIn(cell, type) : unacceptable }]
  })
  return objectOf(fields)
}

type Field = { readonly path: readonly string[]; readonly value: unknown }

/** Makes an object with inner objects. As in JSON, `__proto__` is a member like any other. */
function objectOf(fields: readonly Field[]): object {
  const byName = Map.groupBy(fields, ({ path: [name = ''] }) => name)
  const members = [...byName].map(([name, fields]) => {
    const [{ path, value } = { path: [], value: undefined }] = fields
    if (path.length === 1) return [name, value]
    return [name, objectOf(fields.map((field) => ({ ...field, path: field.path.slice(1) })))]
  })
  return Object.fromEntries(members)
}

/** Adds positions to errors of items. A cell that is not of the type of its column has that error. */
function withPositions(
  refusal: ValidationFailed,
  { listName }: Table,
  cellErrors: Rows['cellErrors'],
  lines: Rows['lines'],
): ValidationFailed {
  const errors = refusal.errors.map(({ pointer, message }) => {
    const [, list, index, ...path] = pointer.split('/')
    const line = list === listName && index !== undefined ? lines[Number(index)] : undefined
    if (line === undefined) return { pointer, message }
    const column = path.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~')).join('.')
    const position = path.length === 0 ? `line ${line}` : `line ${line}, column ${column}`
    return { pointer, message: `${position}: ${cellErrors.get(pointer) ?? message}` }
  })
  return { ...refusal, errors }
}
