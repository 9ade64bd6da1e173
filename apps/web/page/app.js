import { createFormat, localeOf } from './format.js'
import { nothing, render } from './html.js'
import { createKnown } from './known.js'
import { frameView } from './views/frame.js'
import { viewOf } from './views.js'

/**
 * @import { ClientOptions } from './client.js'
 * @import { Texts } from './texts.js'
 * @import { Opened } from './views.js'
 * @import { Question } from './views/frame.js'
 * @typedef {{ name: string, id: string, query: URLSearchParams }} Route What the fragment of the URL names.
 * @typedef {ReturnType<typeof createPage>} Page
 */
/**
 * @typedef {object} Options
 * @property {string} [url] Where the API is; by default where the page is.
 * @property {ClientOptions['token']} [token]
 * @property {number} [user] The user to act for, if the token does not identify one.
 * @property {() => void} [signIn] Signs a user in who wants to bid, such as by another page.
 * @property {(token: string) => void} [acceptToken] Takes the token that a user has pasted; without it, the page shows no form for that.
 * @property {(title: string) => void} [onTitle] The view has another title.
 * @property {(user: number) => void} [onUser] The user chose to act for another user.
 * @property {Partial<Texts>} [texts] Texts instead of the English ones, such as `german`.
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
  addEventListener('online', () => comeBack(page, true), { signal })
  document.addEventListener('visibilitychange', () => !isHidden() && comeBack(page, false), { signal })
  void start(page)
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

/**
 * What is known, the view that is open, and what the views do.
 * @param {HTMLElement} container @param {Options} options
 */
function createPage(container, options) {
  const { texts, url, token, user } = options
  const format = createFormat(texts, options.locale ?? localeOf(String(texts?.language ?? 'en')))
  const screen = createScreen(container, options.onTitle)
  const schedule = once(() => screen.draw(page))
  const known = createKnown({
    ...{ url, token, user, onChange: schedule },
    onAuction: (auction, before) => page.opened.onAuction?.(auction, before),
    onBack: () => page.opened.refresh?.(),
  })
  const page = {
    ...{ known, format, options, isHidden, schedule, isClosed: false, announcement: '' },
    ...viewIn({ name: '', id: '', query: new URLSearchParams() }),
    announce: createAnnouncer((text) => {
      page.announcement = text
      schedule()
    }),
    /** Asks the user before something is sent, or closes the question. @param {Question | undefined} question */
    ask(question) {
      page.question = question
      screen.draw(page)
    },
    /** Signs the user in, in the way of the host or with a token that is pasted. */
    signIn() {
      if (options.signIn !== undefined) return options.signIn()
      known.noteSignedOut()
      screen.draw(page)
      screen.focusInput()
    },
    /** Opens the view that the fragment names. */
    go() {
      const route = routeIn(location.hash)
      if (route === undefined) return location.replace('#/ending')
      const isFirst = page.route.name === ''
      page.opened.close?.()
      known.auctions.clear()
      Object.assign(page, viewIn(route))
      page.opened = page.view.open(page)
      void page.opened.load()
      screen.draw(page)
      screen.show(isFirst)
    },
    /** @param {number} chosen */
    actAs(chosen) {
      if (!Number.isSafeInteger(chosen) || chosen < 1) return
      known.reader.actAs(chosen)
      options.onUser?.(chosen)
      void known.readBidOn()
      page.go()
    },
    tick() {
      page.opened.tick?.()
      screen.draw(page)
    },
    close() {
      page.isClosed = true
      page.opened.close?.()
      known.close()
      render(nothing, container)
    },
  }
  return page
}

/** What a fragment names; undefined if it is empty. @param {string} hash @returns {Route | undefined} */
function routeIn(hash) {
  const [path = '', query] = hash.replace(/^#\/?/, '').split('?')
  const [name = '', id = ''] = path.split('/')
  return path === '' ? undefined : { name, id, query: new URLSearchParams(query) }
}

/** A view before it opens, without what belonged to another. @param {Route} route */
const viewIn = (route) => ({
  route,
  view: viewOf(route.name, route.id),
  opened: /** @type {Opened} */ ({ load: () => undefined }),
  question: /** @type {Question | undefined} */ (undefined),
  /** The addresses that have no picture. @type {Set<string>} */
  brokenPictures: new Set(),
})

/** Identifies the reader, and opens the first view. @param {Page} page @returns {Promise<void>} */
async function start(page) {
  const { reader, readBidOn } = page.known
  const { token } = page.options
  if (typeof token === 'string') reader.identify(token)
  page.go()
  if (typeof token === 'function') await identifyLater(page, async () => token(false))
  await readBidOn()
}

/** A function may return the token of another user later. @param {Page} page @param {() => Promise<string | undefined>} tokenOf */
async function identifyLater(page, tokenOf) {
  const { reader } = page.known
  const { user } = reader
  const bearer = await tokenOf().catch(() => undefined)
  if (page.isClosed) return
  if (bearer !== undefined) reader.identify(bearer)
  if (reader.user === user) page.schedule()
  else page.go()
}

/** @param {Page} page @param {boolean} isForced Whether the connection was lost for sure. */
function comeBack({ known, opened }, isForced) {
  known.connection.check(isForced)
  opened.refresh?.()
}

/** Calls a function once for all calls of a moment. @param {() => void} call */
function once(call) {
  let isWaiting = false
  return () => {
    if (isWaiting) return
    isWaiting = true
    // Not in an animation frame, because hidden tabs have none.
    queueMicrotask(() => {
      isWaiting = false
      call()
    })
  }
}

/** The elements of a page. @param {HTMLElement} container @param {Options['onTitle']} onTitle */
function createScreen(container, onTitle) {
  let title = ''
  /** @param {string} selector @returns {HTMLElement | null} */
  const find = (selector) => container.querySelector(selector)
  return {
    /** @param {Page} page @returns {void} */
    draw(page) {
      if (page.isClosed) return
      render(frameView(page), container)
      for (const dialog of container.querySelectorAll('dialog')) showIfOpen(dialog)
      const changed = page.view.title(page, page.opened)
      if (changed !== title) onTitle?.(changed)
      title = changed
    },
    focusInput: () => find('input')?.focus(),
    /** Shows the top of a view that has opened. @param {boolean} isFirst Whether the document has just been loaded. */
    show(isFirst) {
      find('details.account')?.removeAttribute('open')
      // The tabs scroll on a phone.
      find('nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      if (isFirst) return
      container.scrollIntoView({ block: 'nearest' })
      find('main')?.focus({ preventScroll: true })
    },
  }
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
