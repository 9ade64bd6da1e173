import { html, nothing } from '../html.js'
import { createList, statuses } from '../list.js'
import { cardView } from './card.js'
import { problemView } from './problem.js'

/** @typedef {import('../app.js').Page} Page */
/** @typedef {import('../list.js').List} List */

/** The lists, by their names in the URL and in the texts. */
const names = /** @type {const} */ (['ending', 'newest', 'ended', 'bids', 'selling'])

/** @type {readonly import('../views.js').View<List>[]} */
export const listViews = names.map((name) => ({
  name,
  tab: ({ format }) => format.text(name),
  open: ({ known, route }) => createList(known, route),
  title: ({ format }) => format.text(name),
  draw: (page, list) => draw(page, list, name),
}))

/** @param {Page} page @param {List} list @param {typeof names[number]} name */
function draw(page, list, name) {
  const { text } = page.format
  return html`
    <div class="heading">
      <h1>${text(name)}</h1>
      ${searchView(page)}
    </div>
    ${problemView(page, list)}
    ${list.isLoaded && list.ids.length === 0 ? html`<p>${text(`${name}Empty`)}</p>` : nothing}
    <ul class="auctions">${list.ids.map((id) => itemView(page, id))}</ul>
    ${list.nextCursor === null ? nothing : html`<button class="more" @click=${() => void list.load()}>${text('more')}</button>`}`
}

/** @param {Page} page */
function searchView({ route, format: { text } }) {
  /** @param {SubmitEvent} event */
  function submit(event) {
    event.preventDefault()
    const form = /** @type {HTMLFormElement} */ (event.currentTarget)
    const given = /** @type {[string, string][]} */ ([...new FormData(form)])
    location.hash = `#/newest?${new URLSearchParams(given)}`
  }
  const chosen = route.query.get('status') ?? ''
  return html`
    <form class="search" role="search" @submit=${submit}>
      <label>${text('words')} <input name="q" type="search" maxlength="200" .value=${route.query.get('q') ?? ''}></label>
      <label>${text('status')}
        <select name="status">
          <option value="">${text('any')}</option>
          ${statuses.map((each) => html`<option value=${each} .selected=${each === chosen}>${text(`status${each}`)}</option>`)}
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
