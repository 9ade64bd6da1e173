import { html, nothing } from '../html.js'
import { visitor } from '../session.js'

/** @param {import('../app.js').Page} page */
export function signInView(page) {
  const { text } = page.format
  const { signIn } = page.options
  /** @param {SubmitEvent} event */
  function submit(event) {
    event.preventDefault()
    const form = /** @type {HTMLFormElement} */ (event.currentTarget)
    signIn?.(String(new FormData(form).get('token')).trim())
  }
  return html`
    <section class="panel" aria-labelledby="sign-in">
      <h1 id="sign-in">${text('signIn')}</h1>
      <p>${text(page.known.reader.session === visitor ? 'signInReason' : 'tokenRefused')}</p>
      ${
        signIn === undefined
          ? nothing
          : html`
        <form @submit=${submit}>
          <label>${text('token')} <input name="token" type="password" autocomplete="off" required></label>
          <button>${text('signIn')}</button>
        </form>
        <p class="hint">${text('signInHint')}</p>`
      }
    </section>`
}
