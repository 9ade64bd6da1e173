import { formatOf } from '../formats.js'
import { html, nothing } from '../html.js'
import { factsOf, wordsOf } from '../pictures.js'
import { endMs, isolated, phaseOf } from '../times.js'

/** @import { Page } from '../app.js' */
/** @import { Auction } from '../client.js' */

/** @param {unknown} name @param {unknown} value */
const fact = (name, value) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`

/** What is for sale: the description, and the metadata as a table. @param {Page} page @param {Auction} auction */
export function aboutView({ format }, auction) {
  const { description } = auction
  const facts = factsOf(auction)
  if (description === undefined && facts.length === 0) return nothing
  return html`
    <section class="panel" aria-labelledby="about-title">
      <h2 id="about-title">${format.text('about')}</h2>
      ${description === undefined ? nothing : html`<p class="description" dir="auto">${description}</p>`}
      ${facts.length === 0 ? nothing : html`<dl class="facts">${facts.map(([name, value]) => fact(html`<bdi>${wordsOf(name)}</bdi>`, html`<bdi>${value}</bdi>`))}</dl>`}
    </section>`
}

/** The terms of an auction, which a few readers look for. @param {Page} page @param {Auction} auction */
export function detailsView({ format, known: { now, reader } }, auction) {
  const { text, moment, money } = format
  const nowMs = now()
  const { softClose, maximumBidIncrement, register, relistOf, offerOf: earlier = relistOf } = auction
  const isStaff = reader.session.register || reader.session.readRegisters
  const { ruleTitle, rule } = formatOf(auction)
  const phase = phaseOf(auction, nowMs)
  // No event comes at the start.
  const status = phase === 'over' ? auction.status : phase === 'soon' ? 'Pending' : 'Active'
  const duration = (/** @type {number} */ seconds) => isolated(format.duration(seconds * 1000))
  const late = softClose && {
    window: duration(softClose.windowSeconds),
    extension: duration(softClose.extensionSeconds),
  }
  return html`
    <section class="panel" aria-labelledby="details-title">
      <h2 id="details-title">${text('details')}</h2>
      <dl>
        ${fact(text('status'), text(`status${status}`))}
        ${fact(text('start'), moment(auction.startTime, nowMs))}
        ${fact(text('end'), moment(endMs(auction), nowMs))}
        ${fact(text('timeZone'), format.timeZone)}
        ${late === undefined ? nothing : fact(text('lateBids'), text('lateBidsRule', late))}
        ${fact(text('startingPrice'), money(auction.startingPrice, auction))}
        ${auction.offeredTo === undefined ? fact(text(ruleTitle), rule(format, auction)) : nothing}
        ${maximumBidIncrement === undefined ? nothing : fact(text('bidLimit'), text('abovePrice', { amount: money(maximumBidIncrement, auction) }))}
        ${fact(text('seller'), text('userNumber', { id: auction.ownerId }))}
        ${fact(text('product'), auction.productId)}
        ${isStaff && register !== undefined ? fact(text('registers'), html`<a href="#/registers/${register.id}">${register.id}</a>`) : nothing}
        ${earlier === undefined ? nothing : fact(text('earlierAuction'), html`<a href="#/auctions/${earlier}">${text('auctionNumber', { id: earlier })}</a>`)}
      </dl>
    </section>`
}
