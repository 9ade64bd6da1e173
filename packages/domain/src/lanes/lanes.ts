import { LRUCache } from 'lru-cache'
import type { NewBid } from '../bid.ts'
import type { AuctionId, BidId } from '../ids.ts'
import type { AuctionStore } from '../ports/auction-store.ts'
import type { Clock } from '../ports/clock.ts'
import type { IdSource } from '../ports/id-source.ts'
import type { Ledger } from '../ports/ledger.ts'
import { refused } from '../result.ts'
import { groupWriter } from './group-writer.ts'
import { serveLane } from './serve-lane.ts'
import type { Knowledge, LaneOutcome, Ticket } from './ticket.ts'

export type LanePorts = {
  readonly auctions: Pick<AuctionStore, 'find'>
  readonly ledger: Pick<Ledger, 'append' | 'find' | 'head'>
  readonly bidIds: IdSource<BidId>
  readonly clock: Clock
}

export type LaneLimits = {
  /** How many bids may wait for one auction; past that they are refused as `overloaded`. */
  readonly maxQueuedPerAuction: number
  /** How many bids go into one append. A lane's bids stay together, so it may be more by as many as a lane holds. */
  readonly maxBidsPerAppend: number
  /** Of how many auctions terms and head are remembered, the most recently used. */
  readonly maxKnownAuctions: number
  /** How many times a bid is decided again because another process took its sequence; past that it is `overloaded`. */
  readonly maxConflicts: number
  /** How often the store may fail to answer for a bid before its outcome is given up as unknown. */
  readonly maxFailures: number
}

export const defaultLaneLimits: LaneLimits = {
  maxQueuedPerAuction: 1_000,
  maxBidsPerAppend: 500,
  maxKnownAuctions: 100_000,
  maxConflicts: 100,
  maxFailures: 3,
}

export type Lanes = {
  /** Takes a bid to its auction's lane. `id` is the id the bid must have, when its caller has reserved one. */
  submit(bid: NewBid, id?: BidId): Promise<LaneOutcome>
}

/**
 * A lane for each auction that is being bid on. While a lane's bids are on their way into the ledger, others queue behind
 * them; then all that queued is decided in order. What all lanes accept goes through one group writer.
 */
export function bidLanes(ports: LanePorts, limits: LaneLimits): Lanes {
  const queues = new Map<AuctionId, Ticket[]>()
  const context = {
    ...ports,
    queues,
    writer: groupWriter(ports.ledger, limits),
    known: new LRUCache<AuctionId, Knowledge>({ max: limits.maxKnownAuctions }),
    maxConflicts: limits.maxConflicts,
    maxFailures: limits.maxFailures,
  }

  function submit(bid: NewBid, id?: BidId): Promise<LaneOutcome> {
    return new Promise((resolve, reject) => {
      const ticket: Ticket = { bid, id, resolve, reject, conflicts: 0, isAnswered: false }
      const queue = queues.get(bid.auctionId)
      if (queue === undefined) {
        const started = [ticket]
        queues.set(bid.auctionId, started)
        void serveLane(context, bid.auctionId, started)
      } else if (queue.length < limits.maxQueuedPerAuction) queue.push(ticket)
      else resolve(refused({ code: 'overloaded' }))
    })
  }

  return { submit }
}
