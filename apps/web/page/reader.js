/** @import { Auction } from './client.js' */
/** @typedef {ReturnType<typeof createReader>} Reader */
/** @typedef {'leads' | 'outbid' | 'sealed' | 'withdrawn' | 'won' | 'lost' | 'none'} Standing What an auction is to the reader. */
/** @typedef {number | 'withdrawn' | null} SealedBid The last bid of the reader: its amount, or null without one. */

/**
 * What the page knows of its reader: from the token, and from the reader's own reads and writes. What all readers see contains no reader,
 * so the page never infers one from it.
 * @param {number} user The user to act for, unless the token identifies one.
 */
export function createReader(user) {
  /** The reader's pseudonyms, by auction. @type {Map<number, number>} */
  const pseudonyms = new Map()
  /** The reader's bids in auctions with sealed bids. @type {Map<number, SealedBid>} */
  const sealedBids = new Map()
  /** How many of them the reader has placed and withdrawn here. */
  let writes = 0

  /** @param {number} id @param {SealedBid} bid */
  function setSealedBid(id, bid) {
    // A read has no amount after a withdrawal, as without a bid.
    sealedBids.set(id, bid ?? (sealedBids.get(id) == null ? null : 'withdrawn'))
    if (typeof bid === 'number') reader.bidOn.add(id)
    else reader.bidOn.delete(id)
  }

  const reader = {
    session: visitor,
    user,
    /** Whether the token is missing, expired or invalid. */
    isSignedOut: false,
    /** The auctions on which the reader has bids that count. @type {Set<number>} */
    bidOn: new Set(),

    isVisitor: () => reader.session === visitor,

    /** @param {string} bearer */
    identify(bearer) {
      reader.session = sessionOf(bearer)
      reader.user = reader.session.user ?? reader.user
    },

    /** @param {number} chosen */
    actAs(chosen) {
      reader.user = chosen
      reader.bidOn.clear()
      sealedBids.clear()
      pseudonyms.clear()
    },

    /** Notes the reader's pseudonym, which their own reads and the responses to their own writes contain. @param {number} auctionId @param {number | undefined} pseudonym */
    notePseudonym(auctionId, pseudonym) {
      if (pseudonym !== undefined && pseudonym < 0) pseudonyms.set(auctionId, pseudonym)
    },

    /** The reader's sealed bid; undefined if the page cannot know, because the service does not bind the token to a user. @param {Auction} auction */
    sealedBidIn: ({ id }) => sealedBids.get(id),

    /** @param {number} auctionId @param {number | 'withdrawn'} bid */
    noteSealedBid(auctionId, bid) {
      writes += 1
      setSealedBid(auctionId, bid)
    },

    /** Begins to read. What the reader writes in the meantime is newer. Returns what notes a bid that was read. */
    startReadingBids() {
      const before = writes
      return (/** @type {number} */ id, /** @type {SealedBid | undefined} */ bid, isOld = false) => {
        if (bid !== undefined && writes === before && !(isOld && sealedBids.has(id))) setSealedBid(id, bid)
      }
    },

    /** @param {number} auctionId */
    pseudonymOf: (auctionId) => pseudonyms.get(auctionId),

    /** Whether a bidder is the reader, by id or pseudonym. @param {number} auctionId */
    isSelf: (auctionId) => (/** @type {number | null} */ id) =>
      id !== null && reader.session !== visitor && (id === reader.user || id === pseudonyms.get(auctionId)),

    /** Whether an auction is an offer to the reader; undefined if the page cannot know. @param {Auction} auction */
    isOfferedTo({ id, offeredTo }) {
      if (offeredTo === undefined) return undefined
      const isUnknown = offeredTo < 0 && !pseudonyms.has(id) && reader.session !== visitor
      return isUnknown ? undefined : reader.isSelf(id)(offeredTo)
    },

    /** Whether the reader leads; undefined if the page cannot know. @param {Auction} auction */
    leads({ id, leaderId, youLead }) {
      if (leaderId == null || reader.session === visitor) return false
      if (youLead !== undefined) return youLead
      return leaderId < 0 && !pseudonyms.has(id) ? undefined : reader.isSelf(id)(leaderId)
    },

    /** @param {Auction} auction @returns {Standing} */
    standingOf(auction) {
      const { id, result, leaderId } = auction
      const hasBid = reader.bidOn.has(id)
      const sealedBid = sealedBids.get(id)
      if (sealedBid === 'withdrawn') return sealedBid
      if (result === null) {
        if (typeof sealedBid === 'number') return 'sealed'
        const leads = reader.leads(auction)
        return leads ? 'leads' : leads === false && leaderId != null && hasBid ? 'outbid' : 'none'
      }
      const buyer = result.outcome === 'sold' ? result.winnerId : result.outcome === 'bought' ? result.buyerId : null
      return reader.isSelf(id)(buyer) ? 'won' : hasBid ? 'lost' : 'none'
    },
  }
  return reader
}

