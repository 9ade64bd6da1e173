import { isExact } from './exact-json.ts'

export type CellType = 'integer' | 'number' | 'boolean' | 'time' | 'text'

const forms = {
  integer: { pattern: /^-?(?:0|[1-9]\d*)$/, rule: 'must be an integer, such as 1234' },
  number: { pattern: /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/, rule: 'must be a plain decimal, such as 1234.50' },
  // Spreadsheets write capital letters.
  boolean: { pattern: /^(?:true|false)$/i, rule: 'must be true or false' },
}

/** The error of a cell that is not of the type. The rule of the field judges other texts and times. */
export function errorIn(cell: string, type: CellType): string | undefined {
  if (type === 'text') return undefined
  const isShort = cell.length <= maxNamedLength
  if (type === 'time') return isShort ? zoneError(cell) : undefined
  if (forms[type].pattern.test(cell)) return undefined
  return (isShort && type !== 'boolean' ? separatorError(cell) : undefined) ?? forms[type].rule
}

/** The most characters of a cell that an error repeats. */
const maxNamedLength = 40

const grouped = /^-?\d{1,3}(?:([,.'’ \u00a0\u202f])\d{3})(?:\1\d{3})*(?:(?!\1)[.,]\d+)?$/

/** The error of a number in the form of another language, with the number that it may be. */
function separatorError(cell: string): string | undefined {
  const separator = grouped.exec(cell)?.[1]
  const ungrouped = separator && cell.replaceAll(separator, '').replace(',', '.')
  const pointed = /^-?\d+,\d+$/.test(cell) ? cell.replace(',', '.') : undefined
  if (ungrouped === undefined) return pointed && `${cell} has a decimal comma; write ${pointed}`
  if (pointed === undefined) return `${cell} has a thousands separator; write ${ungrouped}`
  return `${cell} has a comma, of thousands or of decimals; write ${ungrouped} or ${pointed}`
}

// Spreadsheets write dates in the order and with the separators of their language.
const localTime = /^\d{1,4}([-./])\d{1,2}\1\d{1,4}(?:[T ,]{1,2}\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?(?: ?[AP]M)?)?$/i
const offsetTime = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)? ?[+-]\d\d:?\d\d$/

/** The error of a time that is not in UTC. */
function zoneError(cell: string): string | undefined {
  const advice = 'write the time in UTC with Z, such as 2030-02-07T12:00:00Z'
  if (localTime.test(cell)) return `${cell} has no time zone; ${advice}`
  return offsetTime.test(cell) ? `${cell} is not in UTC; ${advice}` : undefined
}

/** A value that no field accepts, as `parseExactJson` uses for numbers that are not exact. */
export const unacceptable: readonly never[] = []

/** The value of a cell that has no error. */
export function valueIn(cell: string, type: CellType): unknown {
  if (type === 'text' || type === 'time') return cell
  if (type === 'boolean') return cell.toLowerCase() === 'true'
  return isExact(cell) ? Number(cell) : unacceptable
}
