type Cell = string | number | boolean | undefined

/** Writes a cell. A spreadsheet runs a text that begins as a formula does, so an apostrophe makes it a text. */
function textOf(cell: Cell): string {
  const text = typeof cell === 'string' && /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : `${cell ?? ''}`
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * Writes CSV (RFC 4180) with a header. It begins with a byte order mark, without which Excel does not read UTF-8. An
 * undefined value is an empty cell.
 */
export function csvOf<Column extends string>(
  columns: readonly Column[],
  rows: readonly Readonly<Partial<Record<Column, Cell>>>[],
): string {
  const records = [columns, ...rows.map((row) => columns.map((column) => row[column]))]
  return `\uFEFF${records.map((cells) => `${cells.map(textOf).join(',')}\r\n`).join('')}`
}
