import * as v from 'valibot'

const form = /^([1-9]\d{0,4})([A-Z])?$/
const rule =
  'must be a number from 1 to 99999 without leading zeros, and at most one capital letter, such as "12" or "12A"'

/** The number of a lot in its sale. */
export const Lot = v.pipe(v.string(rule), v.regex(form, rule))

const letters = 27

/** The position of a lot by its number, then by its letter: lots without one are first. Different lots differ. */
export function positionOfLot(lot: string): number {
  const [, digits = '', letter] = form.exec(lot) ?? []
  return Number(digits) * letters + (letter === undefined ? 0 : letter.charCodeAt(0) - 64)
}

/** The number of a lot, without its letter. */
export const numberOfLot = (lot: string): number => Math.floor(positionOfLot(lot) / letters)
