import { priceOf } from './amounts.js'
import { AuctionClientError, orThrow } from './client.js'
import { createFormat, localeOf } from './format.js'
import { formatOf } from './formats.js'
import { html, nothing, render } from './html.js'
import { createLive } from './live.js'
import { createNewest } from './newest.js'
import { pictureUrl } from './pictures.js'
import { baseOf, createPageClient, soon } from './requests.js'
import { endMs, isolated, phaseOf } from './times.js'

/** @import { Auction, AuctionClient, ClientOptions } from './client.js' */
/** @import { Format } from './format.js' */
/** @import { Texts } from './texts.js' */

const tickMs = 250
/** The pauses after failures double from this to a minute. */
const retryMs = 5_000
const longestRetryMs = 60_000

const styles = new CSSStyleSheet()
styles.replaceSync(`
  :host { display: block; font: 1rem / 1.5 system-ui, sans-serif; max-width: 20rem }
  :host([hidden]) { display: none }
  article { border: 1px solid #8888; border-radius: .75rem; overflow: hidden }
  [part~='picture'] { aspect-ratio: 4 / 3; display: block; object-fit: cover; width: 100% }
  [part~='letter'] { align-content: center; background: #8883; font-size: 4rem; text-align: center }
  div { display: grid; gap: .25rem; padding: .75rem 1rem 1rem }
  p { margin: 0; unicode-bidi: plaintext }
  a { color: inherit; font-weight: 600; overflow-wrap: anywhere }
  [part~='price'] { font-size: 1.5rem; font-weight: 700; font-variant-numeric: tabular-nums }
  [part~='time'] { font-variant-numeric: tabular-nums }
  [part~='last'] { font-weight: 700 }`)

/**
 * Shows an auction, live: `<auction-live auction="7" base="https://auctions.example"></auction-live>`. Its parts for styles are `card`,
 * `picture` (also `letter` if it cannot be loaded), `title`, `price`, `time` (also `last` in the last minute), `bids`, `result` and `problem`.
 */
class AuctionLive extends HTMLElement {
  static observedAttributes = ['auction', 'base', 'href']

  /** @type {ClientOptions['token']} */
  #token
  #format = formatWith(undefined)
  /** @type {{ draw: () => void, close: () => void } | undefined} */
  #opened
  #isOpening = false
  #root = this.attachShadow({ mode: 'open' })

  constructor() {
    super()
    // A page may have set these before the element was defined.
    for (const name of ['token', 'texts']) {
      const value = Reflect.get(this, name)
      if (Reflect.deleteProperty(this, name) && value !== undefined) Reflect.set(this, name, value)
    }
  }

  /** The token, or a function that returns it; without one, the service must permit anonymous reads. */
  get token() {
    return this.#token
  }
  set token(token) {
    this.#token = token
    this.#openSoon()
  }

  /** Texts instead of the English ones. @param {Partial<Texts> | undefined} texts */
  set texts(texts) {
    this.#format = formatWith(texts)
    this.#opened?.draw()
  }

  connectedCallback() {
    this.#root.adoptedStyleSheets = [styles]
    this.#openSoon()
  }

  disconnectedCallback() {
    this.#opened?.close()
    this.#opened = undefined
  }

  attributeChangedCallback() {
    this.#openSoon()
  }

  /** Once for all that a page changes together. */
  #openSoon() {
    if (this.#isOpening) return
    this.#isOpening = true
    queueMicrotask(() => {
      this.#isOpening = false
      this.#open()
    })
  }

