import { html, nothing } from '../html.js'
import { unavailableTexts } from './actions.js'

/** @import { Page } from '../app.js' */
/** @import { AuctionClientError } from '../client.js' */
/** @import { Opened, View } from '../views.js' */

/** The failure of a read, with a button that reads again. @param {Page} page @param {{ problem: AuctionClientError | undefined, load: () => unknown }} place */
export function problemView({ format }, { problem, load }) {
  if (problem === undefined) return nothing
  const name = problem.status === 0 ? 'noResponse' : unavailableTexts[problem.code]
  const text = name === undefined ? problem.message : format.text(name)
  return html`<p class="problem" role="alert">${text} <button @click=${() => void load()}>${format.text('tryAgain')}</button></p>`
}

/** What an unknown fragment shows. @type {View<Opened>} */
export const notFoundView = {
  name: '',
  open: ({ known }) => ({ load: () => known.connection.watch([]) }),
  title: ({ format }) => format.text('notFound'),
  draw: ({ format: { text } }) => html`
    <h1>${text('notFound')}</h1>
    <p>${text('notFoundHint')} <a href="#/ending">${text('toAuctions')}</a></p>`,
}
