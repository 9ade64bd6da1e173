import { html, nothing } from '../html.js'
import { createList, statuses } from '../list.js'
import { cardView } from './card.js'
import { problemView } from './problem.js'

/** @import { Page } from '../app.js' */
/** @import { List } from '../list.js' */
/** @import { View } from '../views.js' */

/** The lists, by their names in the URL and in the texts. */
const names = /** @type {const} */ (['ending', 'upcoming', 'newest', 'ended', 'bids', 'selling'])
/** What visitors have none of. */
const own = new Set(['bids', 'selling'])

/** @type {readonly View<List>[]} */
export const listViews = names.map((name) => ({
  name,
  tab: ({ known, format }) => (own.has(name) && known.reader.isVisitor() ? undefined : format.text(name)),
  open: ({ known, route }) => createList(known, route),
  title: ({ format }) => format.text(name),
  draw: (page, list) => draw(page, list, name),
}))

/** @param {Page} page @param {List} list @param {typeof names[number]} name */
function draw(page, list, name) {
  const { text } = page.format
  const search = searchOf(page)
  const isEmpty = list.isLoaded && list.ids.length === 0
  return html`
    <div class="heading">
      <h1>${text(name)}</h1>
      ${searchView(page, search)}
    </div>
    ${search.isSearch ? foundView(page, list, search) : nothing}
    ${problemView(page, list)}
    ${isEmpty && !search.isSearch ? html`<p class="empty">${text(`${name}Empty`)}</p>` : nothing}
    <ul class="auctions">${list.ids.map((id) => itemView(page, id))}</ul>
    ${list.nextCursor === null ? nothing : html`<button class="next" @click=${() => void list.load()}>${text('more')}</button>`}`
}

/** What the reader looks for. @param {Page} page */
function searchOf({ route: { query } }) {
  const words = query.get('q')?.trim() ?? ''
  const status = statuses.find((each) => each === query.get('status'))
  return { words, status, isSearch: words !== '' || status !== undefined }
}

/** @typedef {ReturnType<typeof searchOf>} Search */

/** What the page looked for, how many it found, and how to clear it. @param {Page} page @param {List} list @param {Search} search */
function foundView({ format: { text } }, list, { words, status }) {
  const of = status === undefined ? '' : text(`status${status}`)
  const name = words === '' ? 'foundStatus' : status === undefined ? 'foundWords' : 'foundBoth'
  const count = list.ids.length
  const total = list.nextCursor === null ? 'foundCount' : 'foundMore'
  return html`
    <div class="found" role="status">
      <p>${text(name, { words, status: of })} ${list.isLoaded ? html`<strong>${text(total, { count })}</strong>` : nothing}
        <a href="#/newest">${text('clearSearch')}</a></p>
      ${words === '' ? nothing : html`<p class="hint">${text('wholeWords')}</p>`}
    </div>`
}

/** @param {Page} page @param {Search} search */
function searchView({ format: { text } }, { words, status }) {
  /** @param {SubmitEvent} event */
  function submit(event) {
    event.preventDefault()
    const form = /** @type {HTMLFormElement} */ (event.currentTarget)
    const given = /** @type {[string, string][]} */ ([...new FormData(form)])
    location.hash = `#/newest?${new URLSearchParams(given.filter(([, value]) => value !== ''))}`
  }
  return html`
    <form class="search" role="search" @submit=${submit}>
      <label>${text('words')} <input name="q" type="search" maxlength="200" .value=${words}></label>
      <label>${text('status')}
        <select name="status">
          <option value="">${text('any')}</option>
          ${statuses.map((each) => html`<option value=${each} .selected=${each === status}>${text(`status${each}`)}</option>`)}
        </select>
      </label>
      <button>${text('search')}</button>
    </form>`
}

/** @param {Page} page @param {number} id */
function itemView(page, id) {
  const auction = page.known.auctions.get(id)
  if (auction === undefined) return nothing
  return html`<li class="card">${cardView(page, auction, `#/auctions/${id}`)}</li>`
}
