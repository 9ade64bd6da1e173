import { html, nothing } from '../html.js'
import { loadForms } from '../on-demand.js'
import { problemView } from './problem.js'

/**
 * @import { Page } from '../app.js'
 * @import { AuctionClientError } from '../client.js'
 * @import { TextName } from '../format.js'
 * @import { Session } from '../reader.js'
 * @import { View } from '../views.js'
 * @typedef {{ draw: () => unknown, load?: () => Promise<void> }} Screen What a module of forms opens.
 * @typedef {object} OnDemand A view that few readers need. Its files are loaded when it is opened.
 * @property {string} name
 * @property {(id: string) => boolean} [takes]
 * @property {TextName} title
 * @property {(session: Session) => boolean} isFor Whether the token permits what it does.
 * @property {() => Promise<{ openScreen: (page: Page) => Screen }>} load
 * @typedef {{ problem: AuctionClientError | undefined, draw: () => unknown, load: () => Promise<void> }} Opened
 */

/** @param {OnDemand} options @returns {View<Opened>} */
const onDemand = ({ title, isFor, load, ...names }) => ({
  ...names,
  tab: ({ known, format }) => (isFor(known.reader.session) ? format.text(title) : undefined),
  title: ({ format }) => format.text(title),
  open: (page) => open(page, load),
  draw(page, opened) {
    const { text } = page.format
    if (!isFor(page.known.reader.session)) return html`<h1>${text(title)}</h1><p>${text('notPermitted')}</p>`
    return html`${problemView(page, opened)}${opened.draw()}`
  },
})

export const sellView = onDemand({
  name: 'new',
  title: 'sell',
  isFor: ({ create }) => create,
  load: () => import('./create.js'),
})

export const registersView = onDemand({
  name: 'registers',
  takes: (id) => /^([1-9]\d{0,15})?$/.test(id),
  title: 'registers',
  isFor: ({ register, readRegisters }) => register || readRegisters,
  load: () => import('./registers.js'),
})

/** @param {Page} page @param {OnDemand['load']} load */
function open(page, load) {
  const { attempt, connection } = page.known
  /** @type {Screen | undefined} */
  let screen
  /** @type {Opened} */
  const opened = {
    problem: undefined,
    draw: () => screen?.draw() ?? nothing,
    load: () =>
      attempt(opened, async () => {
        connection.watch([])
        const { openScreen } = await loadForms(page, load)
        const opening = screen ?? openScreen(page)
        await opening.load?.()
        screen = opening
      }),
  }
  return opened
}
