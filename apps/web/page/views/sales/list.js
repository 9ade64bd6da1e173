import { orThrow } from '../../client.js'
import { html, nothing } from '../../html.js'
import { loadForms } from '../../on-demand.js'
import { soon } from '../../requests.js'
import { isolated } from '../../times.js'

/**
 * @import { Page } from '../../app.js'
 * @import { Data } from '../../client.js'
 * @import { Screen } from '../on-demand.js'
 * @typedef {Data<'listSales'>['items'][number]} Sale
 */

/** The sales, newest first, and for staff the form that creates one. @param {Page} page @returns {Screen} */
export function openSales(page) {
  const { client, reader } = page.known
  /** @type {{ draw: () => unknown } | undefined} */
  let form
  /** @type {readonly Sale[]} */
  let items = []
  /** @type {string | null | undefined} */
  let cursor
  return {
    async load() {
      const [{ data }] = await Promise.all([
        client.listSales({ limit: 20, cursor: cursor ?? undefined }, soon()).then(orThrow),
        reader.session.manageSales && loadForm(),
      ])
      items = [...items, ...data.items]
      cursor = data.nextCursor
    },
    draw() {
      const { text } = page.format
      return html`
        <h1>${text('sales')}</h1>
        ${cursor === null && items.length === 0 ? html`<p class="empty">${text('salesEmpty')}</p>` : nothing}
        <ul class="rows">${items.map((sale) => itemView(page, sale))}</ul>
        ${cursor ? html`<button class="next" @click=${() => void page.opened.load()}>${text('more')}</button>` : nothing}
        ${form?.draw() ?? nothing}`
    },
  }

  async function loadForm() {
    const { openSaleForm } = await loadForms(page, () => import('./create.js'))
    form ??= openSaleForm(page)
  }
}

/** @param {Page} page @param {Sale} sale */
function itemView({ format, known: { now } }, { id, title, startTime, firstEndTime }) {
  const [start, end] = [startTime, firstEndTime].map((time) => isolated(format.moment(time, now())))
  return html`
    <li class="panel linked"><a class="name" href="#/sales/${id}"><bdi>${title}</bdi></a>
      <span class="hint">${format.text('saleTimes', { start: start ?? '', end: end ?? '' })}</span></li>`
}
