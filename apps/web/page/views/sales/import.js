import { orThrow } from '../../client.js'
import { html, nothing } from '../../html.js'
import { soon } from '../../requests.js'
import { isolated } from '../../times.js'
import { importView } from '../registers/import.js'
import { createImport } from '../registers/importing.js'

/**
 * @import { Page } from '../../app.js'
 * @import { Data } from '../../client.js'
 * @import { Screen } from '../on-demand.js'
 * @typedef {Data<'addLots'>['lots'][number]} Added
 */

const sample =
  'lot;title;startingPrice;metadata.pictureUrl\n1;Mantel clock;50;https://example.com/1.jpg\n2A;Set of files;;'
/** Rows of the preview at its start and at its end. */
const shownRows = 5

/** The import of lots from CSV. @param {Page} page @param {number} id @returns {Screen} */
export function openLotImport(page, id) {
  const { client } = page.known
  const { text } = page.format
  let title = ''
  /** What the check of the parts has returned. @type {Added[]} */
  let checked = []
  const importing = createImport(page, {
    key: 'lot',
    unique: ['lot'],
    begin() {
      checked = []
    },
    async send(csv, options) {
      const result = await client.addLots(id, csv, options)
      if (result.ok && options.check) checked.push(...result.data.lots)
      return result
    },
    texts: { isRight: 'lotsAreRight', progress: 'lotProgress', imported: 'lotsImported', left: 'lotsLeft' },
  })
  const view = importView(page, importing, {
    sample,
    hint: 'lotsCsvHint',
    preview: () => (checked.length === 0 ? nothing : previewView(page, checked)),
    storeName: () => 'addLots',
    done: () => html`<p><a href="#/sales/${id}?manage">${text('toSale')}</a></p>`,
  })
  return {
    async load() {
      title = orThrow(await client.readSale(id, soon())).data.title
    },
    draw: () => html`
      <p><a href="#/sales/${id}?manage"><bdi>${title}</bdi></a></p>
      <h1>${text('addLotsTitle')}</h1>
      ${view()}`,
  }
}

/** The first lots and the last ones, with their ends. @param {Page} page @param {readonly Added[]} lots */
function previewView({ format, known }, lots) {
  const { text } = format
  const known_ = lots.filter(({ auctionId }) => auctionId !== undefined).length
  const isLong = lots.length > 2 * shownRows
  const row = (/** @type {Added} */ { lot, auctionId, endTime }) => html`
    <tr><td>${text('lotNumber', { lot })}</td><td>${isolated(format.moment(endTime, known.now()))}</td><td>${auctionId === undefined ? nothing : text('isThere')}</td></tr>`
  return html`
    <table class="preview">
      <thead><tr><th scope="col">${text('lots')}</th><th scope="col">${text('end')}</th><th scope="col"></th></tr></thead>
      <tbody>
        ${(isLong ? lots.slice(0, shownRows) : lots).map(row)}
        ${isLong ? html`<tr><td colspan="3">…</td></tr>${lots.slice(-shownRows).map(row)}` : nothing}
      </tbody>
    </table>
    ${known_ === 0 ? nothing : html`<p class="hint">${text('lotsAreThere', { count: known_ })}</p>`}`
}
