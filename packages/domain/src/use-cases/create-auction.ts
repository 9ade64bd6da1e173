import { type Auction, endsInThePast, type NewAuction } from '../auction.ts'
import { type KeyReused, type RetryKey, reservedId } from '../idempotency.ts'
import type { AuctionId } from '../ids.ts'
import { toDecimal } from '../money.ts'
import type { AuctionStore } from '../ports/auction-store.ts'
import type { Clock } from '../ports/clock.ts'
import type { IdSource } from '../ports/id-source.ts'
import type { IdempotencyStore } from '../ports/idempotency-store.ts'
import { nothingChangedIfItFails, StoreUnavailableError } from '../ports/store-unavailable.ts'
import { accepted, type Result, refused } from '../result.ts'
import { type ValidationFailed, validationFailed } from '../validation.ts'

export type CreateAuctionPorts = {
  readonly auctions: AuctionStore
  readonly auctionIds: IdSource<AuctionId>
  readonly idempotencyKeys: IdempotencyStore
  readonly clock: Clock
}

export type CreateAuctionResult = Result<Auction, ValidationFailed | KeyReused>
export type CreateAuction = (fields: NewAuction, retry?: RetryKey) => Promise<CreateAuctionResult>

// How often a store that did not answer is sent an insert. Stores wait on their own before they give up, so there is no
// pause in between.
const attempts = 3

/** Creates auctions: what it answers is stored. */
export function createAuctionUseCase(ports: CreateAuctionPorts): CreateAuction {
  return async (fields, retry) => {
    const late = endsInThePast(fields.endTime, ports.clock.nowMs())
    if (late !== undefined && retry === undefined) return refused(validationFailed(late))
    const id = await nothingChangedIfItFails(auctionId(ports, retry))
    if (late !== undefined) {
      const stored = await nothingChangedIfItFails(ports.auctions.find(id))
      return stored === undefined ? refused(validationFailed(late)) : madeBefore(stored, fields)
    }
    const auction: Auction = { ...fields, id, createdAtMs: ports.clock.nowMs() }
    if ((await insertSettled(ports.auctions, auction)) === 'inserted') return accepted(auction)
    // The id is nobody else's, so what is stored under it was made by an earlier try of this request, or under its key.
    const stored = await ports.auctions.find(id)
    if (stored === undefined) throw new StoreUnavailableError('an auction whose id is taken could not be read')
    return madeBefore(stored, fields)
  }
}

const auctionId = (ports: CreateAuctionPorts, retry: RetryKey | undefined): Promise<AuctionId> =>
  retry === undefined
    ? ports.auctionIds.next()
    : reservedId(ports, ports.auctionIds, { ...retry, operation: 'create-auction' })

// An insert whose answer was lost is sent again as it was: now it is stored, or its id is taken, by itself.
async function insertSettled(auctions: AuctionStore, auction: Auction): Promise<'inserted' | 'taken'> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await auctions.insert(auction)
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error
      if (attempt === attempts) return await foundAfterAll(auctions, auction.id, error)
    }
  }
}

/** One last look: the answers may have been lost where the insert was not. */
async function foundAfterAll(auctions: AuctionStore, id: AuctionId, error: StoreUnavailableError): Promise<'taken'> {
  if ((await auctions.find(id)) === undefined) throw error
  return 'taken'
}

const madeBefore = (stored: Auction, fields: NewAuction): CreateAuctionResult =>
  isSameRequest(stored, fields) ? accepted(stored) : refused({ code: 'idempotency-key-reused' })

const isSameRequest = (stored: Auction, fields: NewAuction): boolean =>
  stored.productId === fields.productId &&
  stored.ownerId === fields.ownerId &&
  stored.title === fields.title &&
  stored.description === fields.description &&
  stored.currency.code === fields.currency.code &&
  isSameAmount(stored, fields, 'startingPriceMinor') &&
  isSameAmount(stored, fields, 'minimumBidIncrementMinor') &&
  stored.startTime.iso === fields.startTime.iso &&
  stored.endTime.iso === fields.endTime.iso

// As decimals, which is how they were sent: the currency may have been given another exponent in between.
const isSameAmount = (
  a: NewAuction,
  b: NewAuction,
  field: 'startingPriceMinor' | 'minimumBidIncrementMinor',
): boolean => toDecimal(a[field], a.currency) === toDecimal(b[field], b.currency)
