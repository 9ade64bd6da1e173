import { html } from '../html.js'

/** What an unknown fragment shows. @type {import('../views.js').View<import('../views.js').Opened>} */
export const notFoundView = {
  name: '',
  open: ({ known }) => ({ load: () => known.connection.watch([]) }),
  title: ({ format }) => format.text('notFound'),
  draw: ({ format: { text } }) => html`
    <h1>${text('notFound')}</h1>
    <p>${text('notFoundHint')} <a href="#/ending">${text('toAuctions')}</a></p>`,
}
