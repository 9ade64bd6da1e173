import { html, nothing } from '../../html.js'
import { baseOf } from '../../requests.js'
import { isolated } from '../../times.js'
import { refusalTexts } from '../actions.js'
import { fieldView, typed } from '../fields.js'
import { createSending, sendingView } from '../registers/sending.js'
import { chosenIn } from './choose.js'

/**
 * @import { Page } from '../../app.js'
 * @import { TextName } from '../../format.js'
 * @import { Lot } from './lots.js'
 * @import { SaleState } from './sale.js'
 * @typedef {{ lot: string, outcome: string }} Outcome
 */

/** @type {Record<string, TextName>} */
const outcomeTexts = {
  ...refusalTexts,
  cancelled: 'lotCancelled',
  extended: 'lotExtended',
  'lot-not-found': 'lotNotFound',
  'store-unavailable': 'unavailable',
}
/** How many titles a question names. */
const namedLots = 5

/** What staff do with a sale. @param {Page} page @param {SaleState} state */
export function openStaff(page, state) {
  const extending = openExtension(page, state)
  const cancelling = openCancellation(page, state)
  const saving = createSending(page)
  const { text } = page.format
  return {
    draw: () => html`
      <section class="staff" aria-labelledby="staff-title">
        <h2 id="staff-title">${text('staff')}</h2>
        <p class="links"><a href="#/sales/${state.id}?import">${text('addLotsTitle')}</a>
          <button type="button" @click=${() => saveResults(page, state.id, saving)}>${text('saveResults')}</button></p>
        ${sendingView(page, saving)}
        ${extending()}
        ${cancelling()}
      </section>`,
  }
}

/** Saves the results as a file. @param {Page} page @param {number} id @param {ReturnType<typeof createSending>} saving */
async function saveResults({ options, format }, id, saving) {
  const { url, token } = options
  const bearer = typeof token === 'function' ? await token(false) : token
  const headers = { accept: 'text/csv', ...(bearer && { authorization: `Bearer ${bearer}` }) }
  try {
    const response = await fetch(new URL(`api/Sales/${id}/Lots`, baseOf(url)), { headers, credentials: 'omit' })
    if (!response.ok) throw new TypeError(response.statusText)
    const link = document.createElement('a')
    link.href = URL.createObjectURL(await response.blob())
    link.download = `sale-${id}-lots.csv`
    link.click()
    URL.revokeObjectURL(link.href)
    saving.show(true, format.text('resultsSaved'))
  } catch {
    saving.show(false, format.text('noResponse'))
  }
}

/** @param {Page} page @param {SaleState} state */
function openExtension(page, state) {
  const { format, known } = page
  const { text } = format
  const sending = createSending(page)
  /** @type {readonly Outcome[]} */
  let outcomes = []

  /** @param {SubmitEvent} event */
  function submit(event) {
    event.preventDefault()
    const element = /** @type {HTMLFormElement} */ (event.currentTarget)
    const form = new FormData(element)
    const count = Number(form.get('duration'))
    const reason = typed(form.get('reason'))
    const errors = {
      ...(Number.isSafeInteger(count) && count > 0 ? {} : { duration: text('enterWhole') }),
      ...(reason === '' && { reason: text('required') }),
    }
    if (Object.keys(errors).length > 0) return sending.show(false, text('checkFields'), errors)
    const seconds = count * (form.get('unit') === 'minutes' ? 60 : 1)
    const action = text('extendSaleBy', { time: isolated(format.duration(seconds * 1000)) })
    const body = { seconds, reason }
    // A request without a response keeps its key, so the same one again completes it.
    const send = () =>
      sending.send(
        body,
        (key) => known.client.extendSale(state.id, body, { key }),
        ({ lots }) => {
          outcomes = lots.filter(({ outcome }) => outcome !== 'extended')
          sending.show(true, text('lotsExtended', { count: lots.length - outcomes.length }))
          element.reset()
        },
      )
    page.ask({
      title: action,
      text: () => `${text('extendSaleEffect')} ${text('confirmation')}`,
      yes: text('yes', { action }),
      isDangerous: true,
      send: () => void send(),
    })
  }

  return () => html`
    <details>
      <summary><span>${text('extendSale')}</span></summary>
      <form @submit=${submit} novalidate>
        <p class="hint">${text('extendSaleEffect')}</p>
        <div class="pair">
          ${fieldView(format, 'duration', sending.errors['duration'], { isRequired: true })}
          <label>${text('unit')} <select name="unit"><option value="minutes">${text('unitMinutes')}</option><option value="seconds">${text('unitSeconds')}</option></select></label>
        </div>
        ${fieldView(format, 'reason', sending.errors['reason'], { label: text('reason'), isRequired: true })}
        ${sendingView(page, sending)}${outcomesView(page, outcomes)}
        <button aria-busy=${sending.isSending}>${text('extendSale')}</button>
      </form>
    </details>`
}

