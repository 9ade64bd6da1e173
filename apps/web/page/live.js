import { newKey } from './client.js'
import { follow, silenceMs } from './follow.js'

/** @typedef {{ now: string, sequence: number, auction: import('./client.js').Auction }} AuctionEvent */
/**
 * The messages between tabs: what a tab follows, the leader's question about what the others follow, and what arrives.
 * @typedef {{ type: 'want', tab: string, ids: readonly number[] } | { type: 'who' } | { type: 'auction', data: AuctionEvent }
 *   | { type: 'state', state: import('./follow.js').StreamState } | { type: 'refused' }} Message
 */

const maxIds = 100
const pollMs = 3_000

/**
 * Follows auctions with one event stream for all tabs that have the same `scope`, since a browser has six connections to a host over
 * HTTP/1.1. The tab that holds a lock has the stream, and sends the others what arrives. When it closes, the next one gets the lock.
 * @param {import('./client.js').Client} client
 * @param {object} options
 * @param {string} options.scope Tabs share what they see, so it must differ between tokens.
 * @param {(event: AuctionEvent) => void} options.onAuction The state of an auction: at first, and at every change.
 * @param {(state: import('./follow.js').StreamState) => void} options.onState
 * @param {() => void} options.onRefused The service refuses the stream: sign in again.
 */
export function createLive(client, { scope, onAuction, onState, onRefused }) {
  const tab = newKey()
  const name = `auctions ${client.base} ${scope}`
  const closing = new AbortController()
  const channel = new BroadcastChannel(name)
  /** @type {readonly number[]} */
  let ids = []
  let heardAtMs = Date.now()
  let isOver = false
  /** @type {ReturnType<typeof lead> | undefined} */
  let leader

  /** To this tab and the others. @param {Message} message */
  function tell(message) {
    if (closing.signal.aborted) return
    channel.postMessage(message)
    receive(message)
  }

  /** @param {Message} message */
  function receive(message) {
    heardAtMs = Date.now()
    if (message.type === 'want') leader?.want(message.tab, message.ids)
    else if (message.type === 'who') tell({ type: 'want', tab, ids })
    else if (message.type === 'state') {
      isOver = message.state === 'over'
      onState(message.state)
    } else if (message.type === 'refused') onRefused()
    else if (ids.includes(message.data.auction.id)) onAuction(message.data)
  }
  channel.onmessage = ({ data }) => receive(data)

  function startLeading() {
    leader = lead(client, tell)
    tell({ type: 'who' })
    return new Promise((resolve) => closing.signal.addEventListener('abort', resolve))
  }

  // Without HTTPS, browsers have no locks, so each tab has a stream.
  if (navigator.locks === undefined) void startLeading()
  else void navigator.locks.request(name, { signal: closing.signal }, startLeading).catch(() => undefined)

  return {
    /** Follows these auctions instead of those before. The first 100 of all tabs have a stream. @param {readonly number[]} wanted */
    watch(wanted) {
      if (wanted.join() === ids.join()) return
      ids = wanted
      tell({ type: 'want', tab, ids })
    },
    /** Whether what is shown may be old, because nothing has arrived for a time. */
    isSilent: () => ids.length > 0 && !isOver && Math.abs(Date.now() - heardAtMs) > silenceMs,
    /** Call it when the page is visible or, with `true`, online again. */
    check(isForced = false) {
      leader?.check(isForced)
      tell({ type: 'want', tab, ids })
    },
    close() {
      tell({ type: 'want', tab, ids: [] })
      closing.abort()
      leader?.close()
      channel.close()
    },
  }
}

/** The stream of the tab that leads. @param {import('./client.js').Client} client @param {(message: Message) => void} tell */
function lead(client, tell) {
  /** @type {Map<string, readonly number[]>} */
  const wanted = new Map()
  /** @type {Map<number, AuctionEvent>} */
  const newest = new Map()
  /** @type {number[]} */
  let followed = []
  /** `over` while no auction is followed. @type {import('./follow.js').StreamState} */
  let state = 'over'
  /** @type {ReturnType<typeof follow> | undefined} */
  let stream
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let opening
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let polling

  function open() {
    stream?.close()
    clearTimeout(polling)
    followed = [...new Set([...wanted.values()].flat())].slice(0, maxIds)
    for (const id of newest.keys()) if (!followed.includes(id)) newest.delete(id)
    if (followed.length === 0) return report('over')
    stream = follow(client, `api/Auctions/Events?ids=${followed.join()}`, {
      onEvent(event, data) {
        if (event !== 'auction') return
        newest.set(data.auction.id, data)
        tell({ type: 'auction', data })
      },
      onState: report,
      onRefused(problem) {
        if (problem.status === 401) tell({ type: 'refused' })
        // A token that may read auctions, but not bids, has no stream.
        else void poll()
      },
    })
  }

  /** @param {import('./follow.js').StreamState} changed */
  function report(changed) {
    state = changed
    tell({ type: 'state', state })
  }

  async function poll() {
    clearTimeout(polling)
    if (followed.length === 0) return
    try {
      const { items } = await client.read(`api/Auctions?ids=${followed.join()}`)
      const now = new Date(client.now()).toISOString()
      for (const { youLead: _lead, yourMaximum: _maximum, reservePrice: _reserve, ...auction } of items) {
        // Other tabs may be those of another user.
        tell({ type: 'auction', data: { now, sequence: 0, auction } })
      }
      tell({ type: 'state', state: 'live' })
    } catch {
      tell({ type: 'state', state: 'lost' })
    }
    polling = setTimeout(poll, pollMs)
  }

  return {
    /** @param {string} tab @param {readonly number[]} ids */
    want(tab, ids) {
      // The newest last, so that the tab that is visible now is among those with a stream.
      wanted.delete(tab)
      if (ids.length > 0) wanted.set(tab, ids)
      for (const data of ids.map((id) => newest.get(id))) if (data !== undefined) tell({ type: 'auction', data })
      tell({ type: 'state', state })
      clearTimeout(opening)
      // Several tabs answer at once.
      if (!ids.every((id) => followed.includes(id)) || wanted.size === 0) opening = setTimeout(open, 20)
    },
    check: (/** @type {boolean} */ isForced) => stream?.check(isForced),
    close() {
      clearTimeout(opening)
      clearTimeout(polling)
      followed = []
      stream?.close()
    },
  }
}
