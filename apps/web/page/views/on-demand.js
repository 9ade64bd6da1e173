import { html, nothing } from '../html.js'
import { loadForms, salesTexts } from '../on-demand.js'
import { problemView } from './problem.js'

/**
 * @import { Page } from '../app.js'
 * @import { AuctionClientError } from '../client.js'
 * @import { TextName } from '../format.js'
 * @import { Session } from '../reader.js'
 * @import { View } from '../views.js'
 * @import { Texts } from '../texts.js'
 * @typedef {object} Screen What a module opens.
 * @property {() => unknown} draw
 * @property {() => Promise<void>} [load]
 * @property {() => string | undefined} [title] Instead of that of the view.
 * @property {() => void} [refresh]
 * @property {() => void} [tick]
 * @property {() => void} [close]
 * @typedef {object} OnDemand A view that few readers need. Its files are loaded when it is opened.
 * @property {string} name
 * @property {(id: string) => boolean} [takes]
 * @property {TextName} title
 * @property {(session: Session) => boolean} isFor Whether the token permits what it does.
 * @property {() => Promise<{ openScreen: (page: Page) => Screen }>} load
 * @property {() => Promise<Partial<Texts>>} [texts] By default, those of forms.
 * @typedef {ReturnType<typeof open>} Opened
 */

/** @param {OnDemand} options @returns {View<Opened>} */
const onDemand = ({ title, isFor, load, texts, ...names }) => ({
  ...names,
  tab: ({ known, format }) => (isFor(known.reader.session) ? format.text(title) : undefined),
  title: ({ format }, opened) => opened.title() ?? format.text(title),
  open: (page) => open(page, load, texts),
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

export const salesView = onDemand({
  name: 'sales',
  takes: (id) => /^([1-9]\d{0,15})?$/.test(id),
  title: 'sales',
  isFor: () => true,
  load: () => import('./sales.js'),
  texts: salesTexts,
})

/** @param {Page} page @param {OnDemand['load']} load @param {OnDemand['texts']} texts */
function open(page, load, texts) {
  const { attempt, connection } = page.known
  /** @type {Screen | undefined} */
  let screen
  let [isLoaded, isClosed] = [false, false]
  const opened = {
    problem: /** @type {AuctionClientError | undefined} */ (undefined),
    draw: () => (isLoaded && screen?.draw()) || nothing,
    title: () => (isLoaded ? screen?.title?.() : undefined),
    refresh: () => screen?.refresh?.(),
    tick: () => screen?.tick?.(),
    /** @returns {Promise<void>} */
    load: () =>
      attempt(opened, async () => {
        connection.watch([])
        const { openScreen } = await loadForms(page, load, texts)
        if (isClosed) return
        screen ??= openScreen(page)
        await screen.load?.()
        isLoaded = true
      }),
    close() {
      isClosed = true
      screen?.close?.()
    },
  }
  return opened
}
