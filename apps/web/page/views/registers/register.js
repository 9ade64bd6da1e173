import { orThrow } from '../../client.js'
import { html, nothing } from '../../html.js'
import { soon } from '../../requests.js'

/**
 * @import { Page } from '../../app.js'
 * @import { Data } from '../../client.js'
 * @import { TextName } from '../../format.js'
 * @import { Screen } from '../on-demand.js'
 * @typedef {Data<'readRegister'>} Register
 * @typedef {Data<'listBidders'>['items'][number]} Bidder
 */

const statuses = /** @type {const} */ (['admitted', 'pending', 'refused'])

/** What the page calls the status of a bidder. @type {Record<string, TextName>} */
export const statusTexts = {
  admitted: 'bidderAdmitted',
  pending: 'bidderPending',
  refused: 'bidderRefused',
  none: 'bidderUnlisted',
}

/** One register: its bidders, by what the reader looks for. @param {Page} page @param {number} id @returns {Screen} */
export function openRegister(page, id) {
  const { client } = page.known
  const { query } = page.route
  const find = query.get('find')?.trim() ?? ''
  const status = statuses.find((each) => each === query.get('status'))
  /** @type {Register | undefined} */
  let register
  /** @type {readonly Bidder[]} */
  let items = []
  /** @type {string | null | undefined} */
  let cursor

  /** Reads the bidder with a paddle, and the one with a user id. @returns {Promise<{ items: readonly Bidder[], nextCursor: string | null }>} */
  async function readFound() {
    const [byPaddle, byId] = await Promise.all([
      client.listBidders(id, { paddle: find, status }, soon()),
      isId(find) ? client.readBidder(id, Number(find), soon()) : undefined,
    ])
    const found = orThrow(byPaddle).data.items
    const entry = byId && orThrow(byId).data
    const isNew = entry !== undefined && entry.status !== 'none' && !found.some((b) => b.bidderId === entry.bidderId)
    const isShown = isNew && (status === undefined || entry.status === status)
    // The cast: the status is one of a list.
    return { items: isShown ? [...found, /** @type {Bidder} */ (entry)] : found, nextCursor: null }
  }
  const readPage = async () =>
    orThrow(await client.listBidders(id, { limit: 50, cursor: cursor ?? undefined, status }, soon())).data

  return {
    async load() {
      const [read, part] = await Promise.all([
        client.readRegister(id, soon()).then(orThrow),
        find === '' ? readPage() : readFound(),
      ])
      register = read.data
      items = [...items, ...part.items]
      cursor = part.nextCursor
    },
    draw() {
      const { text } = page.format
      if (register === undefined) return html`<h1>${text('registerNumber', { id })}</h1>`
      const more = () => void page.opened.load()
      return html`
        <p><a href="#/registers">${text('registers')}</a></p>
        <h1><bdi>${register.title ?? text('registerNumber', { id })}</bdi></h1>
        ${factsView(page, register)}
        <section class="panel" aria-labelledby="bidders-title">
          <div class="heading">
            <h2 id="bidders-title">${text('bidders')}</h2>
            ${searchView(page, id, find, status)}
          </div>
          ${biddersView(page, register, items)}
          ${cursor ? html`<button class="next" @click=${more}>${text('more')}</button>` : nothing}
          ${page.known.reader.session.register ? addView(page, id, find, items) : nothing}
        </section>`
    },
  }
}

/** @param {string} text */
const isId = (text) => /^[1-9]\d{0,15}$/.test(text)

/** @param {Page} page @param {Register} register */
function factsView({ format: { text } }, { id, currency, admits, claims, metadata, counts }) {
  const fact = (/** @type {unknown} */ name, /** @type {unknown} */ value) =>
    html`<div><dt>${name}</dt><dd>${value}</dd></div>`
  return html`
    <section class="panel" aria-label=${text('details')}>
      <dl class="facts">
        ${fact(text('registerId'), id)}
        ${fact(text('fieldCurrency'), currency)}
        ${fact(text('admits'), `${text(admits === 'listed' ? 'admitsListed' : 'admitsEveryone')}${claims ? `; ${text('claimsToo')}` : ''}`)}
        ${metadata?.['admissionText'] === undefined ? nothing : fact(text('admissionText'), html`<span class="description" dir="auto">${metadata['admissionText']}</span>`)}
        ${fact(text('bidders'), text('bidderCounts', counts))}
      </dl>
    </section>`
}

/** @param {Page} page @param {number} id @param {string} find @param {typeof statuses[number] | undefined} status */
function searchView({ format: { text } }, id, find, status) {
  /** @param {SubmitEvent} event */
  function submit(event) {
    event.preventDefault()
    const form = /** @type {HTMLFormElement} */ (event.currentTarget)
    const given = /** @type {[string, string][]} */ ([...new FormData(form)])
    location.hash = `#/registers/${id}?${new URLSearchParams(given.filter(([, value]) => value !== ''))}`
  }
  return html`
    <form class="search" role="search" @submit=${submit}>
      <label>${text('findBidder')} <input name="find" type="search" maxlength="20" .value=${find}></label>
      <label>${text('status')}
        <select name="status">
          <option value="">${text('any')}</option>
          ${statuses.map((each) => html`<option value=${each} .selected=${each === status}>${text(statusTexts[each] ?? 'any')}</option>`)}
        </select>
      </label>
      <button>${text('search')}</button>
    </form>`
}

/** @param {Page} page @param {Register} register @param {readonly Bidder[]} items */
function biddersView({ format: { text, money } }, { id, currency }, items) {
  if (items.length === 0) return html`<p role="status">${text('biddersEmpty')}</p>`
  return html`
    <div class="wide"><table class="bidders">
      <thead><tr><th scope="col">${text('bidder')}</th><th scope="col">${text('status')}</th><th scope="col">${text('limit')}</th><th scope="col">${text('paddleField')}</th></tr></thead>
      <tbody>${items.map(
        ({ bidderId, status, limit, paddle }) => html`
        <tr>
          <td><a href="#/registers/${id}?bidder=${bidderId}">${text('userNumber', { id: bidderId })}</a></td>
          <td data-status=${status}>${text(statusTexts[status] ?? 'any')}</td>
          <td>${limit === undefined ? '' : money(limit, { currency })}</td>
          <td>${paddle ?? ''}</td>
        </tr>`,
      )}</tbody>
    </table></div>`
}

/** How bidders are added: one by their user id, or many from a file. @param {Page} page @param {number} id @param {string} find @param {readonly Bidder[]} items */
function addView({ format: { text } }, id, find, items) {
  const isNew = isId(find) && !items.some(({ bidderId }) => bidderId === Number(find))
  return html`
    <p class="links">
      ${
        isNew
          ? html`<a href="#/registers/${id}?bidder=${find}">${text('addUser', { id: find })}</a>`
          : html`<span class="hint">${text('addBidderHint')}</span>`
      }
      <a href="#/registers/${id}?import">${text('importCsv')}</a></p>`
}
