import { AuctionClientError, newKey } from '../../client.js'
import { unavailableTexts } from '../actions.js'
import { partsOf } from './csv.js'

/**
 * @import { Page } from '../../app.js'
 * @import { FieldError } from '../actions.js'
 * @import { Part } from './csv.js'
 * @typedef {ReturnType<typeof createImport>} Import
 * @import { TextName } from '../../format.js'
 * @typedef {{ code: string, status: number, message: string, bidderId?: number, lots?: readonly string[], errors?: readonly FieldError[] }} Refusal
 * @typedef {object} Target What the rows become.
 * @property {string} key The column that identifies a row.
 * @property {readonly string[]} unique The columns whose values occur once.
 * @property {() => void} [begin] A check begins.
 * @property {(csv: string, options: { check: boolean, key: string }) => Promise<{ ok: boolean, refusal?: Refusal }>} send Sends a part.
 * @property {{ isRight: TextName, progress: TextName, imported: TextName, left: TextName }} texts
 * @typedef {Part & { key: string }} Keyed A part with the key of its request, so that it counts once however often it is sent.
 * @typedef {Omit<ReturnType<typeof partsOf>, 'parts'> & { parts: readonly Keyed[] }} Table
 */

/** The state of an import: a table is checked as a whole before its parts are stored. @param {Page} page @param {Target} target */
export function createImport(page, target) {
  const { noteSignedOut } = page.known
  const { texts } = target
  const { text } = page.format

  const importing = {
    typed: '',
    /** The table, if the last check found nothing wrong. @type {Table | undefined} */
    table: undefined,
    /** @type {readonly string[]} */
    errors: [],
    /** How many parts were stored. */
    stored: 0,
    /** The request in progress, in words. */
    pending: '',
    /** Why the last step has no result. */
    problem: '',

    /** How many rows are not stored. */
    left: () => countOf(importing.table?.parts.slice(importing.stored) ?? []),

    /** @param {string} typed */
    take(typed) {
      Object.assign(importing, { typed, table: undefined, errors: [], problem: '' })
      page.schedule()
    },

    check: () =>
      attempt(async () => {
        const { parts, ...cut } = partsOf(importing.typed, target.key, target.unique)
        target.begin?.()
        Object.assign(importing, { table: undefined, stored: 0 })
        const keyed = parts.map((part) => ({ ...part, key: newKey() }))
        importing.errors = cut.count === 0 ? [text('csvEmpty')] : cut.repetitions.map(repetitionText)
        const progress = (/** @type {number} */ at) => text('checkingPart', { part: at + 1, parts: parts.length })
        if (importing.errors.length === 0) importing.errors = await send(keyed, true, progress)
        if (importing.errors.length === 0) importing.table = { ...cut, parts: keyed }
      }),

    store: () =>
      attempt(async () => {
        const { parts = [], count: total = 0 } = importing.table ?? {}
        importing.errors = await send(parts.slice(importing.stored), false, () =>
          text(texts.progress, { done: total - importing.left(), total }),
        )
      }),

    /** What came of the last step. */
    stateText() {
      const { table, stored, errors, problem } = importing
      if (table === undefined) return ''
      const [total, count] = [table.count, importing.left()]
      if (count === 0) return text(texts.imported, { count: total })
      const isUntried = stored === 0 && errors.length === 0 && problem === ''
      return text(isUntried ? texts.isRight : texts.left, { done: total - count, total, count })
    },
  }
  return importing

  /** @param {ReturnType<typeof partsOf>['repetitions'][number]} repetition */
  function repetitionText({ line, column, first }) {
    return text('csvCell', { line, column, message: text('isThatOfLine', { line: first }) })
  }

  /** Sends parts, one after the other. Returns what is wrong with them. @param {readonly Keyed[]} parts @param {boolean} check @param {(at: number) => string} progress */
  async function send(parts, check, progress) {
    const errors = []
    for (const [at, part] of parts.entries()) {
      importing.pending = progress(at)
      page.schedule()
      const { refusal } = await target.send(part.text, { check, key: check ? newKey() : part.key })
      if (refusal !== undefined) {
        if (refusal.status === 401) noteSignedOut()
        errors.push(...errorsOf(text, part, refusal))
        // A check finds the errors of all parts.
        if (!check) break
      } else if (!check) importing.stored += 1
    }
    return errors
  }

  /** @param {() => Promise<void>} step */
  async function attempt(step) {
    if (importing.pending !== '') return
    Object.assign(importing, { problem: '', errors: [], pending: text('sending') })
    try {
      await step()
    } catch (error) {
      // What was not stored keeps its keys.
      if (!(error instanceof AuctionClientError)) throw error
      importing.problem = text(unavailableTexts[error.code] ?? 'unavailable')
    } finally {
      importing.pending = ''
      page.announce(importing.problem || importing.errors[0] || importing.stateText(), true)
      page.schedule()
    }
  }
}

/** What is wrong with a part, by the lines of the file. @param {Page['format']['text']} text @param {Part} part @param {Refusal} refusal */
function errorsOf(text, part, { code, message, bidderId, lots = [], errors = [] }) {
  if (lots.length > 0)
    return lots.map((lot) => text('csvLine', { line: part.lines.get(lot) ?? 0, message: text('lotTaken') }))
  const own = part.lines.get(String(bidderId))
  if (code !== 'validation-failed') return [own === undefined ? message : text('csvLine', { line: own, message })]
  return errors.map((error) => {
    const [, line, column = '', reason = ''] = /^line (\d+)(?:, column ([\w.-]+))?: (.*)$/s.exec(error.message) ?? []
    if (line === undefined) return error.message
    const values = { line: part.lineOf(Number(line)), column, message: reason }
    return text(column === '' ? 'csvLine' : 'csvCell', values)
  })
}

/** @param {readonly Part[]} parts */
const countOf = (parts) => parts.reduce((sum, { count }) => sum + count, 0)