/** @param {Page} page @param {SaleState} state */
function openCancellation(page, state) {
  const { format, known } = page
  const { text } = format
  const sending = createSending(page)
  let entered = ''
  /** @type {readonly Outcome[]} */
  let outcomes = []

  const choose = () => chosenIn(entered, state.lots?.all() ?? [])
  const named = (/** @type {readonly Lot[]} */ lots) => {
    const names = lots.slice(0, namedLots).map(({ lot, line }) => `${lot} ${line.title ?? ''}`.trim())
    return [...names, ...(lots.length > namedLots ? ['…'] : [])].join(', ')
  }
  const summary = (/** @type {readonly Lot[]} */ lots) =>
    lots.length === 0 ? '' : `${text('lotsCount', { count: lots.length })}: ${named(lots)}`

  /** @param {SubmitEvent} event */
  function submit(event) {
    event.preventDefault()
    const element = /** @type {HTMLFormElement} */ (event.currentTarget)
    const reason = typed(new FormData(element).get('reason'))
    const { lots, error, lot = '' } = choose()
    const errors = {
      ...(error && { lots: text(error, { lot }) }),
      ...(reason === '' && { reason: text('required') }),
    }
    if (Object.keys(errors).length > 0) return sending.show(false, text('checkFields'), errors)
    const body = { lots: lots.map((each) => each.lot), reason }
    const action = text('cancelLotsCount', { count: lots.length })
    const send = () =>
      sending.send(
        body,
        (key) => known.client.cancelLots(state.id, body, { key }),
        (data) => {
          outcomes = data.lots.filter(({ outcome }) => outcome !== 'cancelled')
          sending.show(outcomes.length === 0, text('lotsWereCancelled', { count: data.lots.length - outcomes.length }))
          entered = ''
          element.reset()
        },
      )
    page.ask({
      title: action,
      text: () => html`${summary(lots)}<br>${text('cancelHint')} ${text('confirmation')}`,
      yes: text('yes', { action }),
      isDangerous: true,
      send: () => void send(),
    })
  }
  /** @param {Event} event */
  function input({ target }) {
    if (!(target instanceof HTMLInputElement) || target.name !== 'lots') return
    entered = target.value
    page.schedule()
  }

  return () => html`
    <details>
      <summary><span>${text('cancelLots')}</span></summary>
      <form @submit=${submit} @input=${input} novalidate>
        <p class="hint">${text('cancelHint')}</p>
        ${fieldView(format, 'lots', sending.errors['lots'], { isRequired: true })}
        <p class="hint" aria-live="off">${summary(choose().lots)}</p>
        ${fieldView(format, 'reason', sending.errors['reason'], { label: text('reason'), isRequired: true })}
        ${sendingView(page, sending)}${outcomesView(page, outcomes)}
        <button aria-busy=${sending.isSending}>${text('cancelLots')}</button>
      </form>
    </details>`
}

/** The lots that did not change, each with the reason. @param {Page} page @param {readonly Outcome[]} outcomes */
function outcomesView({ format: { text } }, outcomes) {
  if (outcomes.length === 0) return nothing
  return html`
    <ul class="outcomes">${outcomes.map(({ lot, outcome }) => {
      const name = outcomeTexts[outcome]
      return html`<li>${text('lotAnnounced', { lot, text: name === undefined ? outcome : text(name) })}</li>`
    })}</ul>`
}
