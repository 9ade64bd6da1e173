import { html, nothing } from '../../html.js'
import { isolated } from '../../times.js'

/** @import { Page } from '../../app.js' */
/** @import { Lots } from './lots.js' */

/** What a sale is, and what came of it so far. @param {Page} page @param {Lots} lots */
export function headView(page, { sale, extensions, counts, isReady }) {
  const { format, known } = page
  const { text } = format
  const { id, title } = sale
  const isStaff = known.reader.session.manageSales
  const isOver = isReady && counts().lots > 0 && counts().open === 0
  const isManaging = page.route.query.has('manage')
  return html`
    <p class="links"><a href="#/sales">${text('sales')}</a>
      ${isStaff && !isManaging ? html`<a href="#/sales/${id}?manage">${text('manageSale')}</a>` : nothing}</p>
    <h1><bdi>${title}</bdi></h1>
    <div class="sale-state">
      <p><strong>${statusText(page, sale, counts())}</strong> <span class="hint">${isOver ? nothing : rhythmText(page, sale, extensions)}</span></p>
      ${extensions.map(({ seconds, reason }) => html`<p class="extended">${text('saleExtended', { time: isolated(format.duration(seconds * 1000)), reason })}</p>`)}
      ${isReady ? resultsView(page, sale, counts()) : nothing}
    </div>`
}

/** @param {Page} page @param {Lots['sale']} sale @param {ReturnType<Lots['counts']>} counts */
function statusText({ format, known }, { startTime }, { lots, open }) {
  const toStartMs = Date.parse(startTime) - known.now()
  if (toStartMs > 0) return format.text('saleStarts', { time: isolated(format.duration(toStartMs)) })
  if (lots === 0) return ''
  return open === 0 ? format.text('saleEnded') : format.text('saleOpen', { count: open, lots: format.integer(lots) })
}

/** When lots end. @param {Page} page @param {Lots['sale']} sale @param {Lots['extensions']} extensions */
function rhythmText({ format, known }, { firstEndTime, intervalSeconds, lotsPerInterval }, extensions) {
  const extendedSeconds = extensions.reduce((sum, { seconds }) => sum + seconds, 0)
  const endMs = Date.parse(firstEndTime) + extendedSeconds * 1000
  return format.text('saleRhythm', {
    end: isolated(format.moment(endMs, known.now())),
    lots: format.text('lotsCount', { count: lotsPerInterval }),
    time: isolated(format.duration(intervalSeconds * 1000)),
  })
}

/** @param {Page} page @param {Lots['sale']} sale @param {ReturnType<Lots['counts']>} counts */
function resultsView({ format: { text, money } }, sale, { lots, open, sold, unsold, cancelled, total }) {
  if (open === lots) return nothing
  const parts = [
    sold === 0 ? '' : text('lotsSold', { count: sold }),
    unsold === 0 ? '' : text('lotsUnsold', { count: unsold }),
    cancelled === 0 ? '' : text('lotsCancelled', { count: cancelled }),
    sold === 0 ? '' : text('lotsTotal', { price: money(total, sale) }),
  ]
  return html`<p>${text('saleResults')}: ${parts.filter((part) => part !== '').join(' · ')}</p>`
}
