import { html } from '../../html.js'
import { sellingOf } from '../../selling.js'
import { aboutView, detailsView } from '../about.js'
import { cardView } from '../card.js'
/** @import { Page } from '../../app.js' */
/** @import { Auction } from '../../client.js' */

/** What buyers will see. @param {Page} page @param {Record<string, any>} draft */
export function previewView(page, draft) {
  const { text } = page.format
  const given = Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== null))
  const auction = /** @type {Auction} */ ({
    ...{
      id: 0,
      repairCount: 0,
      status: 'Pending',
      title: text('untitled'),
      leaderId: null,
      endedAt: null,
      result: null,
    },
    effectiveEndTime: draft['endTime'],
    ...sellingOf(draft).atFirst(draft),
    ...given,
  })
  return html`
    <div class="fields">
      <p class="hint">${text('previewHint')}</p>
      <div class="card">${cardView(page, auction)}</div>
      ${aboutView(page, auction)}${detailsView(page, auction)}
    </div>`
}
