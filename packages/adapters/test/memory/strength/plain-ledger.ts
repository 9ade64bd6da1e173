import type { Bid } from '@auction/domain/bid'
import type { Ledger } from '@auction/domain/ports/ledger'

/** The steps of the plainest ledger, each of which can be swapped for a wrong one. */
export type PlainLedgerSteps = {
  readonly copyIn: (bid: Bid) => Bid
  readonly copyOut: (bid: Bid) => Bid
  readonly isTaken: (bid: Bid, stored: readonly Bid[]) => boolean
  readonly beforeInsert: (() => Promise<void>) | undefined
  readonly isOfAuction: (bid: Bid, auctionId: Bid['auctionId']) => boolean
  readonly newestFirst: (a: Bid, b: Bid) => number
  readonly isBefore: (bid: Bid, before: number) => boolean
  readonly cut: (found: readonly Bid[], limit: number) => readonly Bid[]
}

export const hasSequence = (a: Bid, b: Bid) => a.auctionId === b.auctionId && a.sequence === b.sequence

const rightSteps: PlainLedgerSteps = {
  copyIn: (bid) => structuredClone(bid),
  copyOut: (bid) => structuredClone(bid),
  isTaken: (bid, stored) => stored.some((each) => each.id === bid.id || hasSequence(each, bid)),
  beforeInsert: undefined,
  isOfAuction: (bid, auctionId) => bid.auctionId === auctionId,
  newestFirst: (a, b) => b.sequence - a.sequence,
  isBefore: (bid, before) => bid.sequence < before,
  cut: (found, limit) => found.slice(0, limit),
}

/** A ledger that is right unless a step is swapped. */
export function plainLedger(swapped: Partial<PlainLedgerSteps> = {}): Ledger {
  const steps = { ...rightSteps, ...swapped }
  const stored: Bid[] = []
  const of = (auctionId: Bid['auctionId']) =>
    stored.filter((bid) => steps.isOfAuction(bid, auctionId)).toSorted(steps.newestFirst)

  return {
    async append(bids) {
      for (const [index, bid] of bids.entries()) {
        if (steps.isTaken(bid, stored)) return { stored: index }
        if (steps.beforeInsert !== undefined) await steps.beforeInsert()
        stored.push(steps.copyIn(bid))
      }
      return { stored: bids.length }
    },

    async head(auctionId) {
      const head = of(auctionId)[0]
      return head && steps.copyOut(head)
    },

    async find(ids) {
      const wanted = new Set(ids)
      return stored.filter(({ id }) => wanted.has(id)).map((bid) => steps.copyOut(bid))
    },

    async page(auctionId, { limit, before }) {
      const found = of(auctionId).filter((bid) => before === undefined || steps.isBefore(bid, before))
      return steps.cut(found, limit).map((bid) => steps.copyOut(bid))
    },
  }
}
