import { html, nothing } from '../html.js'
import { visitor } from '../session.js'

/** @param {import('../app.js').Page} page */
export function signInView(page) {
  const {
    canSignIn,
    format,
    state: { session },
  } = page
  const { text } = format
  /** @param {SubmitEvent} event */
  function submit(event) {
    event.preventDefault()
    const form = /** @type {HTMLFormElement} */ (event.currentTarget)
    canSignIn?.(String(new FormData(form).get('token')).trim())
  }
  return html`
    <section class="panel" aria-labelledby="sign-in">
      <h1 id="sign-in">${text('signIn')}</h1>
      <p>${text(session === visitor ? 'signInReason' : 'tokenRefused')}</p>
      ${
        canSignIn === undefined
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
