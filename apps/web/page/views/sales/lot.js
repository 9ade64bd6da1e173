import { html } from '../../html.js'
import { isolated } from '../../times.js'

/** @import { Page } from '../../app.js' */
/** @import { Lot } from './lots.js' */

/** What a lot is called in a list. @param {Page} page @param {Lot} lot */
export const nameView = ({ format }, lot) => html`
  <span class="number">${format.text('lotNumber', { lot: lot.lot })}</span> <bdi>${lot.line.title ?? format.title(lot.auction())}</bdi>`

/** The end of a lot, as a countdown in its last hour. @param {Page} page @param {Lot} lot @param {number} nowMs */
export function whenText({ format }, lot, nowMs) {
  const auction = lot.auction()
  const endMs = Date.parse(lot.line.effectiveEndTime)
  const isNear = auction.result !== null || endMs - nowMs < nearMs
  return isNear && nowMs >= Date.parse(auction.startTime)
    ? format.timeLeft(auction, nowMs)
    : format.text('lotEnds', { time: isolated(format.moment(endMs, nowMs)) })
}

export const nearMs = 3_600_000
