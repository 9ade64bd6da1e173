import { editableAmount, parseAmount } from '../client/money.js'
import { isolated, localTime, parseLocalTime, timeZone } from '../format.js'
import { html, nothing } from '../html.js'

/**
 * @typedef {import('../app.js').Page} Page
 * @typedef {import('../app.js').Auction} Auction
 * @typedef {import('./actions.js').Actions} Actions
 */

/** The fields of the form, each with the text that it shows of an auction. @param {Auction} auction @returns {Record<string, string>} */
function textsOf(auction) {
  const { title, description, startingPrice, minimumBidIncrement, reservePrice, buyNowPrice, endTime, currency } =
    auction
  const amount = (/** @type {number | undefined} */ value) =>
    value === undefined ? '' : editableAmount(value, currency)
  return {
    title: title ?? '',
    description: description ?? '',
    startingPrice: amount(startingPrice),
    minimumBidIncrement: amount(minimumBidIncrement),
    endTime: localTime(Date.parse(endTime)),
    reservePrice: amount(reservePrice),
    buyNowPrice: amount(buyNowPrice),
    pictureUrl: auction.metadata?.['pictureUrl'] ?? '',
  }
}

/** A text as a form has it: a browser changes line ends, and spaces around it do not count. @param {string} text */
const typed = (text) => text.replaceAll(/\r\n?/g, '\n').trim()

/** The merge patch of what was changed in a form, and the error of its first invalid field. @param {FormData} form @param {Auction} auction */
function patchIn(form, auction) {
  const before = textsOf(auction)
  /** @type {Record<string, unknown>} */
  const patch = {}
  for (const name in before) {
    const text = typed(String(form.get(name) ?? ''))
    if (text === typed(before[name] ?? '')) continue
    if (name === 'pictureUrl') patch['metadata'] = { pictureUrl: text || null }
    else if (text === '' || name === 'title' || name === 'description') patch[name] = text || null
    else if (name === 'endTime') {
      const time = parseLocalTime(text)
      if (!('ms' in time)) return { patch, error: time.error }
      patch[name] = new Date(time.ms).toISOString()
    } else {
      const amount = parseAmount(text, auction.currency)
      if (amount === undefined) return { patch, error: `Enter valid amounts in ${auction.currency}.` }
      patch[name] = amount
    }
  }
  return { patch, error: Object.keys(patch).length === 0 ? 'Nothing was changed.' : undefined }
}

/** The form in which a seller corrects an auction. @param {Page} page @param {Auction} auction @param {Actions} actions */
export function correctView(page, auction, actions) {
  const path = `api/Auctions/${auction.id}`
  const { currency } = auction

  /** Reads the state that the form shows, and its entity tag. */
  async function load() {
    const response = await page.client.request(path)
    actions.tag = response.headers.get('etag') ?? '*'
    page.note((await response.json()).data)
    page.schedule()
  }
  /** @param {Event & { currentTarget: HTMLDetailsElement }} event */
  const toggle = ({ currentTarget }) => currentTarget.open && void page.attempt(page.state.detail, load)

  /** @param {SubmitEvent} event */
  function correct(event) {
    event.preventDefault()
    const { patch, error } = patchIn(new FormData(/** @type {HTMLFormElement} */ (event.currentTarget)), auction)
    if (error !== undefined) {
      actions.outcome = { isGood: false, text: error }
      return page.schedule()
    }
    const options = { method: 'PATCH', headers: { 'if-match': actions.tag } }
    const corrected = () => {
      actions.isTyped = false
      return { isGood: true, text: 'The auction was corrected.' }
    }
    void actions.send(page, path, patch, corrected, options).then(() => page.attempt(page.state.detail, load))
  }

  const texts = textsOf(auction)
  /** @param {string} name @param {string} label @param {string} [type] */
  const input = (name, label, type = 'text') => html`<label>${label}
    <input name=${name} type=${type} value=${texts[name] ?? ''} inputmode=${label.endsWith(`(${currency})`) ? 'decimal' : nothing} autocomplete="off"></label>`
  return html`
    <details @toggle=${toggle}>
      <summary><span>Correct the auction</span></summary>
      <form @submit=${correct} @input=${() => (actions.isTyped = true)} novalidate>
        ${input('title', 'Title')}
        <label>Description <textarea name="description" rows="3" maxlength="10000" .defaultValue=${texts['description']}></textarea></label>
        ${input('startingPrice', `Starting price (${currency})`)}
        ${input('minimumBidIncrement', `Increment (${currency})`)}
        ${input('reservePrice', `Reserve (${currency})`)}
        ${input('buyNowPrice', `Buy-now price (${currency})`)}
        ${input('endTime', `End, in the time zone ${isolated(timeZone)}`, 'datetime-local')}
        ${input('pictureUrl', 'Picture: its https address')}
        <button>Correct the auction</button>
      </form>
    </details>`
}
