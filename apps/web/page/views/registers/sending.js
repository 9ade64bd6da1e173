import { AuctionClientError } from '../../client.js'
import { html, nothing } from '../../html.js'
import { createKeys } from '../../requests.js'
import { errorsOf, unavailableTexts } from '../actions.js'

/**
 * @import { Page } from '../../app.js'
 * @import { TextName } from '../../format.js'
 * @import { Refusal } from '../actions.js'
 * @typedef {ReturnType<typeof createSending>} Sending
 */

/** The texts of refusals, by their codes. @type {Record<string, TextName>} */
const texts = { 'precondition-failed': 'bidderChanged', 'register-not-found': 'registerNotFound' }

/** The outcome of the last request of a form. @param {Page} page */
export function createSending(page) {
  const { text } = page.format
  const keys = createKeys()
  const sending = {
    isSending: false,
    /** What is wrong with a field, by its name. @type {Record<string, string>} */
    errors: {},
    /** @type {{ isGood: boolean, text: string } | undefined} */
    outcome: undefined,

    /** @param {boolean} isGood @param {string} shown @param {Record<string, string>} [errors] */
    show(isGood, shown, errors = {}) {
      Object.assign(sending, { outcome: { isGood, text: shown }, errors })
      page.announce(shown, true)
      page.schedule()
    },

    /**
     * Sends a request once, however often it is called, and shows why it failed. Returns the code of a refusal.
     * @template Data
     * @param {unknown} body What identifies the request.
     * @param {(key: string) => Promise<{ ok: true, data: Data } | { ok: false, refusal: Refusal }>} call
     * @param {(data: Data) => unknown} onDone
     */
    async send(body, call, onDone) {
      if (sending.isSending) return undefined
      Object.assign(sending, { isSending: true, outcome: undefined, errors: {} })
      page.schedule()
      try {
        const result = await call(keys.of(body))
        keys.done()
        if (result.ok) {
          await onDone(result.data)
          return undefined
        }
        const { code, status, message } = result.refusal
        if (status === 401) page.known.noteSignedOut()
        const errors = errorsOf(page.format, result.refusal)
        const name = texts[code]
        const reason = name === undefined ? message : text(name)
        sending.show(false, Object.keys(errors).length > 0 ? text('checkFields') : reason, errors)
        return code
      } catch (error) {
        // The outcome is unknown, so the same request keeps its key.
        if (!(error instanceof AuctionClientError)) throw error
        sending.show(false, text(unavailableTexts[error.code] ?? 'unavailable'))
        return error.code
      } finally {
        sending.isSending = false
        page.schedule()
      }
    },
  }
  return sending
}

/** @param {Page} page @param {Sending} sending */
export function sendingView({ format }, { isSending, outcome }) {
  if (isSending) return html`<p class="hint">${format.text('sending')}</p>`
  return outcome === undefined ? nothing : html`<p class=${outcome.isGood ? 'good' : 'problem'}>${outcome.text}</p>`
}
