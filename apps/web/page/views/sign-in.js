import { html, nothing } from '../html.js'

/** @param {import('../app.js').Page} page */
export function signInView(page) {
  const { canSignIn } = page
  /** @param {SubmitEvent} event */
  function submit(event) {
    event.preventDefault()
    const form = /** @type {HTMLFormElement} */ (event.currentTarget)
    canSignIn?.(String(new FormData(form).get('token')).trim())
  }
  return html`
    <section class="panel" aria-labelledby="sign-in">
      <h1 id="sign-in">Sign in</h1>
      <p>This service requires a token, and yours is missing, expired or invalid.</p>
      ${
        canSignIn === undefined
          ? nothing
          : html`
        <form @submit=${submit}>
          <label>Token <input name="token" type="password" autocomplete="off" required></label>
          <button>Sign in</button>
        </form>
        <p class="hint">This tab keeps the token, and shares it with other tabs of this page while one of them is open.</p>`
      }
    </section>`
}
