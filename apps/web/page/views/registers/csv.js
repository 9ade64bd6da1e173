/**
 * @typedef {object} Part A table with the header of the file, and some of its rows.
 * @property {string} text
 * @property {number} count How many rows have text.
 * @property {(line: number) => number} lineOf The line of the file, by that of the part.
 * @property {ReadonlyMap<string, number>} lines The lines of the file, by the keys of the rows.
 * @typedef {{ line: number, column: string, first: number }} Repetition The first row with the value is on the line `first`.
 */

/** How many rows a request may have. */
const most = 100

/**
 * Cuts CSV (RFC 4180) into parts, because a request has up to 100 rows. Finds what is wrong only between parts: values that occur twice.
 * @param {string} text @param {string} key The column that identifies a row. @param {readonly string[]} unique Those whose values occur once.
 */
export function partsOf(text, key, unique) {
  const rows = rowsIn(text)
  const headAt = rows.findIndex(hasText)
  const [head, below] = [rows.slice(0, headAt + 1), rows.slice(headAt + 1)]
  const header = head.map((row) => row.text).join('')
  const delimiter = /[,;]/.exec(header)?.[0] ?? ','
  const names = cellsIn(head.at(-1)?.text ?? '', delimiter).map((name) => name.trim())
  const headLines = linesIn(header)
  /** @type {(Part & { lines: Map<string, number> })[]} */
  const parts = []
  /** @type {Repetition[]} */
  const repetitions = []
  /** The first line of each value. @type {Map<string, number>} */
  const firsts = new Map()
  let admitted = 0
  for (const row of below) {
    const cells = cellsIn(row.text, delimiter)
    const cell = (/** @type {string} */ name) => cells[names.indexOf(name)]?.trim() ?? ''
    let part = parts.at(-1)
    if (part === undefined || (part.count === most && hasText(row))) {
      const offset = row.line - headLines - 1
      const lineOf = (/** @type {number} */ line) => (line > headLines ? line + offset : line)
      part = { text: header, count: 0, lineOf, lines: new Map() }
      parts.push(part)
    }
    part.text += row.text
    if (!hasText(row)) continue
    part.count += 1
    part.lines.set(cell(key), row.line)
    if (cell('status') === 'admitted') admitted += 1
    for (const column of unique) {
      const value = cell(column)
      const first = firsts.get(`${column} ${value}`)
      if (value !== '' && first === undefined) firsts.set(`${column} ${value}`, row.line)
      if (first !== undefined) repetitions.push({ line: row.line, column, first })
    }
  }
  const count = parts.reduce((sum, part) => sum + part.count, 0)
  return { parts, repetitions, count, isAdmitting: admitted === count }
}

/** @param {string} text */
const linesIn = (text) => text.match(/\r\n?|\n/g)?.length ?? 0

/** @param {{ text: string }} row */
const hasText = ({ text }) => /[^\s,;"]/.test(text)

/** The rows with their line ends, and the lines on which they begin: a line end within quotes is part of a cell. @param {string} text */
function rowsIn(text) {
  const whole = /[\r\n]$/.test(text) ? text : `${text}\n`
  /** @type {{ text: string, line: number }[]} */
  const rows = []
  let [start, line, isQuoted] = [0, 1, false]
  for (let at = 0; at < whole.length; at++) {
    const char = whole[at]
    if (char === '"') isQuoted = !isQuoted
    const isEnd = char === '\n' || (char === '\r' && whole[at + 1] !== '\n')
    const isLast = at === whole.length - 1
    if (!isLast && (isQuoted || !isEnd)) continue
    const row = whole.slice(start, at + 1)
    rows.push({ text: row, line })
    line += linesIn(row)
    start = at + 1
  }
  return rows
}

/** The cells of a row without their quotes. @param {string} row @param {string} delimiter */
function cellsIn(row, delimiter) {
  const cells = ['']
  let isQuoted = false
  for (const char of row.replace(/[\r\n]+$/, '').replace(/^\uFEFF/, '')) {
    if (char === '"') isQuoted = !isQuoted
    else if (char === delimiter && !isQuoted) cells.push('')
    else cells.push(`${cells.pop()}${char}`)
  }
  return cells
}