/** The permissions by the end of their default names, such as `auction-service:Bids:Create`. */
const names = {
  create: [':Auctions:Create'],
  bid: [':Bids:Create'],
  cancel: [':Auctions:Cancel', ':Auctions:Cancel:Any'],
  cancelAny: [':Auctions:Cancel:Any'],
  correct: [':Auctions:Update', ':Auctions:Update:Any'],
  manage: [':Auctions:Manage'],
  register: [':Registers:Manage'],
  readRegisters: [':Registers:Read'],
  manageSales: [':Sales:Manage'],
}

/**
 * What a token permits, and the user that it identifies, if any.
 * @typedef {Record<keyof typeof names, boolean> & { user: number | undefined }} Session
 */

/** @param {(ends: readonly string[]) => boolean} has @param {number} [user] @returns {Session} */
const sessionWith = (has, user) => ({
  create: has(names.create),
  bid: has(names.bid),
  cancel: has(names.cancel),
  cancelAny: has(names.cancelAny),
  correct: has(names.correct),
  manage: has(names.manage),
  register: has(names.register),
  readRegisters: has(names.readRegisters),
  manageSales: has(names.manageSales),
  user,
})

/** A visitor has no token. */
const visitor = sessionWith(() => false)

/**
 * Reads the claims of a token. Operators can rename permissions: if none is known, the page offers everything, and the service decides.
 * @param {string} token
 */
export function sessionOf(token) {
  const claims = claimsOf(token)
  const words = JSON.stringify(claims).split(/["\s]/)
  /** @param {readonly string[]} ends */
  const has = (ends) => words.some((word) => ends.some((end) => word.endsWith(end)))
  const isKnown = Object.values(names).some(has)
  return sessionWith((ends) => !isKnown || has(ends), userIn(claims))
}

/** None if the payload is not a JSON object. @param {string} token @returns {Record<string, unknown>} */
function claimsOf(token) {
  try {
    const claims = JSON.parse(atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')))
    return typeof claims === 'object' && claims !== null && !Array.isArray(claims) ? claims : {}
  } catch {
    return {}
  }
}

const userId = /^[1-9]\d{0,15}$/

/** The claim that is the id of a user. The service knows its name, and `sub` is often another one. @param {Record<string, unknown>} claims */
function userIn({ exp: _exp, iat: _iat, nbf: _nbf, sub, ...claims }) {
  const values = [...Object.values(claims), sub, ...valuesWithin(claims)]
  return values
    .filter((value) => userId.test(String(value)))
    .map(Number)
    .find(Number.isSafeInteger)
}

/** The values of claims within others, but for objects by ids, such as limits by registers. @param {object} claims @returns {readonly unknown[]} */
const valuesWithin = (claims) =>
  Object.values(claims)
    .filter((value) => typeof value === 'object' && value !== null && !Array.isArray(value))
    .filter((inner) => !Object.keys(inner).some((name) => userId.test(name)))
    .flatMap((inner) => [...Object.values(inner), ...valuesWithin(inner)])
