import { isUtf8 } from 'node:buffer'
import { accepted, type Result, refused } from '@auction/domain/result'

/** A row or header of a CSV text, whose cells are not read yet. */
export type CsvRecord = {
  /** The line on which it begins. */
  readonly line: number
  readonly text: string
  /** The number of its cells. */
  readonly width: number
  /** The number of quotes around and within its quoted cells. */
  readonly quotes: number
  /** Whether it ends within a quoted cell. */
  readonly isOpen: boolean
}

const exportAdvice = 'export it as "CSV UTF-8"'

/** Decodes CSV. The error names the first line that is not text. */
export function decodeCsv(bytes: Buffer): Result<string, string> {
  const text = bytes.toString()
  // The decoder writes U+FFFD for each byte that is not UTF-8.
  if (!isUtf8(bytes)) return refused(`line ${lineAt(text, text.indexOf('\uFFFD'))}: is not UTF-8; ${exportAdvice}`)
  const zeroAt = text.indexOf('\0')
  if (zeroAt !== -1) return refused(`line ${lineAt(text, zeroAt)}: has the character U+0000; ${exportAdvice}`)
  return accepted(text.replace(/^\uFEFF/, ''))
}

function lineAt(text: string, end: number): number {
  let line = 1
  for (let index = 0; index < end; index++) if (endsLine(text, index)) line++
  return line
}

const [lineFeed, carriageReturn, quote] = [0x0a, 0x0d, 0x22]

/** Whether a line ends at the index: CRLF ends it once. */
function endsLine(text: string, index: number): boolean {
  const unit = text.charCodeAt(index)
  return unit === lineFeed || (unit === carriageReturn && text.charCodeAt(index + 1) !== lineFeed)
}

/** The first delimiter of the first line with text. */
export const delimiterOf = (text: string): string => /[,;]/.exec(/[^\r\n]+/.exec(text)?.[0] ?? '')?.[0] ?? ','

/**
 * Finds the first records, and counts all. Ignores records without text in their cells. No library: `csv-parse` blocks
 * the process for 70 to 220 ms with a text of 1 MiB, and this scan and `cellsOf` for 5 to 30 ms.
 */
export function recordsIn(
  text: string,
  delimiter: string,
  maxRecords: number,
): { readonly records: readonly CsvRecord[]; readonly count: number } {
  const delimiterUnit = delimiter.charCodeAt(0)
  const records: CsvRecord[] = []
  let [count, line, cellStart, isQuoted] = [0, 1, 0, false]
  // The record of the index.
  let [start, firstLine, width, quotes, isBlank] = [0, 1, 1, 0, true]
  for (let index = 0; index <= text.length; index++) {
    const unit = text.charCodeAt(index)
    if (endsLine(text, index)) line++
    if (index === text.length || (!isQuoted && (unit === lineFeed || unit === carriageReturn))) {
      // A record with a quote that is not closed has an error, even if it has no text.
      if (!isBlank || isQuoted) {
        const record = { line: firstLine, width, quotes, isOpen: isQuoted }
        if (++count <= maxRecords) records.push({ ...record, text: text.slice(start, index) })
      }
      start = cellStart = index + 1
      firstLine = line
      width = 1
      quotes = 0
      isBlank = true
    } else if (unit === quote && text.charCodeAt(cellStart) === quote) {
      // A quote after the first two is text.
      if (!isQuoted && index > cellStart) isBlank = false
      isQuoted = !isQuoted
      quotes++
    } else if (!isQuoted && unit === delimiterUnit) {
      width++
      cellStart = index + 1
    } else if (isBlank && !isSpace(unit)) isBlank = false
  }
  return { records, count }
}

const isSpace = (unit: number): boolean => (unit < 0x80 ? unit <= 0x20 : String.fromCharCode(unit).trim() === '')

// A record with more is an error, because it takes time. The longest lot has 20,000 characters.
const [maxLength, maxQuotes] = [65_536, 2_000]

/** Reads the cells of a record, or returns its error. */
export function cellsOf({ text, quotes, isOpen }: CsvRecord, delimiter: string): Result<readonly string[], string> {
  if (isOpen) return refused('has a cell that begins with a double quote and does not end with one')
  if (text.length > maxLength) return refused(`has ${text.length} characters; a row has at most ${maxLength}`)
  if (quotes > maxQuotes) return refused(`has ${quotes} double quotes; a row has at most ${maxQuotes}`)
  const form = new RegExp(`(?:"([^"]*(?:""[^"]*)*)"|([^"${delimiter}]*))${delimiter}`, 'gy')
  const cells = [...`${text}${delimiter}`.matchAll(form)]
  const last = cells.at(-1)
  if (last === undefined || last.index + last[0].length <= text.length) {
    return refused('has a double quote within a cell; put the cell in double quotes, and write the quote in it twice')
  }
  // `replaceAll` takes four times as long.
  return accepted(cells.map(([, quoted, plain = '']) => quoted?.split('""').join('"') ?? plain))
}
