import { AuctionClientError, orThrow } from './client.js'
import { createFormat, localeOf } from './format.js'
import { html, nothing, render } from './html.js'
import { createLive } from './live.js'
import { createNewest } from './newest.js'
import { baseOf, createPageClient, soon } from './requests.js'
import { sessionOf, visitor } from './session.js'
import { auctionView, openAuction } from './views/auction.js'
import { auctionsView, lists, openList } from './views/auctions.js'
import { createView, openForm } from './views/create.js'
import { signInView } from './views/sign-in.js'

/**
 * @typedef {import('./client.js').Auction} Auction
 * @typedef {object} State What the views show.
 * @property {import('./session.js').Session} session
 * @property {number} user The user that the page acts for.
 * @property {boolean} isSignedOut Whether the token is missing, expired or invalid.
 * @property {{ name: string, id: number, query: URLSearchParams }} route
 * @property {ReturnType<typeof openList>} list
 * @property {ReturnType<typeof openAuction>} detail
 * @property {ReturnType<typeof openForm>} form
 * @property {string} announcement
 *
 * @typedef {object} Page The state, and what the views do with it.
 * @property {State} state
 * @property {import('./client.js').AuctionClient} client
 * @property {import('./format.js').Format} format Texts, amounts and times in the language of the reader.
 * @property {ReturnType<typeof createNewest>} auctions Those that the view shows.
 * @property {Map<number, number>} pseudonyms The user's own, by auction.
 * @property {Set<number>} bidOn The auctions of the user's newest bids.
 * @property {Options['signIn']} canSignIn
 * @property {() => number} now The time of the server.
 * @property {(id: number, signal?: AbortSignal) => Promise<string | undefined>} readAuction Reads the state of an auction. Returns its entity tag.
 * @property {(query: import('./client.js').Query<'listAuctions'>) => Promise<import('./views/auctions.js').Found>} readAuctions Reads a page of auctions.
 * @property {(query: import('./client.js').Query<'listBidsOfBidder'>) => Promise<import('./client.js').Data<'listBidsOfBidder'>>} readBids
 *   Reads a page of the bids of a bidder.
 * @property {() => void} schedule Renders soon.
 * @property {(text: string, isOwn?: boolean) => void} announce Speaks to screen readers, at once of what the user has done.
 * @property {(auctionId: number) => (id: number | null) => boolean} isSelf Whether a bidder is the user, by id or pseudonym.
 * @property {() => void} load Reads what the view shows.
 * @property {(ids: readonly number[]) => void} watch
 * @property {(place: { problem: string }, step: () => Promise<void>) => Promise<void>} attempt Shows the failure of a step.
 * @property {(user: number) => void} actAs
 * @property {() => boolean} isStale Whether what is shown may be old.
 * @property {() => boolean} isReconnecting
 */
/**
 * @typedef {object} Options
 * @property {string} [url] Where the API is; by default where the page is.
 * @property {import('./client.js').ClientOptions['token']} [token]
 * @property {number} [user] The user to act for, if the token does not identify one.
 * @property {(token: string) => void} [signIn] Takes the token that a user has pasted; without it, the page shows no form for that.
 * @property {(title: string) => void} [onTitle] The view has another title.
 * @property {(user: number) => void} [onUser] The user chose to act for another user.
 * @property {Partial<import('./texts.js').Texts>} [texts] Texts instead of the English ones, such as `german`.
 * @property {string} [locale] That of amounts and times, such as `de-AT`; by default, the one of the browser in the language of the texts.
 */

const tickMs = 250
/** Shorter losses of the connection are not worth a warning. */
const lostMs = 1_500
const betweenAnnouncementsMs = 5_000

/** Shows auctions in an element, following the fragment of the URL: `#/ending`, `#/auctions/3`. @param {HTMLElement} element @param {Options} [options] */
export function mountPage(element, options = {}) {
  const page = createPage(element, options)
  const goThere = () => page.go()
  const comeBack = () => document.visibilityState === 'visible' && page.comeBack(false)
  const reconnect = () => page.comeBack(true)
  const timer = setInterval(page.tick, tickMs)
  addEventListener('hashchange', goThere)
  addEventListener('online', reconnect)
  document.addEventListener('visibilitychange', comeBack)
  void page.start()
  return {
    close() {
      clearInterval(timer)
      removeEventListener('hashchange', goThere)
      removeEventListener('online', reconnect)
      document.removeEventListener('visibilitychange', comeBack)
      page.close()
    },
  }
}

