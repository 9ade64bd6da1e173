import { html } from '../../html.js'
import { isolated } from '../../times.js'
import { fieldView, incompleteIn, readField, typed } from '../fields.js'
import { createSending, sendingView } from '../registers/sending.js'

/**
 * @import { Page } from '../../app.js'
 * @import { Body } from '../../client.js'
 * @import { TextName } from '../../format.js'
 * @import { FieldName } from '../fields.js'
 * @typedef {{ name: FieldName, value?: string, isRequired?: boolean, label?: TextName }} Field
 */

/** @type {readonly Field[]} */
const saleFields = [
  { name: 'title', isRequired: true },
  { name: 'currency', value: 'USD', isRequired: true },
  { name: 'startTime' },
  { name: 'firstEndTime', isRequired: true },
  { name: 'intervalSeconds', value: '60', isRequired: true, label: 'fieldLotInterval' },
  { name: 'lotsPerInterval', value: '1' },
  { name: 'registerId' },
]
/** What lots have unless their line in the file has it. @type {readonly Field[]} */
const lotFields = [
  { name: 'startingPrice' },
  { name: 'minimumBidIncrement' },
  { name: 'incrementSteps' },
  { name: 'windowSeconds', value: '2' },
  { name: 'extensionSeconds', value: '2' },
  { name: 'latestEndTime', label: 'fieldLotLatestEnd' },
  { name: 'productId', value: '1' },
  { name: 'ownerId' },
]

/** How long after lot 1 late bids move ends, unless staff set a time. A week is the most. */
const latestMs = 6 * 86_400_000

/** The form that creates a sale. @param {Page} page */
export function openSaleForm(page) {
  const { format, known } = page
  const { text } = format
  const creating = createSending(page)
  /** The start of a sale that starts now. A repeated request must not change it. */
  let start = ''

  /** @param {HTMLFormElement} element */
  function valuesIn(element) {
    const form = new FormData(element)
    const errors = incompleteIn(format, element)
    /** @type {Record<string, any>} */
    const values = {}
    for (const { name, isRequired } of [...saleFields, ...lotFields]) {
      const entered = typed(form.get(name))
      const read =
        entered === '' ? { value: null } : readField(format, name, entered, typed(form.get('currency')).toUpperCase())
      if ('error' in read) errors[name] = read.error
      else if (read.value === null && isRequired) errors[name] ??= text('required')
      else values[name] = read.value
    }
    return { values, errors }
  }

  /** @param {SubmitEvent} event */
  function submit(event) {
    event.preventDefault()
    const { values, errors } = valuesIn(/** @type {HTMLFormElement} */ (event.currentTarget))
    if (Object.keys(errors).length > 0) return creating.show(false, text('checkFields'), errors)
    start ||= new Date(known.now()).toISOString()
    const { startTime, ...sale } = Object.fromEntries(saleFields.map(({ name }) => [name, values[name]]))
    const { windowSeconds, extensionSeconds, latestEndTime, ...others } = Object.fromEntries(
      lotFields.map(({ name }) => [name, values[name]]),
    )
    const latest = latestEndTime ?? new Date(Date.parse(sale['firstEndTime']) + latestMs).toISOString()
    const isSoft = windowSeconds !== null && extensionSeconds !== null
    const softClose = isSoft ? { windowSeconds, extensionSeconds, latestEndTime: latest } : null
    // The cast: the service refuses what is missing.
    const body = /** @type {Body<'createSale'>} */ ({
      ...sale,
      startTime: startTime ?? start,
      lotDefaults: { ...others, softClose },
    })
    void creating.send(
      body,
      (key) => known.client.createSale(body, { key }),
      ({ id }) => {
        location.hash = `#/sales/${id}?manage`
      },
    )
  }

  /** @param {Field} field */
  function inputView({ name, value = name === 'ownerId' ? String(known.reader.user) : '', isRequired = false, label }) {
    return fieldView(format, name, creating.errors[name], { value, isRequired, ...(label && { label: text(label) }) })
  }

  return {
    draw: () => html`
      <details class="panel">
        <summary><span>${text('createSale')}</span></summary>
        <form class="create" @submit=${submit} novalidate>
          <p class="hint">${text('timesAreIn', { zone: isolated(format.timeZone) })}</p>
          ${saleFields.map(inputView)}
          <fieldset class="fields">
            <legend>${text('lotDefaults')}</legend>
            <p class="hint">${text('lotDefaultsHint')}</p>
            ${lotFields.map(inputView)}
          </fieldset>
          ${sendingView(page, creating)}
          <button class="main" aria-busy=${creating.isSending}>${text('createSale')}</button>
        </form>
      </details>`,
  }
}
