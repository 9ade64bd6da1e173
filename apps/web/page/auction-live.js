import { priceOf } from './amounts.js'
import { AuctionClientError, orThrow } from './client.js'
import { createFormat, localeOf } from './format.js'
import { html, nothing, render } from './html.js'
import { createLive } from './live.js'
import { createNewest } from './newest.js'
import { pictureUrl } from './pictures.js'
import { baseOf, createPageClient, soon } from './requests.js'
import { endMs, isolated, phaseOf } from './times.js'

/** @typedef {import('./client.js').Auction} Auction */

const tickMs = 250

const styles = new CSSStyleSheet()
styles.replaceSync(`
  :host { display: block; font: 1rem / 1.5 system-ui, sans-serif; max-width: 20rem }
  :host([hidden]) { display: none }
  article { border: 1px solid #8888; border-radius: .75rem; overflow: hidden }
  img { aspect-ratio: 4 / 3; display: block; object-fit: cover; width: 100% }
  div { display: grid; gap: .25rem; padding: .75rem 1rem 1rem }
  p { margin: 0; unicode-bidi: plaintext }
  a { color: inherit; font-weight: 600; overflow-wrap: anywhere }
  [part~='price'] { font-size: 1.5rem; font-weight: 700; font-variant-numeric: tabular-nums }
  [part~='time'] { font-variant-numeric: tabular-nums }
  [part~='last'] { font-weight: 700 }`)

/**
 * Shows an auction, live: `<auction-live auction="7" base="https://auctions.example"></auction-live>`. Its parts for styles are `card`,
 * `picture`, `title`, `price`, `time` (also `last` in the last minute), `bids` and `problem`.
 */
class AuctionLive extends HTMLElement {
  static observedAttributes = ['auction', 'base', 'href']

  // A page may set these before the element is defined.
  /** The token, or a function that returns it; without one, the service must permit anonymous reads. @type {import('./client.js').ClientOptions['token']} */
  token = Reflect.get(this, 'token')
  /** Texts instead of the English ones. @type {Partial<import('./texts.js').Texts> | undefined} */
  texts = Reflect.get(this, 'texts')

  /** @type {{ close: () => void } | undefined} */
  #opened
  #root = this.attachShadow({ mode: 'open' })

  connectedCallback() {
    this.#root.adoptedStyleSheets = [styles]
    // Properties that the page sets after it has added the element count, too.
    queueMicrotask(() => this.#open())
  }

  disconnectedCallback() {
    this.#opened?.close()
    this.#opened = undefined
  }

  attributeChangedCallback() {
    if (this.#opened !== undefined) this.#open()
  }

  #open() {
    this.#opened?.close()
    if (!this.isConnected) return
    const { token, texts } = this
    const id = Number(this.getAttribute('auction'))
    // The files are in a folder of the service.
    const base = baseOf(this.getAttribute('base') ?? new URL('..', import.meta.url).href)
    const client = createPageClient({ base, token })
    const href = this.getAttribute('href') ?? new URL(`#/auctions/${id}`, base).href
    const format = createFormat(texts, localeOf(String(texts?.language ?? 'en')))
    const closing = new AbortController()
    let problem = ''
    const draw = () => render(cardView({ client, format, href, auction: auctions.get(id), problem }), this.#root)
    const auctions = createNewest(draw)
    const live = createLive(client, {
      scope: `${base} ${typeof token === 'string' ? token : 'host'}`,
      onAuction: ({ now, sequence, auction }) => auctions.noteEvent(auction, sequence, Date.parse(now)),
    })
    const timer = setInterval(draw, tickMs)
    this.#opened = {
      close() {
        closing.abort()
        clearInterval(timer)
        live.close()
      },
    }
    void read()

    async function read() {
      const note = auctions.startReading()
      try {
        const { data, now } = orThrow(await client.readAuction(id, {}, soon(closing.signal)))
        note(data, Date.parse(now ?? ''))
        live.watch([id])
      } catch (error) {
        if (closing.signal.aborted) return
        if (!(error instanceof AuctionClientError)) throw error
        problem = error.status === 0 ? format.text('noResponse') : error.message
        draw()
      }
    }
  }
}

const isNobody = () => false

/**
 * @param {object} shown
 * @param {import('./client.js').AuctionClient} shown.client
 * @param {import('./format.js').Format} shown.format
 * @param {string} shown.href
 * @param {Auction | undefined} shown.auction
 * @param {string} shown.problem
 */
function cardView({ client, format, href, auction, problem }) {
  if (auction === undefined) return problem === '' ? nothing : html`<p part="problem" role="alert">${problem}</p>`
  const { text } = format
  const nowMs = client.now()
  const phase = phaseOf(auction, nowMs)
  const picture = pictureUrl(auction.metadata?.['pictureUrl'])
  const time = isolated(format.moment(endMs(auction), nowMs))
  return html`
    <article part="card" lang=${format.language}>
      ${picture === undefined ? nothing : html`<img part="picture" src=${picture} alt="" loading="lazy" decoding="async" referrerpolicy="no-referrer">`}
      <div>
        <a part="title" href=${href}><bdi>${format.title(auction)}</bdi></a>
        <p part="price">${format.money(priceOf(auction), auction)}</p>
        <p part=${phase === 'last' ? 'time last' : 'time'}>${format.timeLeft(auction, nowMs)} ${phase === 'over' ? nothing : text('until', { time })}</p>
        <p part="bids">${text('bidCount', { count: auction.bidCount })} ${format.outcome(auction, isNobody)}</p>
      </div>
    </article>`
}

customElements.define('auction-live', AuctionLive)
