import { orThrow } from '../../client.js'
import { html, nothing } from '../../html.js'
import { loadForms } from '../../on-demand.js'
import { soon } from '../../requests.js'
import { standingText } from '../card.js'
import { problemView } from '../problem.js'
import { gridView } from './grid.js'
import { headView } from './head.js'
import { createLots } from './lots.js'
import { ownView } from './own.js'
import { createReads, groupSize } from './reads.js'
import { stripView } from './strip.js'

/**
 * @import { Page } from '../../app.js'
 * @import { AuctionClientError } from '../../client.js'
 * @import { Screen } from '../on-demand.js'
 * @import { Lot, Lots } from './lots.js'
 * @typedef {ReturnType<typeof createState>} SaleState What the reader sees of a sale.
 */

/** A tab that is hidden for longer has no stream: a browser has six connections to a host over HTTP/1.1. */
const hiddenMs = 30_000

/** The sale that a page showed last, so that the way back from a lot ends where it began. @type {WeakMap<Page, SaleState>} */
const kept = new WeakMap()

/** What is known of a sale, if the reader comes from it. @param {Page} page @param {number} id */
export function keptOf(page, id) {
  const state = kept.get(page)
  return state?.id === id && state.user === page.known.reader.user ? state : undefined
}

/** @param {number} id @param {number} user */
const createState = (id, user) => ({
  id,
  user,
  /** Undefined until the sale was read. */
  lots: /** @type {Lots | undefined} */ (undefined),
  /** What the reader looks for. */
  words: '',
  /** How many lots are drawn. */
  shown: groupSize,
  /** The lots that end next, while the pointer or the focus is on them: they must not move just before a click. */
  held: /** @type {readonly Lot[] | undefined} */ (undefined),
  scrollY: 0,
  problem: /** @type {AuctionClientError | undefined} */ (undefined),
})

/** A sale, live. @param {Page} page @param {number} id @returns {Screen} */
export function openSale(page, id) {
  const { known } = page
  const closing = new AbortController()
  const state = keptOf(page, id) ?? createState(id, known.reader.user)
  const following = createFollowing(page, state, closing.signal)
  /** The forms of staff. @type {{ draw: () => unknown } | undefined} */
  let staff
  let hiddenSinceMs = 0
  /** Whether the reader comes back, and the lots have not been drawn. */
  let isComingBack = state.scrollY > 0
  kept.set(page, state)
  // The event comes after a layout. Elsewhere, a read of the position would be the reason for one.
  const note = () => {
    if (!isComingBack) state.scrollY = scrollY
  }
  addEventListener('scroll', note, { passive: true, signal: closing.signal })

  const screen = {
    async load() {
      const isManaging = page.route.query.has('manage') && known.reader.session.manageSales
      const [forms] = await Promise.all([
        isManaging ? loadForms(page, () => import('./manage.js')) : undefined,
        state.lots === undefined ? following.readSale() : undefined,
      ])
      closing.signal.throwIfAborted()
      staff ??= forms?.openStaff(page, state)
      screen.refresh()
    },
    title: () => state.lots?.sale.title,
    refresh() {
      void following.follow()
      void following.readOwn(true)
    },
    tick() {
      const nowMs = performance.now()
      if (!page.isHidden()) hiddenSinceMs = nowMs
      else if (nowMs - hiddenSinceMs > hiddenMs) following.stop()
    },
    close() {
      closing.abort()
      following.stop()
    },
    draw() {
      const { lots, problem } = state
      if (lots === undefined) return nothing
      if (isComingBack && lots.isReady) {
        isComingBack = false
        // After this draw, which has the lots.
        setTimeout(() => closing.signal.aborted || scrollTo({ top: state.scrollY, behavior: 'instant' }))
      }
      return html`
        ${headView(page, lots)}
        ${staff?.draw() ?? nothing}
        ${problemView(page, { problem, load: screen.refresh })}
        <div class="tops">${stripView(page, state)}${ownView(page, lots)}</div>
        ${gridView(page, state, following.fill)}`
    },
  }
  return screen
}

/** Keeps the lots up to date: by the stream, and by reads of what is not in it. @param {Page} page @param {SaleState} state @param {AbortSignal} signal */
function createFollowing(page, state, signal) {
  const { known, format } = page
  const { client, connection } = known
  /** @type {AbortController | undefined} */
  let stream
  /** @type {ReturnType<typeof createReads> | undefined} */
  let reads = state.lots && createReads(known, state.lots, announce)

  /** Speaks of what has changed for the reader. @param {Lot} lot @param {Lot['standing']} before */
  function announce(lot, before) {
    if (before === 'none' || lot.standing === 'none') return
    const shown = standingText(page, lot.auction(), lot.standing, 'yourSealedBid')
    page.announce(format.text('lotAnnounced', { lot: lot.lot, text: shown }))
  }

  const following = {
    async readSale() {
      const { data } = orThrow(await client.readSale(state.id, soon(signal)))
      state.lots = createLots(known, data)
      reads = createReads(known, state.lots, announce)
    },

    /** Follows the lots until each has a result. */
    async follow() {
      const { lots } = state
      if (lots === undefined || stream !== undefined || signal.aborted || page.isHidden()) return
      const own = new AbortController()
      stream = own
      await known.attempt(state, async () => {
        try {
          for await (const event of client.followSale(state.id, { signal: own.signal, onState: connection.note })) {
            lots.receive(event)
            following.fill()
            void following.readOwn(event.type === 'ready')
            page.schedule()
          }
          connection.note('over')
        } finally {
          if (stream === own) stream = undefined
        }
      })
    },

    /** Reads what the drawn lots lack. */
    fill() {
      const { lots, words, shown } = state
      if (lots === undefined) return
      const wanted = new Set([...lots.next(), ...lots.found(words).slice(0, shown)])
      void known.attempt(state, async () => reads?.readDetails([...wanted], signal))
    },

    /** @param {boolean} isFirst Whether another tab may have bid meanwhile. */
    async readOwn(isFirst) {
      if (state.lots?.isReady !== true) return
      if (isFirst) await reads?.readBids()
      if (!signal.aborted) await known.attempt(state, async () => reads?.readOwn(signal))
    },

    stop() {
      if (stream === undefined) return
      stream.abort()
      stream = undefined
      // What is closed is not lost.
      connection.note('over')
    },
  }
  return following
}
