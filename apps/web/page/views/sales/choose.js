/** @import { Lot } from './lots.js' */
/** @typedef {{ lots: readonly Lot[], error?: 'required' | 'noSuchLot' | 'lotHasResult' | 'tooManyLots' | undefined, lot?: string }} Chosen */

/** How many lots one request cancels. */
const most = 100

/** The lots that a text names, such as `12, 14-20, 30A`. A range takes those without a result. @param {string} text @param {readonly Lot[]} all @returns {Chosen} */
export function chosenIn(text, all) {
  const tokens = text
    .toUpperCase()
    .replaceAll(/\s*[-–]\s*/g, '-')
    .split(/[\s,;]+/)
    .filter((token) => token !== '')
  /** @type {Set<Lot>} */
  const chosen = new Set()
  /** @type {Omit<Chosen, 'lots'>} */
  let wrong = tokens.length === 0 ? { error: 'required' } : {}
  for (const token of tokens) {
    const [, from, to] = /^(\d+)-(\d+)$/.exec(token) ?? []
    const found = all.filter(({ lot }) =>
      from === undefined ? lot === token : isWithin(lot, Number(from), Number(to)),
    )
    const open = found.filter(({ line }) => line.outcome === undefined)
    if (found.length === 0) wrong = { error: 'noSuchLot', lot: token }
    else if (open.length === 0) wrong = { error: 'lotHasResult', lot: token }
    for (const lot of open) chosen.add(lot)
  }
  if (chosen.size > most) wrong = { error: 'tooManyLots' }
  return { lots: [...chosen], ...wrong }
}

/** @param {string} lot @param {number} from @param {number} to */
const isWithin = (lot, from, to) => Number.parseInt(lot, 10) >= from && Number.parseInt(lot, 10) <= to
