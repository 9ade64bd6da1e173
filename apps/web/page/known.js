import { AuctionClientError, orThrow } from './client.js'
import { createLive } from './live.js'
import { createNewest } from './newest.js'
import { createReader } from './reader.js'
import { baseOf, createPageClient, soon } from './requests.js'

/**
 * @import { Auction, AuctionClient, ClientOptions, Query } from './client.js'
 * @import { AuctionState, LiveState } from './live.js'
 * @import { Reader } from './reader.js'
 * @typedef {ReturnType<typeof createKnown>} Known
 * @typedef {{ problem: AuctionClientError | undefined }} ProblemSlot Where a view shows the failure of a read.
 * @typedef {object} Options
 * @property {string | undefined} [url]
 * @property {ClientOptions['token']} [token]
 * @property {number | undefined} [user]
 * @property {() => void} onChange Something is known that was not.
 * @property {(auction: Auction, before: Auction | undefined) => void} onAuction A newer state of an auction.
 * @property {() => void} onBack The connection was lost, and is back.
 */

/** Shorter losses of the connection are not worth a warning. */
const lostMs = 1_500

/** What the page knows: auctions, its reader and its connection. It knows no element and no text. @param {Options} options */
export function createKnown({ url, token, user = 1, onChange, onAuction, onBack }) {
  const base = baseOf(url)
  const client = createPageClient({ base, token })
  const reader = createReader(user)
  const auctions = createNewest((auction, before) => {
    onAuction(auction, before)
    onChange()
  })
  const connection = createConnection(client, {
    scope: `${base} ${typeof token === 'string' ? token : 'host'}`,
    onAuction: ({ now, sequence, auction }) => auctions.noteEvent(auction, sequence, Date.parse(now)),
    onChange,
    onBack,
    onRefused: () => noteSignedOut(),
  })

  function noteSignedOut() {
    reader.isSignedOut = true
    onChange()
  }

  /** Notes the failure of a step where the view shows it. @param {ProblemSlot} slot @param {() => Promise<unknown>} step */
  async function attempt(slot, step) {
    try {
      slot.problem = undefined
      await step()
    } catch (error) {
      // The reader has left the view.
      if (error instanceof DOMException && error.name === 'AbortError') return
      if (!(error instanceof AuctionClientError)) throw error
      if (error.status === 401) noteSignedOut()
      else slot.problem = error
    } finally {
      onChange()
    }
  }

  const reads = createReads(client, reader, auctions)
  return {
    ...{ client, reader, auctions, connection, noteSignedOut, attempt, ...reads, close: connection.close },
    /** The time of the server. */
    now: client.now,

    /** Lists show where the reader was outbid. Without the right to read these bids, only those of this tab are known. */
    async readBidOn() {
      if (!reader.session.bid) return
      await reads.readOwnBids({ bidderId: reader.user, limit: 100 }).catch(() => undefined)
      onChange()
    },
  }
}

/**
 * Reads that note what they contain.
 * @param {AuctionClient} client @param {Reader} reader @param {ReturnType<typeof createNewest>} auctions
 */
function createReads(client, reader, auctions) {
  /** Notes what only an own read contains. @param {Auction} auction */
  function noted(auction) {
    reader.notePseudonym(auction.id, auction.yourPseudonym)
    return auction
  }
  return {
    /** Reads an auction. Returns its entity tag. @param {number} id @param {AbortSignal} [signal] */
    async readAuction(id, signal) {
      const note = auctions.startReading()
      const noteBid = reader.startReadingBids()
      const { data, now, etag } = orThrow(await client.readAuction(id, {}, soon(signal)))
      noteBid(id, data.youBid)
      note(noted(data), Date.parse(now ?? ''))
      return etag
    },

    /** Reads a page of auctions. @param {Query<'listAuctions'>} query */
    async readAuctions(query) {
      const note = auctions.startReading()
      const { data, now } = orThrow(await client.listAuctions(query, soon()))
      for (const auction of data.items) note(noted(auction), Date.parse(now ?? ''))
      return data
    },

    /** Reads a page of the reader's bids, and notes their auctions. @param {Query<'listBidsOfBidder'>} query */
    async readOwnBids(query) {
      const noteBid = reader.startReadingBids()
      const { data } = orThrow(await client.listBidsOfBidder(query, soon()))
      const isOld = query.cursor !== undefined
      const noted = new Set()
      for (const { auctionId, auction, amount, withdrawn } of data.items) {
        // The last bid of the reader counts, which is listed first.
        if (auction.format === 'sealed' && !noted.has(auctionId))
          noteBid(auctionId, withdrawn ? 'withdrawn' : amount, isOld)
        else if (auction.format !== 'sealed' && !withdrawn) reader.bidOn.add(auctionId)
        noted.add(auctionId)
      }
      return data
    },
  }
}

/**
 * Whether what the page shows is up to date.
 * @param {AuctionClient} client
 * @param {object} options
 * @param {string} options.scope
 * @param {(state: AuctionState) => void} options.onAuction
 * @param {() => void} options.onChange
 * @param {() => void} options.onBack The connection was lost, and is back.
 * @param {() => void} options.onRefused
 */
function createConnection(client, { scope, onAuction, onChange, onBack, onRefused }) {
  /** @type {number | undefined} */
  let lostAtMs
  let isRefused = false
  /** @param {LiveState} state */
  function note(state) {
    const wasLost = lostAtMs !== undefined
    lostAtMs = state === 'live' || state === 'over' ? undefined : (lostAtMs ?? performance.now())
    if (wasLost && lostAtMs === undefined) onBack()
    onChange()
  }
  const live = createLive(client, {
    scope,
    onAuction,
    onState: note,
    onRefused() {
      isRefused = true
      onRefused()
    },
  })
  return {
    /** Notes the state of the stream of a view. */
    note,
    watch: live.watch,
    check: live.check,
    close: live.close,
    /** Nothing reconnects after the service has refused the stream. */
    isReconnecting: () => !isRefused,
    isStale: () =>
      !navigator.onLine || (lostAtMs !== undefined && performance.now() - lostAtMs > lostMs) || live.isSilent(),
  }
}
