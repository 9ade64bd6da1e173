import { html, nothing } from '../html.js'
import { views } from '../views.js'
/**
 * @import { Page } from '../app.js'
 * @import { View } from '../views.js'
 * @typedef {object} Question What the reader confirms before it is sent.
 * @property {string} title
 * @property {() => unknown} text
 * @property {string} yes
 * @property {boolean} [isDangerous]
 * @property {() => void} send
 */

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
      ${questionView(page)}
      <p class="spoken" role="status">${page.announcement}</p>
    </div>`
}

/** @param {Page} page @param {View<any>} view */
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

/** The question that is open, in a dialog, so that nothing else is clicked meanwhile. @param {Page} page */
function questionView(page) {
  const { question } = page
  const close = () => page.ask(undefined)
  return html`
    <dialog class="question" data-open=${question !== undefined} aria-labelledby="question" @close=${close}>
      ${question === undefined ? nothing : boxView(page, question, close)}
    </dialog>`
}

/** @param {Page} page @param {Question} question @param {() => void} close */
function boxView({ format }, { title, text, yes, isDangerous = false, send }, close) {
  /** @param {MouseEvent} event */
  function confirm({ detail }) {
    // The second click of two confirms nothing.
    if (detail > 1) return
    close()
    send()
  }
  return html`
    <h2 id="question">${title}</h2>
    <p>${text()}</p>
    <div class="moves">
      <button @click=${close}>${format.text('no')}</button>
      <button class=${isDangerous ? 'danger' : 'main'} @click=${confirm}>${yes}</button>
    </div>`
}

/** @param {Page} page */
function signInView(page) {
  const { text } = page.format
  const { signIn, acceptToken } = page.options
  /** @param {SubmitEvent} event */
  function submit(event) {
    event.preventDefault()
    const form = /** @type {HTMLFormElement} */ (event.currentTarget)
    acceptToken?.(String(new FormData(form).get('token')).trim())
  }
  return html`
    <section class="panel" aria-labelledby="sign-in">
      <h1 id="sign-in">${text('signIn')}</h1>
      <p>${text(page.known.reader.isVisitor() ? 'signInReason' : 'tokenRefused')}</p>
      ${
        acceptToken === undefined
          ? signIn === undefined
            ? nothing
            : html`<button class="main" @click=${page.signIn}>${text('signIn')}</button>`
          : html`
        <form @submit=${submit}>
          <label>${text('token')} <input name="token" type="password" autocomplete="off" required></label>
          <button>${text('signIn')}</button>
        </form>
        <p class="hint">${text('signInHint')}</p>`
      }
    </section>`
}