  #open() {
    this.#opened?.close()
    if (!this.isConnected) return
    const token = this.#token
    const id = Number(this.getAttribute('auction'))
    // The files are in a folder of the service.
    const base = baseOf(this.getAttribute('base') ?? new URL('..', import.meta.url).href)
    const client = createPageClient({ base, token })
    const href = this.getAttribute('href') ?? new URL(`#/auctions/${id}`, base).href
    /** The address of a picture that could not be loaded. @type {string | undefined} */
    let broken
    /** @param {Event} event */
    const onBroken = ({ target }) => {
      broken = /** @type {HTMLImageElement} */ (target).src
      draw()
    }
    const state = createState({
      client,
      base,
      token,
      id,
      text: (name) => this.#format.text(name),
      onChange: () => draw(),
    })
    const draw = () => {
      const { auction, problem } = state
      render(cardView({ client, format: this.#format, href, auction, problem, broken, onBroken }), this.#root)
    }
    const timer = setInterval(draw, tickMs)
    this.#opened = {
      draw,
      close() {
        clearInterval(timer)
        state.close()
      },
    }
    void state.read()
  }
}

/**
 * The newest state of an auction, or why it cannot be read.
 * @param {object} options
 * @param {AuctionClient} options.client
 * @param {string} options.base
 * @param {ClientOptions['token']} options.token
 * @param {number} options.id
 * @param {(name: 'tokenRefused' | 'noResponse') => string} options.text
 * @param {() => void} options.onChange
 */
function createState({ client, base, token, id, text, onChange }) {
  const closing = new AbortController()
  const auctions = createNewest(onChange)
  /** @type {ReturnType<typeof createLive> | undefined} */
  let live
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let reading
  let tries = 0

  const follow = () =>
    createLive(client, {
      scope: `${base} ${typeof token === 'string' ? token : 'host'}`,
      onAuction: ({ now, sequence, auction }) => auctions.noteEvent(auction, sequence, Date.parse(now)),
      onRefused: () => {
        live?.close()
        live = undefined
        fail(text('tokenRefused'), typeof token !== 'function')
      },
    })

  /** @param {string} message @param {boolean} isFinal */
  function fail(message, isFinal) {
    state.problem = message
    onChange()
    if (!isFinal) reading = setTimeout(state.read, Math.min(retryMs * 2 ** tries++, longestRetryMs))
  }

  const state = {
    problem: '',
    get auction() {
      return auctions.get(id)
    },
    async read() {
      const note = auctions.startReading()
      try {
        const { data, now } = orThrow(await client.readAuction(id, {}, soon(closing.signal)))
        closing.signal.throwIfAborted()
        state.problem = ''
        note(data, Date.parse(now ?? ''))
        live ??= follow()
        live.watch([id])
      } catch (error) {
        if (closing.signal.aborted) return
        if (!(error instanceof AuctionClientError)) throw error
        // A function may return another token.
        const mayPass = error.status === 429 || (error.status === 401 && typeof token === 'function')
        const isFinal = error.status >= 400 && error.status < 500 && !mayPass
        fail(error.status === 0 ? text('noResponse') : error.message, isFinal)
      }
    },
    close() {
      closing.abort()
      clearTimeout(reading)
      live?.close()
    },
  }
  return state
}

/** @param {Partial<Texts> | undefined} texts */
const formatWith = (texts) => createFormat(texts, localeOf(String(texts?.language ?? 'en')))

const isNobody = () => false

/**
 * @param {object} shown
 * @param {AuctionClient} shown.client
 * @param {Format} shown.format
 * @param {string} shown.href
 * @param {Auction | undefined} shown.auction
 * @param {string} shown.problem
 * @param {string | undefined} shown.broken The picture that cannot be shown.
 * @param {(event: Event) => void} shown.onBroken
 */
function cardView({ client, format, href, auction, problem, broken, onBroken }) {
  const alert = problem === '' ? nothing : html`<p part="problem" role="alert">${problem}</p>`
  if (auction === undefined) return alert
  const { text } = format
  const nowMs = client.now()
  const phase = phaseOf(auction, nowMs)
  const picture = pictureUrl(auction.metadata?.['pictureUrl'])
  const time = isolated(format.moment(endMs(auction), nowMs))
  const price = priceOf(auction, nowMs)
  return html`
    <article part="card" lang=${format.language}>
      ${
        picture === undefined
          ? nothing
          : picture === broken
            ? html`<span part="picture letter" aria-hidden="true">${[...format.title(auction)][0]}</span>`
            : html`<img part="picture" src=${picture} alt="" loading="lazy" decoding="async" referrerpolicy="no-referrer" @error=${onBroken}>`
      }
      <div>
        <a part="title" href=${href}><bdi>${format.title(auction)}</bdi></a>
        <p part="price">${price === undefined ? text(formatOf(auction).title) : format.money(price, auction)}</p>
        <p part=${phase === 'last' ? 'time last' : 'time'}>${format.timeLeft(auction, nowMs)} ${phase === 'over' ? nothing : text('until', { time })}</p>
        ${auction.bidCount === undefined ? nothing : html`<p part="bids">${text('bidCount', { count: auction.bidCount })}</p>`}
        ${auction.result === null ? nothing : html`<p part="result">${format.outcome(auction, isNobody)}</p>`}
        ${alert}
      </div>
    </article>`
}

customElements.define('auction-live', AuctionLive)
