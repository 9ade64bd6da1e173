import { html, nothing } from '../html.js'
import { soon } from '../requests.js'
/**
 * @import { Page } from '../app.js'
 * @import { Actions } from './actions.js'
 * @typedef {object} Registration
 * @property {boolean} mayBid
 * @property {string} title Whether the user may bid, in words.
 * @property {(amount: number | undefined) => string | undefined} limitProblem Why an amount is above the limit.
 * @property {() => unknown} notesView The limit and the paddle.
 * @property {(page: Page, actions: Actions) => unknown} barredView What a user sees who may not bid.
 */

/** Reads what a register says of the user. Undefined if the page cannot know that: the service then decides. @param {Page} page @param {number} id @returns {Promise<Registration | undefined>} */
export async function readRegistration({ known, format }, id) {
  const result = await known.client.readBidder(id, known.reader.user, soon())
  if (!result.ok) return undefined
  const { mayBid, status, limit, paddle, admissionText, currency } = result.data
  const { text } = format
  const shownLimit = limit === undefined ? '' : format.money(limit, { currency })
  const title = text(mayBid ? 'admitted' : status === 'pending' ? 'admissionPending' : 'notAdmitted')
  return {
    mayBid,
    title,
    limitProblem: (amount) =>
      limit === undefined || amount === undefined || amount <= limit
        ? undefined
        : text('aboveLimit', { limit: shownLimit }),
    notesView: () =>
      limit === undefined && paddle === undefined
        ? nothing
        : html`
    <p class="registration">
      ${limit === undefined ? nothing : html`<span>${text('yourLimit', { limit: shownLimit })}</span>`}
      ${paddle === undefined ? nothing : html`<span>${text('yourPaddle', { paddle })}</span>`}
    </p>`,
    barredView: (page, actions) => html`
    <div class="barred">
      <p><strong>${title}</strong></p>
      ${admissionText === undefined ? nothing : html`<p class="description" dir="auto">${admissionText}</p>`}
      <button type="button" @click=${(/** @type {Event} */ event) => void checkAgain(page, actions, event)}>${text('checkAgain')}</button>
    </div>`,
  }
}

/** Reads it again. The focus moves to the form that may come. @param {Page} page @param {Actions} actions @param {Event} event @returns {Promise<void>} */
async function checkAgain(page, actions, { currentTarget }) {
  const bar = currentTarget instanceof Element ? currentTarget.closest('.bar') : null
  actions.outcome = undefined
  await actions.readRegistration(page)
  page.announce(actions.registration?.title ?? '', true)
  page.tick()
  if (actions.registration?.mayBid) bar?.querySelector('input')?.focus()
}
