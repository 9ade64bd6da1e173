import { type Auction, statusAt } from '@auction/domain/auction'
import type { AuctionPosition, AuctionQuery, AuctionStore } from '@auction/domain/ports/auction-store'

/** The steps of the plainest auction store, each of which can be swapped for a wrong one. */
export type PlainAuctionSteps = {
  readonly copyIn: (auction: Auction) => Auction
  readonly copyOut: (auction: Auction) => Auction
  readonly isTaken: (auction: Auction, stored: readonly Auction[]) => boolean
  readonly beforeInsert: (() => Promise<void>) | undefined
  readonly order: (a: AuctionPosition, b: AuctionPosition) => number
  readonly isAfter: (position: AuctionPosition, after: AuctionPosition) => boolean
  readonly hasStatus: (auction: Auction, status: NonNullable<AuctionQuery['status']>) => boolean
  readonly cut: (found: readonly Auction[], limit: number) => readonly Auction[]
}

const newestFirst = (a: AuctionPosition, b: AuctionPosition) => b.createdAtMs - a.createdAtMs || b.id - a.id

const rightSteps: PlainAuctionSteps = {
  copyIn: (auction) => structuredClone(auction),
  copyOut: (auction) => structuredClone(auction),
  isTaken: ({ id }, stored) => stored.some((auction) => auction.id === id),
  beforeInsert: undefined,
  order: newestFirst,
  isAfter: (position, after) => newestFirst(position, after) > 0,
  hasStatus: (auction, { is, nowMs }) => statusAt(auction, nowMs) === is,
  cut: (found, limit) => found.slice(0, limit),
}

/** A store that is right unless a step is swapped. */
export function plainAuctions(swapped: Partial<PlainAuctionSteps> = {}): AuctionStore {
  const steps = { ...rightSteps, ...swapped }
  const stored: Auction[] = []

  return {
    async insert(auction) {
      if (steps.isTaken(auction, stored)) return 'taken'
      if (steps.beforeInsert !== undefined) await steps.beforeInsert()
      stored.push(steps.copyIn(auction))
      return 'inserted'
    },

    async find(id) {
      const auction = stored.findLast((each) => each.id === id)
      return auction && steps.copyOut(auction)
    },

    async list({ limit, after, status }) {
      const found = stored
        .toSorted(steps.order)
        .filter((auction) => after === undefined || steps.isAfter(auction, after))
        .filter((auction) => status === undefined || steps.hasStatus(auction, status))
      return steps.cut(found, limit).map((auction) => steps.copyOut(auction))
    },
  }
}
