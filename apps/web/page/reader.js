import { sessionOf, visitor } from './session.js'

/** @typedef {ReturnType<typeof createReader>} Reader */
/** @typedef {'leads' | 'outbid' | 'won' | 'lost' | 'none'} Standing What an auction is to the reader. */

/**
 * What the page knows of its reader: from the token, and from the reader's own reads and writes. What all readers see contains no reader,
 * so the page never infers one from it.
 * @param {number} user The user to act for, unless the token identifies one.
 */
export function createReader(user) {
  /** The reader's pseudonyms, by auction. @type {Map<number, number>} */
  const pseudonyms = new Map()

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
      pseudonyms.clear()
    },

    /** Notes the reader's pseudonym, which their own reads and the responses to their own writes contain. @param {number} auctionId @param {number | undefined} pseudonym */
    notePseudonym(auctionId, pseudonym) {
      if (pseudonym !== undefined && pseudonym < 0) pseudonyms.set(auctionId, pseudonym)
    },

    /** @param {number} auctionId */
    pseudonymOf: (auctionId) => pseudonyms.get(auctionId),

    /** Whether a bidder is the reader, by id or pseudonym. @param {number} auctionId */
    isSelf: (auctionId) => (/** @type {number | null} */ id) =>
      id !== null && reader.session !== visitor && (id === reader.user || id === pseudonyms.get(auctionId)),

    /** Whether the reader leads; undefined if the page cannot know. @param {import('./client.js').Auction} auction */
    leads({ id, leaderId, youLead }) {
      if (leaderId === null || reader.session === visitor) return false
      if (youLead !== undefined) return youLead
      return leaderId < 0 && !pseudonyms.has(id) ? undefined : reader.isSelf(id)(leaderId)
    },

    /** @param {import('./client.js').Auction} auction @returns {Standing} */
    standingOf(auction) {
      const { id, result, leaderId } = auction
      const hasBid = reader.bidOn.has(id)
      if (result === null) {
        const leads = reader.leads(auction)
        return leads ? 'leads' : leads === false && leaderId !== null && hasBid ? 'outbid' : 'none'
      }
      const buyer = result.outcome === 'sold' ? result.winnerId : result.outcome === 'bought' ? result.buyerId : null
      return reader.isSelf(id)(buyer) ? 'won' : hasBid ? 'lost' : 'none'
    },
  }
  return reader
}
