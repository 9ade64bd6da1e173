/** Whether a number literal equals the decimal that its double prints as: 1.0, 1e2 and 10.50 do, 1e400 and 9007199254740993 do not. */
export function isExact(literal: string): boolean {
  const value = Number(literal)
  return Number.isFinite(value) && decimalOf(literal) === decimalOf(String(value))
}

const numberForm = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** The canonical form of a number literal: significant digits and a power of ten. */
function decimalOf(literal: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = numberForm.exec(literal) ?? []
  const digits = whole + fraction
  let start = 0
  let end = digits.length
  while (start < end && digits[start] === '0') start++
  while (end > start && digits[end - 1] === '0') end--
  if (start === end) return '0'
  return `${sign}${digits.slice(start, end)}e${Number(exponent) - fraction.length + digits.length - end}`
}
