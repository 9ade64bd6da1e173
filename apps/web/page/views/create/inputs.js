import { html, nothing } from '../../html.js'
import { sellingFormats, sellingOf } from '../../selling.js'
import { isolated, localTimeAfter } from '../../times.js'
import { errorView, fieldView, labelOf, moreView } from '../fields.js'
import { admissionGroup, isField, isRequired, itemFields } from './steps.js'

/**
 * @import { Page } from '../../app.js'
 * @import { Choice, InputGroup, InputName, SellingFormat } from '../../selling.js'
 * @import { Form } from '../create.js'
 * @import { FieldName } from '../fields.js'
 */

const hourMs = 3_600_000

/** What a new form shows, besides its end. @type {Partial<Record<FieldName, string>>} */
const defaults = { productId: '1', currency: 'USD', intervalSeconds: '60', windowSeconds: '2', extensionSeconds: '2' }
/** Ends that a click sets. */
const durationsMs = [hourMs / 6, hourMs, 24 * hourMs, 7 * 24 * hourMs]

/** A field, a box to check, or a group of them. @param {Page} page @param {Form} form @param {InputName | InputGroup} part @returns {unknown} */
function partView(page, form, part) {
  const { format } = page
  const { errors } = form
  if (typeof part !== 'string') {
    const { title, fields, member = '' } = part
    const isOpen = [...fields, member].some((name) => name in errors)
    const inputs = fields.map((name) => partView(page, form, name))
    return moreView(format.text(title), inputs, isOpen)
  }
  if (!isField(part))
    return html`<label class="check"><input name=${part} type="checkbox"> ${format.text(labelOf(part))}</label> ${errorView(part, errors[part])}`
  const value = part === 'endTime' ? form.end : defaults[part]
  const options = { value, isRequired: isRequired(form.format, part) }
  if (part !== 'registerId' || form.registers.length === 0) return fieldView(format, part, errors[part], options)
  return html`${fieldView(format, part, errors[part], { ...options, list: 'registers' })}
    <datalist id="registers">${form.registers.map(({ id, title }) => html`<option value=${id}>${title ?? ''}</option>`)}</datalist>`
}

/** Inputs of the chosen format. Each format has a place in the document, so that no input becomes one of another format. @param {Form} form @param {(format: SellingFormat) => unknown} view */
const ofFormat = (form, view) =>
  Object.values(sellingFormats).map((each) => (each === form.format ? view(each) : nothing))

/** The choice of the kind of auction, which decides about the other fields. @param {Page} page @param {Form} form */
function formatView(page, form) {
  const { text } = page.format
  /** @param {Event & { currentTarget: HTMLSelectElement }} event */
  function choose({ currentTarget }) {
    form.format = sellingOf({ format: currentTarget.value })
    form.errors = {}
    page.schedule()
  }
  return html`
    <div class="field">
      <label>${text('fieldFormat')}
        <select name="format" aria-describedby="format-hint" @change=${choose}>
          ${Object.values(sellingFormats).map((each) => html`<option value=${each.name} ?selected=${each === form.format}>${text(each.title)}</option>`)}
        </select></label>
      <p class="hint" id="format-hint">${text(form.format.hint)}</p>
      ${errorView('format', form.errors['format'])}
    </div>`
}

/** @param {Page} page @param {Choice} choice */
export const choiceView = ({ format: { text } }, { name, title, options }) => html`
  <fieldset>
    <legend>${text(title)}</legend>
    ${options.map(
      (option, at) => html`
      <label class="check"><input name=${name} type="radio" value=${option.value} ?checked=${at === 0} aria-describedby="${name}-${option.value}"> ${text(option.title)}</label>
      <p class="hint" id="${name}-${option.value}">${text(option.hint)}</p>`,
    )}
  </fieldset>`

/** @param {Page} page @param {Form} form */
export const itemView = (page, form) => itemFields.map((name) => partView(page, form, name))

/** @param {Page} page @param {Form} form */
export const priceView = (page, form) =>
  ofFormat(form, ({ choices, priceFields }) => [
    formatView(page, form),
    ...choices.map((choice) => choiceView(page, choice)),
    .../** @type {const} */ (['currency', 'startingPrice']).map((name) => partView(page, form, name)),
    ...[...priceFields, admissionGroup].map((part) => partView(page, form, part)),
  ])

/** @param {Page} page @param {Form} form */
export function timeView(page, form) {
  const { format } = page
  const { text } = format
  /** @param {number} afterMs */
  const setEnd =
    (afterMs) =>
    (/** @type {Event & { currentTarget: HTMLButtonElement }} */ { currentTarget: { form: element } }) => {
      const input = element?.elements.namedItem('endTime')
      if (input instanceof HTMLInputElement) input.value = localTimeAfter(page.known.now(), afterMs)
    }
  return html`
    <p class="hint">${text('timesAreIn', { zone: isolated(format.timeZone) })}</p>
    ${partView(page, form, 'startTime')} ${partView(page, form, 'endTime')}
    <div class="choices" role="group" aria-label=${text('endsAfter')}>
      ${durationsMs.map((ms) => html`<button type="button" @click=${setEnd(ms)}>${text('after', { time: isolated(format.duration(ms)) })}</button>`)}
    </div>
    ${ofFormat(form, ({ timeFields }) => timeFields.map((part) => partView(page, form, part)))}`
}
