import { AuctionClientError, newKey } from './client.js'
import { soon } from './requests.js'

/** @import { AuctionClient, FollowedState, StreamState } from './client.js' */
/** @typedef {Extract<FollowedState, { type: 'auction' }>} AuctionState */
/** @typedef {StreamState | 'over'} LiveState `over`: nothing follows. */
/**
 * The messages between tabs: what a tab follows, the leader's question about what the others follow, and what arrives.
 * @typedef {{ type: 'want', tab: string, ids: readonly number[] } | { type: 'who' } | AuctionState
 *   | { type: 'state', state: LiveState } | { type: 'refused' }} Message
 */

const maxIds = 100
const pollMs = 3_000
/** After this time without anything, the client replaces a connection. */
const silenceMs = 45_000
const suspiciousMs = 20_000

/**
 * Follows auctions with one event stream for all tabs that have the same `scope`, since a browser has six connections to a host over
 * HTTP/1.1. The tab that holds a lock has the stream, and sends the others what arrives. When it closes, the next one gets the lock.
 * @param {AuctionClient} client
 * @param {object} options
 * @param {string} options.scope Tabs share what they see, so it must differ between services and tokens.
 * @param {(state: AuctionState) => void} options.onAuction The state of an auction: at first, and at every change.
 * @param {(state: LiveState) => void} [options.onState]
 * @param {() => void} [options.onRefused] The service refuses the stream: sign in again.
 */
export function createLive(client, { scope, onAuction, onState = () => undefined, onRefused = () => undefined }) {
  const tab = newKey()
  const name = `auctions ${scope}`
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
    else {
      // The client knows only the times that this tab has received.
      client.noteTime(message.now)
      if (ids.includes(message.auction.id)) onAuction(message)
    }
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
    /** Follows these auctions instead of those before. The first 100 of all tabs have a stream, and the others are read every 3 seconds. @param {readonly number[]} wanted */
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

/** The tab that leads: it knows what the tabs want, and follows that. @param {AuctionClient} client @param {(message: Message) => void} tell */
function lead(client, tell) {
  /** @type {Map<string, readonly number[]>} */
  const wanted = new Map()
  /** @type {Map<number, AuctionState>} */
  const newest = new Map()
  /** `over` while no auction is followed. @type {LiveState} */
  let state = 'over'
  /** The wall clock, because other clocks may stop while the device sleeps. */
  let heardAtMs = Date.now()
  let following = followNothing
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let opening

  function open() {
    close()
    const ids = [...new Set([...wanted.values()].flat())]
    for (const id of newest.keys()) if (!ids.includes(id)) newest.delete(id)
    heardAtMs = Date.now()
    if (ids.length === 0) note({ type: 'state', state: 'over' })
    else following = follow(client, ids, note)
  }

  function close() {
    following.close()
    following = followNothing
    clearTimeout(opening)
  }

  /** Keeps what later tabs need to know. @param {Message} message */
  function note(message) {
    if (message.type === 'state') {
      if (message.state === 'live') heardAtMs = Date.now()
      state = message.state
    }
    if (message.type === 'auction') newest.set(message.auction.id, message)
    tell(message)
  }

  return {
    /** @param {string} tab @param {readonly number[]} ids */
    want(tab, ids) {
      // The newest last, so that the tab that is visible now is among those with a stream.
      wanted.delete(tab)
      if (ids.length > 0) wanted.set(tab, ids)
      for (const known of ids.map((id) => newest.get(id))) if (known !== undefined) tell(known)
      tell({ type: 'state', state })
      clearTimeout(opening)
      // Several tabs respond at once.
      if (!ids.every((id) => following.ids.includes(id)) || wanted.size === 0) opening = setTimeout(open, 20)
    },
    /** Reconnects if nothing has arrived lately, or in any case. @param {boolean} isForced */
    check(isForced) {
      const isQuiet = Math.abs(Date.now() - heardAtMs) > suspiciousMs
      if (following.ids.length > 0 && !following.isDone() && (isForced || isQuiet)) open()
    },
    close,
  }
}

/** @typedef {{ ids: readonly number[], isDone: () => boolean, close: () => void }} Following */
/** @type {Following} */
const followNothing = { ids: [], isDone: () => true, close: () => undefined }

/**
 * Follows auctions: the first 100 by a stream, and the others by reads.
 * @param {AuctionClient} client @param {readonly number[]} ids @param {(message: Message) => void} tell
 * @returns {Following}
 */
function follow(client, ids, tell) {
  const closing = new AbortController()
  const { signal } = closing
  let polled = ids.slice(maxIds)
  /** Whether the stream is over, or was refused for good. */
  let isDone = false
  const report = (/** @type {LiveState} */ state) => tell({ type: 'state', state })

  /** Receives until all auctions are over, or the stream is closed or refused. */
  async function receive() {
    try {
      for await (const event of client.follow(ids.slice(0, maxIds), { signal, onState: report }))
        if (event.type === 'auction') tell(event)
      isDone = true
      if (polled.length === 0) report('over')
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof AuctionClientError)) throw error
      isDone = error.status === 401
      if (isDone) return tell({ type: 'refused' })
      // A token that may read auctions, but not bids, has no stream.
      const isPolling = polled.length > 0
      polled = [...ids]
      if (!isPolling) void poll()
    }
  }

  /** Reads the auctions without a stream again and again. */
  async function poll() {
    while (!signal.aborted) {
      let isRead = true
      for (let from = 0; from < polled.length && isRead; from += maxIds)
        isRead = await readSome(client, polled.slice(from, from + maxIds), signal, tell)
      if (signal.aborted) return
      if (polled.length === ids.length) report(isRead ? 'live' : 'lost')
      await new Promise((resolve) => {
        setTimeout(resolve, pollMs)
      })
    }
  }

  void receive()
  if (polled.length > 0) void poll()
  return { ids, isDone: () => isDone, close: () => closing.abort() }
}

/** @param {AuctionClient} client @param {readonly number[]} ids @param {AbortSignal} signal @param {(message: Message) => void} tell */
async function readSome(client, ids, signal, tell) {
  const read = await client.listAuctions({ ids }, soon(signal)).catch(() => undefined)
  if (signal.aborted || !read?.ok) return false
  const { now = '' } = read
  for (const { youLead: _lead, yourMaximum: _maximum, reservePrice: _reserve, ...auction } of read.data.items) {
    // Other tabs may be those of another user.
    tell({ type: 'auction', now, sequence: 0, auction })
  }
  return true
}
