import type { Bid, NewBid } from '../bid.ts'
import { type KeyReused, type RetryKey, reservedId } from '../idempotency.ts'
import { bidLanes, defaultLaneLimits, type LaneLimits, type LanePorts } from '../lanes/lanes.ts'
import type { LaneRefusal } from '../lanes/ticket.ts'
import { toDecimal } from '../money.ts'
import type { IdempotencyStore } from '../ports/idempotency-store.ts'
import { nothingChangedIfItFails } from '../ports/store-unavailable.ts'
import { accepted, type Result, refused } from '../result.ts'

export type PlaceBidPorts = LanePorts & { readonly idempotencyKeys: IdempotencyStore }

export type { LaneLimits }

export type PlaceBidRefusal = LaneRefusal | KeyReused
export type PlaceBid = (bid: NewBid, retry?: RetryKey) => Promise<Result<Bid, PlaceBidRefusal>>

/**
 * Places bids: what it answers is stored, and what it refuses is not. Make one of these in a process, not one for each bid:
 * bids of the same process share lanes and appends.
 * @throws StoreUnavailableError when the store can't be asked; its `outcome` tells whether the bid may be stored.
 */
export function placeBidUseCase(ports: PlaceBidPorts, limits: Partial<LaneLimits> = {}): PlaceBid {
  const lanes = bidLanes(ports, { ...defaultLaneLimits, ...limits })

  async function placeOnce(bid: NewBid, retry: RetryKey): Promise<Result<Bid, PlaceBidRefusal>> {
    const scope = { ...retry, operation: 'place-bid' } as const
    const id = await nothingChangedIfItFails(reservedId(ports, ports.bidIds, scope))
    const outcome = await lanes.submit(bid, id)
    // A bid that is stored stands in its own way: its retry is too low, or comes after the end. So look before refusing.
    const stored = outcome.ok ? outcome.value : (await ports.ledger.find([id]))[0]
    if (stored === undefined) return outcome
    return isSameRequest(stored, bid) ? accepted(stored) : refused({ code: 'idempotency-key-reused' })
  }

  return (bid, retry) => (retry === undefined ? lanes.submit(bid) : placeOnce(bid, retry))
}

const isSameRequest = (stored: Bid, bid: NewBid): boolean =>
  stored.auctionId === bid.auctionId &&
  stored.bidderId === bid.bidderId &&
  toDecimal(stored.amountMinor, stored.currency) === bid.amount
