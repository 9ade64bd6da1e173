import { createFormat, localeOf } from './format.js'
import { nothing, render } from './html.js'
import { createKnown } from './known.js'
import { frameView } from './views/frame.js'
import { viewOf } from './views.js'

/**
 * @typedef {import('./client.js').Auction} Auction
 * @typedef {{ name: string, id: string, query: URLSearchParams }} Route What the fragment of the URL names.
 * @typedef {ReturnType<typeof createPage>} Page What is known, the view that is open, and what the views do.
 */
/**
 * @typedef {object} Options
 * @property {string} [url] Where the API is; by default where the page is.
 * @property {import('./client.js').ClientOptions['token']} [token]
 * @property {number} [user] The user to act for, if the token does not identify one.
 * @property {() => void} [signIn] Signs a user in who wants to bid, such as by another page.
 * @property {(token: string) => void} [acceptToken] Takes the token that a user has pasted; without it, the page shows no form for that.
 * @property {(title: string) => void} [onTitle] The view has another title.
 * @property {(user: number) => void} [onUser] The user chose to act for another user.
 * @property {Partial<import('./texts.js').Texts>} [texts] Texts instead of the English ones, such as `german`.
 * @property {string} [locale] That of amounts and times, such as `de-AT`; by default, the one of the browser in the language of the texts.
 */

const tickMs = 250
const betweenAnnouncementsMs = 5_000
const isHidden = () => document.visibilityState === 'hidden'

/**
 * Shows auctions in an element, following the fragment of the URL: `#/ending`, `#/auctions/3`. The page is in a shadow root, so that the
 * styles of the host do not change it.
 * @param {HTMLElement} element @param {Options} [options]
 */
export function mountPage(element, options = {}) {
  const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' })
  const container = openContainer(root)
  const page = createPage(container, options)
  const closing = new AbortController()
  const { signal } = closing
  const timer = setInterval(page.tick, tickMs)
  addEventListener('hashchange', () => page.go(), { signal })
  addEventListener('online', () => page.comeBack(true), { signal })
  document.addEventListener('visibilitychange', () => !isHidden() && page.comeBack(false), { signal })
  void page.start()
  return {
    close() {
      clearInterval(timer)
      closing.abort()
      page.close()
      root.replaceChildren()
    },
  }
}

/** Adds the style sheet, and an element that is shown when the sheet has loaded. @param {ShadowRoot} root */
function openContainer(root) {
  const sheet = document.createElement('link')
  const container = document.createElement('div')
  sheet.rel = 'stylesheet'
  sheet.href = new URL('page.css', import.meta.url).href
  container.style.visibility = 'hidden'
  sheet.onload = sheet.onerror = () => container.style.removeProperty('visibility')
  root.replaceChildren(sheet, container)
  return container
}

/** Shows a dialog as long as its view wants it. @param {HTMLDialogElement} dialog */
function showIfOpen(dialog) {
  const isWanted = dialog.dataset['open'] === 'true'
  if (isWanted && !dialog.open) dialog.showModal()
  if (!isWanted && dialog.open) dialog.close()
}

/** @param {HTMLElement} container @param {Options} options */
function createPage(container, options) {
  const { token, texts } = options
  const format = createFormat(texts, options.locale ?? localeOf(String(texts?.language ?? 'en')))
  const known = createKnown({
    url: options.url,
    token,
    user: options.user,
    onChange: schedule,
    onAuction: (auction, before) => page.opened.onAuction?.(auction, before),
    onBack: () => page.opened.refresh?.(),
  })
  let title = ''
  let isScheduled = false
  let isClosed = false

  function schedule() {
    if (isScheduled) return
    isScheduled = true
    // Not in an animation frame, because hidden tabs have none.
    queueMicrotask(() => {
      isScheduled = false
      draw()
    })
  }

  function draw() {
    if (isClosed) return
    render(frameView(page), container)
    for (const dialog of container.querySelectorAll('dialog')) showIfOpen(dialog)
    const changed = page.view.title(page, page.opened)
    if (changed !== title) options.onTitle?.(changed)
    title = changed
  }

  /** Identifies the reader. A function may return the token of another user later. @returns {Promise<void>} */
  async function identifyLater() {
    if (typeof token !== 'function') return
    const { user } = known.reader
    const bearerOf = async () => token(false)
    const bearer = await bearerOf().catch(() => undefined)
    if (isClosed) return
    if (bearer !== undefined) known.reader.identify(bearer)
    if (known.reader.user === user) schedule()
    else page.go()
  }

  const page = {
    known,
    format,
    options,
    isHidden,
    schedule,
    route: /** @type {Route} */ ({ name: '', id: '', query: new URLSearchParams() }),
    view: viewOf('', ''),
    opened: /** @type {import('./views.js').Opened} */ ({ load: () => undefined }),
    announcement: '',
    /** @type {import('./views/frame.js').Question | undefined} */
    question: undefined,
    /** The addresses that have no picture. @type {Set<string>} */
    brokenPictures: new Set(),
    announce: createAnnouncer((text) => {
      page.announcement = text
      schedule()
    }),

    /** Asks the user before something is sent, or closes the question. @param {import('./views/frame.js').Question | undefined} question */
    ask(question) {
      page.question = question
      draw()
    },

    /** Signs the user in, in the way of the host or with a token that is pasted. */
    signIn() {
      if (options.signIn !== undefined) return options.signIn()
      known.noteSignedOut()
      draw()
      container.querySelector('input')?.focus()
    },

    /** Opens the view that the fragment names. */
    go() {
      const [path = '', query] = location.hash.replace(/^#\/?/, '').split('?')
      const [name = '', id = ''] = path.split('/')
      if (path === '') return location.replace('#/ending')
      const isFirst = page.route.name === ''
      page.opened.close?.()
      page.question = undefined
      page.brokenPictures.clear()
      known.auctions.clear()
      page.route = { name, id, query: new URLSearchParams(query) }
      page.view = viewOf(name, id)
      page.opened = page.view.open(page)
      container.querySelector('details.account')?.removeAttribute('open')
      void page.opened.load()
      draw()
      // The tabs scroll on a phone.
      container.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      if (isFirst) return
      container.scrollIntoView({ block: 'nearest' })
      container.querySelector('main')?.focus({ preventScroll: true })
    },

    /** @returns {Promise<void>} */
    async start() {
      if (typeof token === 'string') known.reader.identify(token)
      page.go()
      await identifyLater()
      await known.readBidOn()
    },

    /** @param {number} user */
    actAs(user) {
      if (!Number.isSafeInteger(user) || user < 1) return
      known.reader.actAs(user)
      options.onUser?.(user)
      void known.readBidOn()
      page.go()
    },

    /** @param {boolean} isForced */
    comeBack(isForced) {
      known.connection.check(isForced)
      page.opened.refresh?.()
    },

    tick() {
      page.opened.tick?.()
      draw()
    },

    close() {
      isClosed = true
      page.opened.close?.()
      known.close()
      render(nothing, container)
    },
  }
  return page
}

/**
 * Speaks to screen readers: what the reader has done at once, else the newest text, at most every 5 seconds.
 * @param {(text: string) => void} speakNow
 */
function createAnnouncer(speakNow) {
  let waiting = ''
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer
  return (/** @type {string} */ text, isOwn = false) => {
    if (text === '') return
    waiting = text
    if (isOwn || timer === undefined) speak()
  }
  function speak() {
    clearTimeout(timer)
    timer = undefined
    if (waiting === '') return
    speakNow(waiting)
    waiting = ''
    timer = setTimeout(speak, betweenAnnouncementsMs)
  }
}
