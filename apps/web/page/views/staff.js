import { html, nothing } from '../html.js'
import { endMs, isolated, localTime, parseLocalTime } from '../times.js'
import { fieldView } from './fields.js'

/**
 * @typedef {import('../app.js').Page} Page
 * @typedef {import('../app.js').Auction} Auction
 * @typedef {import('./actions.js').Actions} Actions
 * @typedef {import('../format.js').TextName} TextName
 * @typedef {{ name: string, action: string, send: () => void }} Confirmation What is sent after it is confirmed, and its form.
 * @typedef {object} Repair
 * @property {import('./actions.js').Operation} operation Its name is that of the form, too.
 * @property {TextName} title
 * @property {TextName} [hint]
 * @property {TextName} done What the page shows afterwards.
 * @property {unknown} fields
 * @property {boolean} needsReason
 * @property {(form: FormData) => { body: object, action?: string } | { error: string }} read
 */

const quarterMs = 900_000

/** What staff may change in a running auction, each with its reason. @param {Page} page @param {import('./auction.js').Detail} detail @param {Auction} auction */
export function staffView(page, detail, auction) {
  const { actions } = detail
  const { text } = page.format
  return html`
    <section class="staff" aria-labelledby="staff-title">
      <h2 id="staff-title">${text('staff')}</h2>
      <p class="hint">${text('staffHint')}</p>
      ${repairForm(page, actions, extension(page, auction, actions))}
      ${repairForm(page, actions, withdrawal(page, detail))}
      ${auction.reserveMet === undefined ? nothing : lowerView(page, auction, actions, true)}
      ${repairForm(page, actions, { operation: 'endAuction', title: 'endAuction', hint: 'endAuctionHint', done: 'auctionEnding', fields: nothing, needsReason: true, read: () => ({ body: {} }) })}
    </section>`
}

/** @param {Page} page @param {Auction} auction @param {Actions} actions @returns {Repair} */
function extension({ format, known: { now } }, auction, actions) {
  const value = localTime(Math.max(endMs(auction), now()) + quarterMs)
  const label = format.text('newEnd', { zone: isolated(format.timeZone) })
  return {
    operation: 'extendAuction',
    title: 'extendAuction',
    done: 'auctionExtended',
    fields: fieldView(format, 'endTime', actions.errors['endTime'], { value, isRequired: true, label }),
    needsReason: true,
    read(form) {
      const time = parseLocalTime(String(form.get('endTime')))
      if (!('ms' in time)) return { error: format.text(time.error) }
      const action = format.text('extendTo', { time: isolated(format.moment(time.ms, now())) })
      return { body: { endTime: new Date(time.ms).toISOString() }, action }
    },
  }
}

/** @param {Page} page @param {import('./auction.js').Detail} detail @returns {Repair} */
function withdrawal({ format }, { history }) {
  const ids = [...new Set(history.bids.filter(({ withdrawn }) => !withdrawn).map(({ bidderId }) => bidderId))]
  return {
    operation: 'withdrawBidder',
    title: 'withdrawBids',
    hint: 'withdrawBidsHint',
    done: 'bidsWithdrawn',
    fields: html`
      <label>${format.text('bidderNumber')}
        <input name="bidderId" type="number" min="1" required inputmode="numeric" list="bidders" autocomplete="off"></label>
      <datalist id="bidders">${ids.filter((id) => id > 0).map((id) => html`<option value=${id}></option>`)}</datalist>
      <label class="check"><input name="block" type="checkbox"> ${format.text('block')}</label>`,
    needsReason: true,
    read: (form) => ({
      body: { bidderId: Number(form.get('bidderId')), ...(form.has('block') && { block: true }) },
    }),
  }
}

/** The form that lowers the reserve, which the owner may use, too. @param {Page} page @param {Auction} auction @param {Actions} actions @param {boolean} needsReason */
export function lowerView(page, auction, actions, needsReason) {
  const { format } = page
  const { currency } = auction
  return repairForm(page, actions, {
    operation: 'lowerReserve',
    title: 'lowerReserve',
    done: 'reserveLowered',
    fields: fieldView(format, 'reservePrice', actions.errors['reservePrice'], {
      // A caller who may not read the reserve can only remove it.
      value: auction.reservePrice === undefined ? '0' : '',
      isRequired: true,
      label: format.text('newReserve', { currency }),
    }),
    needsReason,
    read(form) {
      const reservePrice = format.parse(String(form.get('reservePrice')), currency)
      return reservePrice === undefined
        ? { error: format.text('enterAmount', { currency }) }
        : { body: { reservePrice } }
    },
  })
}

/** A form whose request is sent after a second click. @param {Page} page @param {Actions} actions @param {Repair} repair */
function repairForm(page, actions, repair) {
  const { operation, title, hint, done, fields, needsReason, read } = repair
  const { text } = page.format
  /** @param {SubmitEvent} event */
  function ask(event) {
    event.preventDefault()
    const element = /** @type {HTMLFormElement} */ (event.currentTarget)
    const form = new FormData(element)
    const reading = read(form)
    if ('error' in reading) actions.outcome = { isGood: false, text: reading.error }
    else {
      const reason = String(form.get('reason')).trim()
      const body = { ...reading.body, ...(reason !== '' && { reason }) }
      const finish = () => {
        element.reset()
        return { isGood: true, text: text(done) }
      }
      const send = () => void actions.send(page, operation, body, finish)
      actions.outcome = undefined
      actions.confirmation = { name: operation, action: reading.action ?? text(title), send }
      page.announce(text('confirmation'))
    }
    page.schedule()
  }
  const change = () => {
    actions.isTyped = true
    actions.confirmation = undefined
  }
  return html`
    <details>
      <summary><span>${text(title)}</span></summary>
      <form @submit=${ask} @input=${change}>
        ${hint === undefined ? nothing : html`<p class="hint">${text(hint)}</p>`}
        ${fields}
        <label>${text(needsReason ? 'reason' : 'reasonOptional')}
          <input name="reason" maxlength="500" ?required=${needsReason} autocomplete="off"></label>
        <button>${text(title)}</button>
        ${confirmationView(page, actions, operation)}
      </form>
    </details>`
}

/** Below the button of the form, so that a second click there confirms nothing. @param {Page} page @param {Actions} actions @param {string} name */
function confirmationView(page, actions, name) {
  const { confirmation } = actions
  if (confirmation?.name !== name) return nothing
  const { text } = page.format
  const refuse = () => {
    actions.confirmation = undefined
    page.schedule()
  }
  return html`
    <p class="problem">${text('confirmation')}
      <button type="button" class="danger" @click=${confirmation.send}>${text('yes', { action: confirmation.action })}</button>
      <button type="button" @click=${refuse}>${text('no')}</button></p>`
}
