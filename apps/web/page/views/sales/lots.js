import { amountOf, minorOf } from '../../client.js'

/**
 * @import { Auction, Data, SaleEvent, Schemas } from '../../client.js'
 * @import { Known } from '../../known.js'
 * @import { Reader, Standing } from '../../reader.js'
 * @typedef {Data<'readSale'>} Sale
 * @typedef {Schemas['LotLine']} LotLine
 * @typedef {ReturnType<typeof createLots>} Lots
 * @typedef {ReturnType<typeof createLot>} Lot
 */

/** How many of those that end next are shown. */
const nextSize = 6

/** A lot: its line, which all readers see, and what was read of its auction. @param {LotLine} line @param {Known} known @param {Sale} sale */
function createLot(line, known, sale) {
  /** @type {Auction | undefined} */
  let shown
  const lot = {
    id: line.id,
    lot: line.lot,
    position: positionOf(line.lot),
    line,
    /** What was read: its terms never change, but for corrections. @type {Auction | undefined} */
    detail: undefined,
    isReading: false,
    /** Where the reader is, by the last read: a line names no bidder. @type {Standing} */
    standing: 'none',
    /** Whether the line has changed since that read. */
    isStale: true,
    /** How often the line has changed. */
    changes: 0,
    /** What the grid shows, as long as it is right. @type {{ view: unknown, standing: Standing, untilMs: number } | undefined} */
    row: undefined,

    /** @param {LotLine} next */
    change(next) {
      lot.line = next
      lot.row = shown = undefined
      lot.changes += 1
      lot.isStale = true
    },

    /** Notes a read. The standing and the price of one that has begun before the last change of the line are old. @param {Auction} auction @param {number} changes */
    noteRead(auction, changes) {
      lot.detail = auction
      lot.row = shown = undefined
      const isNewest = lot.changes === changes && !(lot.line.outcome !== undefined && auction.result === null)
      if (!isNewest) return
      known.reader.notePseudonym(auction.id, auction.yourPseudonym)
      if (auction.youLead) known.reader.bidOn.add(auction.id)
      lot.line = { ...lot.line, ...lineOf(auction) }
      lot.standing = known.reader.standingOf(auction)
      lot.isStale = false
    },

    /** The auction, as far as it is known. */
    auction() {
      shown ??= auctionOf(lot.line, lot.detail, sale)
      return shown
    },
  }
  return lot
}

/** The order of lots: by number, then by letter. @param {string} lot */
const positionOf = (lot) =>
  Number.parseInt(lot, 10) * 27 + (/[A-Z]$/.test(lot) ? lot.charCodeAt(lot.length - 1) - 64 : 0)

/** The members of a line that an auction has. @param {Auction} auction @returns {Partial<LotLine>} */
function lineOf({ title, status, currentPrice, bidCount, effectiveEndTime, result }) {
  const { outcome, price } = /** @type {{ outcome?: LotLine['outcome'], price?: number }} */ (result ?? {})
  const line = { title, status, currentPrice, bidCount, effectiveEndTime, outcome, price }
  return Object.fromEntries(Object.entries(line).filter(([, value]) => value !== undefined))
}

/** @param {Partial<LotLine>} one @param {Partial<LotLine>} other */
const isSame = (one, other) =>
  /** @type {const} */ (['title', 'status', 'currentPrice', 'bidCount', 'effectiveEndTime', 'outcome', 'price']).every(
    (name) => one[name] === other[name],
  )

/** @param {LotLine} line @param {Auction | undefined} detail @param {Sale} sale @returns {Auction} */
function auctionOf({ id, title, status, currentPrice, bidCount, effectiveEndTime, outcome, price }, detail, sale) {
  const { currency, startTime } = sale
  const unread = { currency, startTime, startingPrice: currentPrice ?? 0, endTime: effectiveEndTime }
  // A line names no buyer.
  const result = outcome === undefined ? null : { outcome, price, winnerId: null, buyerId: null }
  const live = { status, effectiveEndTime, currentPrice, bidCount, result: detail?.result ?? result }
  // The cast: views of a lot read no other member.
  return /** @type {Auction} */ (/** @type {unknown} */ ({ ...unread, ...(detail ?? { title }), ...live, id }))
}

