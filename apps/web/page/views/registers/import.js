import { html, nothing } from '../../html.js'
import { createImport } from './importing.js'

/**
 * @import { Page } from '../../app.js'
 * @import { TextName } from '../../format.js'
 * @import { Screen } from '../on-demand.js'
 * @import { Import, Table } from './importing.js'
 */

const sample = 'bidderId,status,limit,paddle\n7,admitted,5000,12\n8,refused,,'
const maxErrors = 50

/** The import of bidders from CSV. @param {Page} page @param {number} id @returns {Screen} */
export function openImport(page, id) {
  const { text } = page.format
  const importing = createImport(page, {
    key: 'bidderId',
    unique: ['bidderId', 'paddle'],
    send: (csv, options) => page.known.client.setBidders(id, csv, options),
    texts: { isRight: 'csvIsRight', progress: 'bidderProgress', imported: 'biddersImported', left: 'biddersLeft' },
  })
  const view = importView(page, importing, {
    sample,
    hint: 'csvHint',
    preview: () => nothing,
    storeName: ({ isAdmitting }) => (isAdmitting ? 'admitBidders' : 'importBidders'),
    done: () => html`<p><a href="#/registers/${id}">${text('toRegister')}</a></p>`,
  })
  return {
    draw: () => html`
      <p><a href="#/registers/${id}">${text('registerNumber', { id })}</a></p>
      <h1>${text('importCsv')}</h1>
      ${view()}`,
  }
}

/**
 * @typedef {object} Shown What an import shows of its rows.
 * @property {string} sample
 * @property {TextName} hint
 * @property {() => unknown} preview What the checked rows become.
 * @property {(table: Table) => TextName} storeName The text of the button that stores what was checked.
 * @property {() => unknown} done What follows.
 */

/** The form of an import. @param {Page} page @param {Import} importing @param {Shown} shown */
export function importView(page, importing, shown) {
  const { text } = page.format
  const { take } = importing
  /** @param {File | undefined} file */
  const read = async (file) => file !== undefined && take(await file.text())
  /** Moves the focus to the button that stores what was checked. @param {HTMLFormElement} element */
  async function checkThenFocus(element) {
    await importing.check()
    page.tick()
    if (importing.table !== undefined) element.querySelector('button')?.focus()
  }
  /** @param {SubmitEvent} event */
  function submit(event) {
    event.preventDefault()
    void checkThenFocus(/** @type {HTMLFormElement} */ (event.currentTarget))
  }
  const allow = (/** @type {DragEvent} */ event) => event.preventDefault()
  /** @param {DragEvent} event */
  function drop(event) {
    event.preventDefault()
    void read(event.dataTransfer?.files[0])
  }
  return () => html`
    <form class="panel create" @submit=${submit} @dragover=${allow} @drop=${drop} aria-busy=${importing.pending !== ''}>
      <p>${text(shown.hint)}</p>
      <pre>${shown.sample}</pre>
      <label>${text('csvFile')} <input type="file" accept=".csv,text/csv,text/plain" @change=${(/** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget: { files } }) => read(files?.[0])}></label>
      <label>${text('csvText')}
        <textarea name="csv" rows="8" spellcheck="false" wrap="off" aria-invalid=${importing.errors.length > 0} aria-describedby="csv-errors" .value=${importing.typed}
          @input=${(/** @type {{ currentTarget: HTMLTextAreaElement }} */ { currentTarget }) => take(currentTarget.value)}></textarea></label>
      ${errorsView(page, importing)}
      ${stateView(importing)}
      ${importing.table === undefined ? html`<button class="main">${text('checkCsv')}</button>` : storeView(page, importing, importing.table, shown)}
      ${importing.table === undefined ? nothing : shown.preview()}
    </form>`
}

/** @param {Page} page @param {Import} importing */
function errorsView({ format: { text } }, { errors, table }) {
  if (errors.length === 0) return nothing
  const more = errors.length - maxErrors
  return html`
    <div id="csv-errors" class="problem">
      <p>${text(table === undefined ? 'csvIsWrong' : 'importStopped', { count: errors.length })}</p>
      <ul>${errors.slice(0, maxErrors).map((error) => html`<li>${error}</li>`)}</ul>
      ${more > 0 ? html`<p>${text('moreErrors', { count: more })}</p>` : nothing}
    </div>`
}

/** @param {Import} importing */
function stateView({ pending, problem, errors, stateText }) {
  if (pending !== '') return html`<p class="hint">${pending}</p>`
  const isGood = errors.length === 0 && problem === ''
  return html`
    ${problem === '' ? nothing : html`<p class="problem">${problem}</p>`}
    ${stateText() === '' ? nothing : html`<p class=${isGood ? 'good' : 'problem'}>${stateText()}</p>`}`
}

/** The button that stores what was checked, or the rest of it. @param {Page} page @param {Import} importing @param {Table} table @param {Shown} shown */
function storeView({ format: { text } }, { stored, left, store }, table, { storeName, done }) {
  if (left() === 0) return done()
  const name = stored > 0 ? 'importRest' : storeName(table)
  // The second click of two on the button before stores nothing.
  const click = (/** @type {MouseEvent} */ { detail }) => detail < 2 && void store()
  return html`<button type="button" class="main" @click=${click}>${text(name, { count: left() })}</button>`
}
