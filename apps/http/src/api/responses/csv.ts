type Cell = string | number | boolean | undefined

/** Writes a cell. A spreadsheet runs a text that begins as a formula does, so an apostrophe makes it a text. */
function textOf(cell: Cell): string {
  const text = typeof cell === 'string' && /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : `${cell ?? ''}`
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const lineOf = (cells: readonly Cell[]): string => `${cells.map(textOf).join(',')}\r\n`

/**
 * Writes the header of CSV (RFC 4180). It begins with a byte order mark, without which Excel does not read UTF-8.
 */
export const csvHead = (columns: readonly string[]): string => `\uFEFF${lineOf(columns)}`

/** Writes rows of CSV. An undefined value is an empty cell. */
export const csvRows = <Column extends string>(
  columns: readonly Column[],
  rows: readonly Readonly<Partial<Record<Column, Cell>>>[],
): string => rows.map((row) => lineOf(columns.map((column) => row[column]))).join('')