/** @param {HTMLElement} element @param {Options} options */
function createPage(element, options) {
  const { texts, token } = options
  const base = baseOf(options.url)
  const client = createPageClient({ base, token })
  const format = createFormat(texts, options.locale ?? localeOf(String(texts?.language ?? 'en')))
  const auctions = createNewest(onChange)
  /** The bidder's own pseudonym in an auction. @type {Map<number, number>} */
  const pseudonyms = new Map()
  /** @type {Set<number>} */
  const bidOn = new Set()
  /** @type {number | undefined} */
  let lostAtMs
  /** Whether the service has refused the stream, so that nothing reconnects. */
  let isRefused = false
  let title = ''
  let isScheduled = false
  let isClosed = false

  /** @type {State} */
  const state = {
    session: visitor,
    user: options.user ?? 1,
    isSignedOut: false,
    route: { name: '', id: 0, query: new URLSearchParams() },
    list: openList(''),
    detail: openAuction(0),
    form: openForm(),
    announcement: '',
  }

  const live = createLive(client, {
    scope: `${base} ${typeof token === 'string' ? token : 'host'}`,
    onAuction: ({ now, sequence, auction }) => auctions.noteEvent(auction, sequence, Date.parse(now)),
    onState(changed) {
      const wasLost = lostAtMs !== undefined
      lostAtMs = changed === 'live' || changed === 'over' ? undefined : (lostAtMs ?? performance.now())
      if (wasLost && lostAtMs === undefined) state.detail.refresh(page)
      schedule()
    },
    onRefused() {
      isRefused = true
      state.isSignedOut = true
      schedule()
    },
  })

  /** @param {Auction} auction @param {Auction | undefined} before */
  function onChange(auction, before) {
    learnPseudonym(auction, before)
    if (auction.id === state.detail.id) state.detail.onChange(page, auction, before)
    schedule()
  }

  /** The public state has a pseudonym where the user's own read has the id. @param {Auction} auction @param {Auction | undefined} known */
  function learnPseudonym(auction, known) {
    if (known?.leaderId == null || auction.leaderId == null || known.bidCount !== auction.bidCount) return
    const shown = [known.leaderId, auction.leaderId]
    const pseudonym = Math.min(...shown)
    if (pseudonym < 0 && shown.includes(state.user)) pseudonyms.set(auction.id, pseudonym)
  }

  /** @param {string} bearer */
  function identify(bearer) {
    state.session = sessionOf(bearer)
    state.user = state.session.user ?? state.user
  }

  /** Lists show where the user was outbid. Without the right to read these bids, only those of this tab are known. */
  async function readOwnBids() {
    bidOn.clear()
    if (!state.session.bid) return
    await readBids({ bidderId: state.user, limit: 100 }).catch(() => undefined)
    schedule()
  }

  /** Reads bids of a bidder, and notes their auctions if they are the user's. @param {import('./client.js').Query<'listBidsOfBidder'>} query */
  async function readBids(query) {
    const { data } = orThrow(await client.listBidsOfBidder(query, soon()))
    for (const { auctionId, withdrawn } of data.items)
      if (!withdrawn && query.bidderId === state.user) bidOn.add(auctionId)
    return data
  }

  function schedule() {
    if (isScheduled) return
    isScheduled = true
    // Not in an animation frame, because hidden tabs have none.
    queueMicrotask(() => {
      isScheduled = false
      page.render()
    })
  }

  const page = {
    client,
    state,
    auctions,
    pseudonyms,
    bidOn,
    readBids,
    format,
    schedule,
    canSignIn: options.signIn,
    now: client.now,
    announce: createAnnouncer(state, schedule),

    /** @param {number} id @param {AbortSignal} [signal] */
    async readAuction(id, signal) {
      const note = auctions.startReading()
      const { data, now, etag } = orThrow(await client.readAuction(id, {}, soon(signal)))
      note(data, Date.parse(now ?? ''))
      return etag
    },

    /** @param {import('./client.js').Query<'listAuctions'>} query */
    async readAuctions(query) {
      const note = auctions.startReading()
      const { data, now } = orThrow(await client.listAuctions(query, soon()))
      for (const auction of data.items) note(auction, Date.parse(now ?? ''))
      return data
    },

    /** Whether a bidder is the user, by id or pseudonym. @param {number} auctionId */
    isSelf: (auctionId) => (/** @type {number | null} */ id) =>
      id !== null && state.session !== visitor && (id === state.user || id === pseudonyms.get(auctionId)),

    isReconnecting: () => !isRefused,

    isStale: () =>
      !navigator.onLine || (lostAtMs !== undefined && performance.now() - lostAtMs > lostMs) || live.isSilent(),

    /** Shows the view that the fragment names. */
    go() {
      const [path = '', query] = location.hash.replace(/^#\/?/, '').split('?')
      const [name = '', id] = path.split('/')
      if (path === '') return location.replace('#/ending')
      // An id that is none is that of no auction.
      if (path.startsWith('auctions/') && !/^[1-9]\d*$/.test(id ?? '')) return location.replace('#/ending')
      const isFirst = state.route.name === ''
      state.route = { name, id: Number(id), query: new URLSearchParams(query) }
      element.querySelector('details.account')?.removeAttribute('open')
      auctions.clear()
      state.detail.close()
      if (name === 'auctions') state.detail = openAuction(state.route.id)
      else if (name === 'new') state.form = openForm()
      else state.list = openList(name)
      page.load()
      page.render()
      // The tabs scroll on a phone.
      element.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      if (isFirst) return
      scrollTo(0, 0)
      element.querySelector('main')?.focus()
    },

    /** Reads what the view shows. */
    load() {
      const { name } = state.route
      if (name === 'auctions') void page.attempt(state.detail, () => state.detail.load(page))
      else if (name === 'new') live.watch([])
      else void page.attempt(state.list, () => state.list.load(page))
    },

    watch: (/** @type {readonly number[]} */ ids) => live.watch(ids),

    /** Shows the failure of a step, and the sign-in where a token is needed. @param {{ problem: string }} place @param {() => Promise<void>} step */
    async attempt(place, step) {
      try {
        place.problem = ''
        await step()
      } catch (error) {
        // The user has left the view.
        if (error instanceof DOMException && error.name === 'AbortError') return
        if (!(error instanceof AuctionClientError)) throw error
        if (error.status === 401) state.isSignedOut = true
        else place.problem = error.status === 0 ? format.text('noResponse') : error.message
      } finally {
        schedule()
      }
    },

    /** Shows the first view, and shows it again if a function returns the token of another user. */
    async start() {
      if (typeof token === 'string') identify(token)
      const { user } = state
      page.go()
      if (typeof token === 'function') {
        const bearerOf = async () => token(false)
        const bearer = await bearerOf().catch(() => undefined)
        if (isClosed) return
        if (bearer !== undefined) identify(bearer)
        if (state.user === user) schedule()
        else page.go()
      }
      await readOwnBids()
    },

    /** @param {number} user */
    actAs(user) {
      if (!Number.isSafeInteger(user) || user < 1) return
      state.user = user
      pseudonyms.clear()
      options.onUser?.(user)
      void readOwnBids()
      page.go()
    },

    comeBack(/** @type {boolean} */ isForced) {
      live.check(isForced)
      state.detail.refresh(page)
    },

    close() {
      isClosed = true
      state.detail.close()
      live.close()
      render(nothing, element)
    },

    tick() {
      state.detail.tick(page)
      page.render()
    },

    render() {
      if (isClosed) return
      render(pageView(page), element)
      const changed = titleOfView(page)
      if (changed !== title) options.onTitle?.(changed)
      title = changed
    },
  }
  return page
}

/**
 * Speaks to screen readers: what the user has done at once, else the newest text, at most every 5 seconds.
 * @param {{ announcement: string }} state @param {() => void} onChange
 */
function createAnnouncer(state, onChange) {
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
    state.announcement = waiting
    waiting = ''
    onChange()
    timer = setTimeout(speak, betweenAnnouncementsMs)
  }
}

