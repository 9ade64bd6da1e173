import { html, nothing } from '../html.js'
import { createKeys, soon } from '../requests.js'
import { sellingOf } from '../selling.js'
import { localTimeAfter } from '../times.js'
import { itemView, priceView, timeView } from './create/inputs.js'
import { previewView } from './create/preview.js'
import { create, moveTo } from './create/sending.js'
import { isStepWrong, stepsOf } from './create/steps.js'

/** @import { Page } from '../app.js' */
/** @import { Step } from './create/steps.js' */
/** @typedef {ReturnType<typeof createForm>} Form */

/** The form to sell. @param {Page} page */
export function openScreen(page) {
  const form = createForm()
  return {
    load: async () => void readRegisters(page, form),
    draw: () => html`<h1>${page.format.text('sell')}</h1>${formView(page, form)}`,
  }
}

/** Reads what the field of the register suggests. Without that, the seller enters its number. @param {Page} page @param {Form} form */
async function readRegisters({ known, schedule }, form) {
  if (!known.reader.session.readRegisters) return
  const listed = await known.client.listRegisters({ limit: 20 }, soon()).catch(() => undefined)
  form.registers = listed?.ok ? listed.data.items : []
  schedule()
}

/** The state of the form. */
function createForm() {
  return {
    problem: '',
    /** What is wrong with a field, by its name in the API. @type {Record<string, string>} */
    errors: {},
    step: 0,
    /** The format of the auction. */
    format: sellingOf({}),
    /** What the preview shows. @type {Record<string, any> | undefined} */
    draft: undefined,
    isSending: false,
    /** The newest registers of bidders. @type {readonly { id: number, title?: string }[]} */
    registers: [],
    /** The end that the form suggests. */
    end: '',
    keys: createKeys(),
    /** The start of an auction that starts now. A repeated request must not change it. */
    start: '',
  }
}

/** @param {Page} page @param {Form} form */
function formView(page, form) {
  const { text } = page.format
  form.end ||= localTimeAfter(page.known.now())
  const steps = stepsOf(form.format)
  const isLast = form.step === steps.length - 1
  /** @param {SubmitEvent} event */
  function submit(event) {
    event.preventDefault()
    const element = /** @type {HTMLFormElement} */ (event.currentTarget)
    if (isLast) void create(page, form, element)
    else moveTo(page, form, element, form.step + 1)
  }
  /** @param {number} step */
  const go =
    (step) =>
    (/** @type {Event & { currentTarget: HTMLButtonElement }} */ { currentTarget: { form: element } }) => {
      if (element !== null) moveTo(page, form, element, step)
    }
  return html`
    <form class="panel create" @submit=${submit} novalidate>
      <ol class="steps" aria-label=${text('steps')}>
        ${steps.map(
          (step, at) => html`
          <li>${stepView(page, form, step, at, go(at))}</li>`,
        )}
      </ol>
      <div class="fields" ?hidden=${form.step !== 0}>${itemView(page, form)}</div>
      <div class="fields" ?hidden=${form.step !== 1}>${priceView(page, form)}</div>
      <div class="fields" ?hidden=${form.step !== 2}>${timeView(page, form)}</div>
      ${isLast ? previewView(page, form.draft ?? {}) : nothing}
      ${form.problem === '' ? nothing : html`<p class="problem" role="alert">${form.problem}</p>`}
      <div class="moves">
        ${form.step === 0 ? nothing : html`<button type="button" @click=${go(form.step - 1)}>${text('back')}</button>`}
        <button class="main" aria-busy=${form.isSending}>${text(isLast ? 'createAuction' : 'next')}</button>
      </div>
    </form>`
}

/** @param {Page} page @param {Form} form @param {Step} step @param {number} at @param {(event: any) => void} go */
function stepView({ format: { text } }, form, step, at, go) {
  const isWrong = isStepWrong(step, form.errors)
  return html`
    <button type="button" aria-current=${at === form.step ? 'step' : nothing} ?data-wrong=${isWrong} @click=${go}>${at + 1}. ${text(step.title)}
      ${isWrong ? html`<span class="problem" role="img" aria-label=${text('stepIsWrong')}>!</span>` : nothing}</button>`
}
