import { AuctionClientError } from '../client.js'
import { html, nothing } from '../html.js'
import { problemView } from './problem.js'
/** @import { Page } from '../app.js' */
/** @import { View } from '../views.js' */
/** @typedef {ReturnType<typeof open>} Sell */

/** The form to sell. Most readers only buy, so its files are loaded when it is opened. @type {View<Sell>} */
export const sellView = {
  name: 'new',
  tab: ({ known, format }) => (known.reader.session.create ? format.text('sell') : undefined),
  title: ({ format }) => format.text('sell'),
  open,
  draw(page, opened) {
    const { text } = page.format
    if (!page.known.reader.session.create) return html`<h1>${text('sell')}</h1><p>${text('sellNotPermitted')}</p>`
    return html`<h1>${text('sell')}</h1>${problemView(page, opened)}${opened.draw()}`
  },
}

/** @param {Page} page */
function open(page) {
  const { attempt, connection } = page.known
  const opened = {
    problem: /** @type {AuctionClientError | undefined} */ (undefined),
    /** @returns {unknown} */
    draw: () => nothing,
    /** @returns {Promise<void>} */
    load: () =>
      attempt(opened, async () => {
        connection.watch([])
        const { createForm, formView } = await import('./create.js').catch((cause) => {
          throw new AuctionClientError({ status: 0, cause })
        })
        const form = createForm()
        opened.draw = () => formView(page, form)
      }),
  }
  return opened
}
