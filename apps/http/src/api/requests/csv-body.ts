import { isUtf8 } from 'node:buffer'
import { type Parsed, shortened, type ValidationFailed, validationFailed } from '@auction/domain/parsing'
import { accepted, refused } from '@auction/domain/result'
import { CsvError, parse } from 'csv-parse/sync'
import { isExact } from './exact-json.ts'
import type { Body } from './json-body.ts'

type CellType = 'integer' | 'number' | 'boolean' | 'text'

/** The table that a list of a body may be. */
type Table = {
  /** The field of the body that has a row for each item. */
  readonly listName: string
  /** The fields of an item. */
  readonly columns: Readonly<Record<string, CellType>>
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
function formatOf({ listName, columns, required, maxRows }: Table): string {
  const described = Object.entries(columns).map(
    ([name, type]) => `\`${name}\` (${type}${required.includes(name) ? ', required' : ''})`,
  )
  return `CSV (RFC 4180) in UTF-8 with \`,\` or \`;\` between cells. A header names the columns, in any order; up to ${maxRows} rows are the items of \`${listName}\`. Columns: ${described.join(', ')}. An empty cell is an absent field. A number is a plain decimal, such as 1234.50.`
}

type Rows = {
  readonly items: readonly object[]
  /** The errors of cells that are not of the type of their column, by pointer. */
  readonly cellErrors: ReadonlyMap<string, string>
  /** The lines on which the rows begin. */
  readonly lines: readonly number[]
}

function parseRows(bytes: Buffer, table: Table): Parsed<Rows> {
  const { listName, columns, maxRows } = table
  const records = recordsIn(bytes, table)
  if (!records.ok) return records
  const { header, rows, count } = records.value
  const headerErrors = errorsInHeader(header.cells, table)
  if (headerErrors.length > 0) return failed(listName, ...headerErrors.map((error) => `line ${header.line}: ${error}`))
  if (count === 0) return failed(listName, 'must have a row below the header')
  if (count > maxRows) return failed(listName, `must have at most ${maxRows} rows; it has ${count}`)
  const cellErrors = new Map<string, string>()
  const items = rows.map(({ cells }, index) => {
    const fields = cells.flatMap((cell, position) => {
      const name = header.cells[position] ?? ''
      const type = columns[name] ?? 'text'
      const error = cell === '' ? undefined : errorIn(cell, type)
      if (error !== undefined) cellErrors.set(`/${listName}/${index}/${name}`, error)
      return cell === '' ? [] : [[name, error === undefined ? valueIn(cell, type) : unacceptable]]
    })
    return Object.fromEntries(fields)
  })
  return accepted({ items, cellErrors, lines: rows.map(({ line }) => line) })
}

const failed = (listName: string, ...messages: readonly string[]) =>
  refused(validationFailed(...messages.map((message) => ({ pointer: `/${listName}`, message }))))

type CsvRecord = { readonly line: number; readonly cells: readonly string[] }
type CsvRecords = { readonly header: CsvRecord; readonly rows: readonly CsvRecord[]; readonly count: number }

/** Reads the header, up to `maxRows` rows, and the number of rows. Ignores lines without any text in their cells. */
function recordsIn(bytes: Buffer, { listName, columns, maxRows }: Table): Parsed<CsvRecords> {
  if (!isUtf8(bytes)) return failed(listName, 'is not UTF-8; export it as "CSV UTF-8"')
  const records: CsvRecord[] = []
  let count = 0
  let width = 0
  // The parser counts a CRLF within quotes twice, so lines are counted here.
  let linesOfRecords = 0
  const lineAfter = (emptyLines: unknown) => 1 + linesOfRecords + Number(emptyLines)
  try {
    parse(bytes, {
      bom: true,
      delimiter: delimiterOf(bytes.toString()),
      record_delimiter: ['\r\n', '\n', '\r'],
      skip_empty_lines: true,
      on_record(cells, { empty_lines }) {
        const line = lineAfter(empty_lines)
        linesOfRecords += 1 + (cells.join(' ').match(/\r\n?|\n/g)?.length ?? 0)
        width = cells.length
        if (cells.every((cell) => cell.trim() === '')) return null
        if (count <= maxRows) records.push({ line, cells })
        count++
        return null
      },
    })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return failed(listName, `line ${lineAfter(error['empty_lines'])}: ${syntaxErrorIn(error, width)}`)
  }
  const [header, ...rows] = records
  if (header === undefined) return failed(listName, `must have a header; known columns are ${namesOf(columns)}`)
  return accepted({ header, rows, count: count - 1 })
}

/** The first delimiter of the header. */
const delimiterOf = (text: string): string => /[,;]/.exec(/[^\uFEFF\r\n]+/.exec(text)?.[0] ?? '')?.[0] ?? ','

/** The error of the row at which the parser stops, because it takes too long to make an error for each row. */
function syntaxErrorIn({ code, index }: CsvError, width: number): string {
  if (code === 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH') {
    const advice = Number(index) > width ? '; put a cell with a delimiter in double quotes' : ''
    return `must have as many cells as the header, ${width}; it has ${index}${advice}`
  }
  if (code === 'CSV_QUOTE_NOT_CLOSED') return 'has a cell that begins with a double quote and does not end with one'
  return 'has a double quote within a cell; put the cell in double quotes, and write the quote in it twice'
}

function errorsInHeader(header: readonly string[], { columns, required }: Table): readonly string[] {
  const byName = Map.groupBy(header, (name) => name)
  const names = [...byName.keys()]
  const unknown = names.filter((name) => !Object.hasOwn(columns, name))
  const repeated = names.filter((name) => Object.hasOwn(columns, name) && byName.get(name)?.length !== 1)
  const missing = required.filter((name) => !byName.has(name))
  return [
    ...(unknown.length > 0 ? [`has unknown columns ${listed(unknown)}; known columns are ${namesOf(columns)}`] : []),
    ...(repeated.length > 0 ? [`repeats the columns ${listed(repeated)}`] : []),
    ...(missing.length > 0 ? [`lacks the columns ${listed(missing)}`] : []),
  ]
}

const namesOf = (columns: Table['columns']): string => Object.keys(columns).join(', ')

const maxListed = 10

function listed(names: readonly string[]): string {
  const shown = names.slice(0, maxListed).map((name) => JSON.stringify(shortened(name)))
  return names.length > maxListed ? `${shown.join(', ')} and ${names.length - maxListed} more` : shown.join(', ')
}

const forms = {
  integer: { pattern: /^-?(?:0|[1-9]\d*)$/, rule: 'must be an integer, such as 1234' },
  number: { pattern: /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/, rule: 'must be a plain decimal, such as 1234.50' },
  // Spreadsheets write capital letters.
  boolean: { pattern: /^(?:true|false)$/i, rule: 'must be true or false' },
}

function errorIn(cell: string, type: CellType): string | undefined {
  if (type === 'text' || forms[type].pattern.test(cell)) return undefined
  return (type === 'boolean' ? undefined : separatorError(cell)) ?? forms[type].rule
}

const grouped = /^-?\d{1,3}(?:([,.'’ \u00a0\u202f])\d{3})(?:\1\d{3})*(?:(?!\1)[.,]\d+)?$/
const maxNumberLength = 40

/** The error of a number in the form of another language, with the number that it may be. */
function separatorError(cell: string): string | undefined {
  if (cell.length > maxNumberLength) return undefined
  const separator = grouped.exec(cell)?.[1]
  const ungrouped = separator && cell.replaceAll(separator, '').replace(',', '.')
  const pointed = /^-?\d+,\d+$/.test(cell) ? cell.replace(',', '.') : undefined
  if (ungrouped === undefined) return pointed && `${cell} has a decimal comma; write ${pointed}`
  if (pointed === undefined) return `${cell} has a thousands separator; write ${ungrouped}`
  return `${cell} has a comma, of thousands or of decimals; write ${ungrouped} or ${pointed}`
}

/** A value that no field accepts, as `parseExactJson` uses for numbers that are not exact. */
const unacceptable: readonly never[] = []

function valueIn(cell: string, type: CellType): unknown {
  if (type === 'text') return cell
  if (type === 'boolean') return cell.toLowerCase() === 'true'
  return isExact(cell) ? Number(cell) : unacceptable
}

/** Adds positions to errors of items. A cell that is not of the type of its column has that error. */
function withPositions(
  refusal: ValidationFailed,
  { listName }: Table,
  cellErrors: Rows['cellErrors'],
  lines: Rows['lines'],
): ValidationFailed {
  const errors = refusal.errors.map(({ pointer, message }) => {
    const [, list, index, column] = pointer.split('/')
    const line = list === listName && index !== undefined ? lines[Number(index)] : undefined
    if (line === undefined) return { pointer, message }
    const position = column === undefined ? `line ${line}` : `line ${line}, column ${column}`
    return { pointer, message: `${position}: ${cellErrors.get(pointer) ?? message}` }
  })
  return { ...refusal, errors }
}