/** @param {Page} page */
function pageView(page) {
  const { route, session, isSignedOut, announcement } = page.state
  const { text, language } = page.format
  const isStale = page.isStale()
  /** @param {string} name @param {string} title */
  const tab = (name, title) =>
    html`<li><a href="#/${name}" aria-current=${route.name === name ? 'page' : nothing}>${title}</a></li>`
  return html`
    <div class="page" lang=${language} ?data-stale=${isStale}>
      <header>
        <nav aria-label=${text('pages')}>
          <ul>
            ${lists.map((name) => tab(name, text(name)))}
            ${session.create ? tab('new', text('sell')) : nothing}
          </ul>
        </nav>
        ${userView(page)}
      </header>
      <main tabindex="-1">
        ${isStale && page.isReconnecting() ? html`<p class="notice">${text('connectionLost')}</p>` : nothing}
        ${isSignedOut ? signInView(page) : nothing}${contentView(page)}
      </main>
      <p class="spoken" role="status">${announcement}</p>
    </div>`
}

/** @param {Page} page */
function titleOfView({ state: { route, detail }, auctions, format: { text, title } }) {
  if (route.name === 'new') return text('sell')
  const list = lists.find((name) => name === route.name)
  if (route.name !== 'auctions') return text(list ?? 'auctions')
  const auction = auctions.get(detail.id)
  return auction === undefined ? text('auctionNumber', { id: detail.id }) : title(auction)
}

/** @param {Page} page */
function contentView(page) {
  const { name } = page.state.route
  if (page.state.isSignedOut && page.auctions.isEmpty()) return nothing
  if (name === 'auctions') return auctionView(page)
  return name === 'new' ? createView(page) : auctionsView(page)
}

/** @param {Page} page */
function userView(page) {
  const { session, user } = page.state
  const { text } = page.format
  const name = text('userNumber', { id: user })
  if (session.user !== undefined) return html`<p class="account">${name}</p>`
  if (!session.bid && !session.create && !session.cancel) return nothing
  const change = (/** @type {Event & { currentTarget: HTMLInputElement }} */ { currentTarget }) =>
    currentTarget.reportValidity() && page.actAs(currentTarget.valueAsNumber)
  const close = (/** @type {KeyboardEvent & { currentTarget: HTMLElement }} */ { key, currentTarget }) =>
    key === 'Escape' && currentTarget.removeAttribute('open')
  return html`
    <details class="account" @keydown=${close}>
      <summary aria-label="${text('account')}: ${name}">${name}</summary>
      <label class="popup">${text('actAs')}
        <input type="number" min="1" step="1" required .value=${String(user)} @change=${change}></label>
    </details>`
}
