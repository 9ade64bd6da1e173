import { html, nothing } from '../html.js'
import { endMs, isolated, phaseOf } from '../times.js'

/** @typedef {import('../app.js').Page} Page */
/** @typedef {import('../app.js').Auction} Auction */

/** @param {Page} page @param {Auction} auction */
export function aboutView({ format, known }, auction) {
  const { text, moment, money } = format
  const nowMs = known.now()
  const { softClose, description, maximumBidIncrement } = auction
  const phase = phaseOf(auction, nowMs)
  // No event comes at the start.
  const status = phase === 'over' ? auction.status : phase === 'soon' ? 'Pending' : 'Active'
  /** @param {string} name @param {unknown} value */
  const fact = (name, value) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`
  const duration = (/** @type {number} */ seconds) => isolated(format.duration(seconds * 1000))
  return html`
    <section class="panel" aria-labelledby="about-title">
      <h2 id="about-title">${text('about')}</h2>
      ${description === undefined ? nothing : html`<p class="description" dir="auto">${description}</p>`}
      <dl>
        ${fact(text('status'), text(`status${status}`))}
        ${fact(text('start'), moment(auction.startTime, nowMs))}
        ${fact(text('end'), moment(endMs(auction), nowMs))}
        ${fact(text('timeZone'), format.timeZone)}
        ${fact(text('startingPrice'), money(auction.startingPrice, auction))}
        ${
          maximumBidIncrement === undefined
            ? nothing
            : fact(text('bidLimit'), text('abovePrice', { amount: money(maximumBidIncrement, auction) }))
        }
        ${fact(text('seller'), text('userNumber', { id: auction.ownerId }))}
        ${fact(text('product'), auction.productId)}
        ${
          softClose === undefined
            ? nothing
            : fact(
                text('lateBids'),
                text('lateBidsRule', {
                  window: duration(softClose.windowSeconds),
                  extension: duration(softClose.extensionSeconds),
                }),
              )
        }
      </dl>
    </section>`
}
