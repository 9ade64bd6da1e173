import { html, nothing } from '../html.js'
import { views } from '../views.js'
import { signInView } from './sign-in.js'

/** @typedef {import('../app.js').Page} Page */

/** The navigation, and the view that is open. @param {Page} page */
export function frameView(page) {
  const { text, language } = page.format
  const { connection, auctions, reader } = page.known
  const isStale = connection.isStale()
  const hasNothing = reader.isSignedOut && auctions.isEmpty()
  return html`
    <div class="page" lang=${language} ?data-stale=${isStale}>
      <header>
        <nav aria-label=${text('pages')}><ul>${views.map((view) => tabView(page, view))}</ul></nav>
        ${accountView(page)}
      </header>
      <main tabindex="-1">
        ${isStale && connection.isReconnecting() ? html`<p class="notice">${text('connectionLost')}</p>` : nothing}
        ${reader.isSignedOut ? signInView(page) : nothing}${hasNothing ? nothing : page.view.draw(page, page.opened)}
      </main>
      <p class="spoken" role="status">${page.announcement}</p>
    </div>`
}

/** @param {Page} page @param {import('../views.js').View<any>} view */
function tabView(page, { name, tab }) {
  const title = tab?.(page)
  if (title === undefined) return nothing
  return html`<li><a href="#/${name}" aria-current=${page.route.name === name ? 'page' : nothing}>${title}</a></li>`
}

/** The user that the page acts for. @param {Page} page */
function accountView(page) {
  const { session, user } = page.known.reader
  const { text } = page.format
  const name = text('userNumber', { id: user })
  if (session.user !== undefined) return html`<p class="account">${name}</p>`
  if (!session.bid && !session.create && !session.cancel) return nothing
  const change = (/** @type {Event & { currentTarget: HTMLInputElement }} */ { currentTarget }) =>
    currentTarget.reportValidity() && page.actAs(currentTarget.valueAsNumber)
  const close = (/** @type {KeyboardEvent & { currentTarget: HTMLElement }} */ { key, currentTarget }) =>
    key === 'Escape' && currentTarget.removeAttribute('open')
  return html`
    <details class="account" @keydown=${close}>
      <summary aria-label="${text('account')}: ${name}">${name}</summary>
      <label class="popup">${text('actAs')}
        <input type="number" min="1" step="1" required .value=${String(user)} @change=${change}></label>
    </details>`
}