/** The lots of a sale as they are now. @param {Known} known @param {Sale} sale */
export function createLots(known, sale) {
  const { reader } = known
  /** @type {Map<number, Lot>} */
  const byId = new Map()
  let version = 0
  /** @type {readonly Lot[] | undefined} */
  let sorted
  let found = { words: '', version: -1, lots: /** @type {readonly Lot[]} */ ([]) }

  function all() {
    sorted ??= [...byId.values()].sort((one, other) => one.position - other.position)
    return sorted
  }

  /** @param {LotLine} line */
  function noteLine(line) {
    const lot = byId.get(line.id)
    if (lot !== undefined) return isSame(lot.line, line) ? undefined : lot.change(line)
    byId.set(line.id, createLot(line, known, sale))
    sorted = undefined
  }

  /** What is computed once for a version. @template Value @param {() => Value} compute @returns {() => Value} */
  function ofVersion(compute) {
    /** @type {{ version: number, value: Value } | undefined} */
    let computed
    return () => {
      if (computed?.version !== version) computed = { version, value: compute() }
      return computed.value
    }
  }

  /** Whether the reader has bid on a lot. @param {Lot} lot */
  const isOwn = (lot) =>
    lot.standing !== 'none' || reader.bidOn.has(lot.id) || reader.sealedBidIn(lot.auction()) != null
  const own = ofVersion(() => all().filter(isOwn))

  const lots = {
    sale,
    extensions: sale.extensions,
    /** Whether each lot has arrived once. */
    isReady: false,
    /** The lots in the order of their numbers. */
    all,
    /** Those on which the reader has bid. */
    own,
    counts: ofVersion(() => countsOf(all(), sale)),
    totals: ofVersion(() => totalsOf(own(), sale, reader)),
    /** Those that end next. */
    next: ofVersion(() =>
      all()
        .filter(({ line }) => line.outcome === undefined)
        .sort((one, other) => endMsOf(one) - endMsOf(other) || one.position - other.position)
        .slice(0, nextSize),
    ),
    /** Those that the reader looks for. @param {string} words */
    found(words) {
      if (found.words !== words || found.version !== version) found = { words, version, lots: foundIn(all(), words) }
      return found.lots
    },
    /** Something is known of them that was not. */
    touch() {
      version += 1
    },
    /** @param {SaleEvent} event */
    receive(event) {
      if (event.type === 'lots') for (const line of event.lots) noteLine(line)
      if (event.type === 'ready') lots.isReady = true
      if (event.type === 'sale') lots.extensions = event.extensions
      version += 1
    },
  }
  return lots
}

/** @param {Lot} lot */
const endMsOf = ({ line }) => Date.parse(line.effectiveEndTime)

/** What came of the lots, and what is open. @param {readonly Lot[]} lots @param {Sale} sale */
function countsOf(lots, { currency }) {
  const counts = { lots: lots.length, open: 0, sold: 0, unsold: 0, cancelled: 0 }
  let minor = 0n
  for (const { line } of lots) {
    const { outcome, price } = line
    counts[outcome === undefined ? 'open' : outcome === 'bought' ? 'sold' : outcome] += 1
    if (price !== undefined) minor += minorOf(price, currency)
  }
  return { ...counts, total: amountOf(minor, currency) }
}

/**
 * What the reader has to pay: for the lots that were won, and at most for those that the reader may still win. The latter is undefined if
 * the service does not tell the reader a maximum.
 * @param {readonly Lot[]} own @param {Sale} sale @param {Reader} reader
 */
function totalsOf(own, { currency }, reader) {
  const totals = { leads: 0, outbid: 0, won: 0 }
  let toPay = 0n
  let atMost = /** @type {bigint | undefined} */ (0n)
  for (const { standing, detail, line } of own) {
    if (detail === undefined) continue
    if (standing === 'outbid') totals.outbid += 1
    if (standing === 'won') {
      totals.won += 1
      toPay += minorOf(line.price ?? 0, currency)
    }
    if (standing !== 'leads' && standing !== 'sealed') continue
    totals.leads += 1
    const sealed = standing === 'sealed' ? Number(reader.sealedBidIn(detail)) : undefined
    const most = sealed ?? detail.yourMaximum ?? detail.currentPrice ?? 0
    const isKnown = sealed !== undefined || detail.youLead !== undefined
    atMost = isKnown && atMost !== undefined ? atMost + minorOf(most, currency) : undefined
  }
  const most = atMost === undefined ? undefined : amountOf(atMost, currency)
  return { ...totals, toPay: amountOf(toPay, currency), atMost: most }
}

/** The lots whose titles have all words, or with this number. @param {readonly Lot[]} lots @param {string} typed */
function foundIn(lots, typed) {
  if (typed.trim() === '') return lots
  const words = typed.trim().toLowerCase().split(/\s+/)
  return lots.filter(({ lot, line: { title = '' } }) => {
    const text = title.toLowerCase()
    return lot.toLowerCase() === words.join('') || words.every((word) => text.includes(word))
  })
}
