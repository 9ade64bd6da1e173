import { orThrow } from '../../client.js'
import { html, nothing } from '../../html.js'
import { soon } from '../../requests.js'
import { keptOf } from './sale.js'

/** @import { Page } from '../../app.js' */
/** @import { Auction } from '../../client.js' */
/** @typedef {{ id: number, lot?: string | undefined }} Neighbour */

/** One page of lots. */
const pageSize = 100

/** Where an auction is in its sale: the sale, and the lots next to it. @param {Page} page @param {Auction} auction @param {AbortSignal} signal */
export function openPlace(page, { id, saleId = 0, lot = '' }, signal) {
  const { client } = page.known
  const kept = keptOf(page, saleId)
  let title = kept?.lots?.sale.title
  /** @type {readonly [Neighbour | undefined, Neighbour | undefined]} */
  let neighbours = [undefined, undefined]

  /** @param {readonly Neighbour[]} lots Those that are known, by number. Returns whether there is one after this lot. */
  function look(lots) {
    const at = lots.findIndex((each) => each.id === id)
    if (at !== -1) neighbours = [lots[at - 1], lots[at + 1]]
    return at !== -1 && at < lots.length - 1
  }

  /** Reads what the reader has not seen, because they came by a link. */
  async function read() {
    title ??= orThrow(await client.readSale(saleId, soon(signal))).data.title
    page.schedule()
    if (look(kept?.lots?.all() ?? [])) return
    /** @type {Neighbour[]} */
    let known = []
    /** @type {string | null | undefined} */
    let cursor
    do {
      const query = { limit: pageSize, cursor: cursor ?? undefined }
      const { data } = orThrow(await client.listLots(saleId, query, soon(signal)))
      known = [...known.slice(-1 - pageSize), ...data.items]
      cursor = data.nextCursor
    } while (!look(known) && cursor !== null)
  }

  const link = (/** @type {Neighbour | undefined} */ lot, /** @type {'previousLot' | 'nextLot'} */ name) =>
    lot === undefined
      ? html`<span></span>`
      : html`<a href="#/auctions/${lot.id}" aria-label=${page.format.text(name, { lot: lot.lot ?? '' })}>${name === 'previousLot' ? '‹ ' : nothing}${page.format.text('lotNumber', { lot: lot.lot ?? '' })}${name === 'nextLot' ? ' ›' : nothing}</a>`
  return {
    read,
    draw: () => html`
      ${link(neighbours[0], 'previousLot')}
      <span>${page.format.text('lotOf', { lot })} <a href="#/sales/${saleId}"><bdi>${title ?? page.format.text('sales')}</bdi></a></span>
      ${link(neighbours[1], 'nextLot')}`,
  }
}
