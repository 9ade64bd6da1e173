import { orThrow } from '../../client.js'
import { html, nothing } from '../../html.js'
import { soon } from '../../requests.js'
import { choiceView } from '../create/inputs.js'
import { fieldView, typed } from '../fields.js'
import { createSending, sendingView } from './sending.js'

/**
 * @import { Page } from '../../app.js'
 * @import { Body, Data } from '../../client.js'
 * @import { Choice } from '../../selling.js'
 * @import { Screen } from '../on-demand.js'
 * @import { Sending } from './sending.js'
 * @typedef {Data<'listRegisters'>['items'][number]} Register
 */

/** @type {Choice} */
const admits = {
  ...{ name: 'admits', title: 'admits' },
  options: [
    { value: 'listed', title: 'admitsListed', hint: 'admitsListedHint' },
    { value: 'everyone', title: 'admitsEveryone', hint: 'admitsEveryoneHint' },
  ],
}

/** The registers, newest first, and the form that creates one. @param {Page} page @returns {Screen} */
export function openRegisters(page) {
  const { client, reader } = page.known
  const creating = createSending(page)
  /** @type {readonly Register[]} */
  let items = []
  /** @type {string | null | undefined} */
  let cursor
  return {
    async load() {
      if (!reader.session.readRegisters) return
      const { data } = orThrow(await client.listRegisters({ limit: 20, cursor: cursor ?? undefined }, soon()))
      items = [...items, ...data.items]
      cursor = data.nextCursor
    },
    draw() {
      const { text } = page.format
      return html`
        <h1>${text('registers')}</h1>
        <p class="hint">${text('registersHint')}</p>
        ${cursor === null && items.length === 0 ? html`<p class="empty">${text('registersEmpty')}</p>` : nothing}
        <ul class="rows">${items.map((register) => itemView(page, register))}</ul>
        ${cursor ? html`<button class="next" @click=${() => void page.opened.load()}>${text('more')}</button>` : nothing}
        ${reader.session.register ? formView(page, creating, items.length === 0) : nothing}`
    },
  }
}

/** @param {Page} page @param {Register} register */
const itemView = ({ format: { text } }, { id, title, currency, admits: whom }) => html`
  <li class="panel"><a href="#/registers/${id}"><bdi>${title ?? text('registerNumber', { id })}</bdi></a>
    <span class="hint">${text('registerNumber', { id })} · ${currency} · ${text(whom === 'listed' ? 'admitsListed' : 'admitsEveryone')}</span></li>`

/** @param {Page} page @param {Sending} creating @param {boolean} isOpen */
function formView(page, creating, isOpen) {
  const { format, known } = page
  const { text } = format
  const { errors } = creating
  /** @param {SubmitEvent} event */
  function submit(event) {
    event.preventDefault()
    const form = new FormData(/** @type {HTMLFormElement} */ (event.currentTarget))
    const admissionText = typed(form.get('admissionText'))
    // The cast: the service refuses what is missing.
    const body = /** @type {Body<'createRegister'>} */ ({
      title: typed(form.get('title')) || null,
      currency: typed(form.get('currency')).toUpperCase(),
      admits: form.get('admits'),
      claims: form.has('claims'),
      metadata: admissionText === '' ? null : { admissionText },
    })
    void creating.send(
      body,
      (key) => known.client.createRegister(body, { key }),
      ({ id }) => {
        location.hash = `#/registers/${id}`
      },
    )
  }
  return html`
    <details class="panel" ?open=${isOpen}>
      <summary><span>${text('createRegister')}</span></summary>
      <form class="create" @submit=${submit} novalidate>
        ${fieldView(format, 'title', errors['title'])}
        ${fieldView(format, 'currency', errors['currency'], { value: 'USD', isRequired: true })}
        ${choiceView(page, admits)}
        <label class="check"><input name="claims" type="checkbox" aria-describedby="claims-hint"> ${text('registerClaims')}</label>
        <p class="hint" id="claims-hint">${text('registerClaimsHint')}</p>
        ${fieldView(format, 'admissionText', errors['admissionText'], { label: text('admissionText') })}
        ${sendingView(page, creating)}
        <button class="main" aria-busy=${creating.isSending}>${text('createRegister')}</button>
      </form>
    </details>`
}
