import { systemClock } from '@auction/adapters/system'
import { type AuctionService, createAuctionService } from '@auction/domain'
import { type AuctionId, type RegisterId, toUserId, type UserId } from '@auction/domain/ids'
import { parseNewAuction, parseNewBid } from '@auction/domain/parsing'
import { unwrap } from '@auction/domain/result'
import type { Store } from '@auction/domain/store'
import type { Operation } from './measure/closed-loop.ts'
import { nextRetryKey } from './stores/bench-store.ts'

export const bidderId = toUserId(2)

/**
 * Bids come from 100,000 bidders in an order that is not that of their ids, because stores keep an index of the bids of
 * each bidder.
 */
const nthBidder = (count: number) => toUserId(2 + ((count * 7_919) % 100_000))

export const newBid = (auctionId: AuctionId, bidderId: UserId, dollars: number) =>
  unwrap(parseNewBid({ auctionId, bidderId, amount: dollars }))

/** An auction that accepts bids from one dollar on, in increments of a cent. */
export const auctionFields = {
  productId: 1,
  ownerId: 1,
  title: 'Walnut desk',
  startingPrice: 1,
  minimumBidIncrement: 0.01,
  currency: 'USD',
  startTime: '2020-01-01T00:00:00Z',
  endTime: '2999-12-31T23:59:59Z',
}

export async function createAuctions(service: AuctionService, count: number, registerId?: RegisterId) {
  const ids: AuctionId[] = []
  const fields = unwrap(parseNewAuction({ ...auctionFields, registerId }, 0))
  await repeat(count, async () => void ids.push(unwrap(await service.createAuction(fields)).id))
  return ids
}

/**
 * Counts the offers of all clients: auctions take turns, from 0, and each offer on an auction is a dollar higher. The
 * first auction of each round is the next one: otherwise servers that get requests in turn might get the same auctions in
 * each round.
 */
export function risingOffers(auctions: number) {
  let count = 0
  return () => {
    const round = Math.floor(count / auctions)
    const offer = {
      auction: (count + round) % auctions,
      dollars: 1 + round,
      bidderId: nthBidder(count),
    }
    count += 1
    return offer
  }
}

type Bidding = {
  readonly auctions: number
  readonly isKeyed?: boolean
  /** The register of the auctions, if they have one. */
  readonly registerId?: RegisterId | undefined
}

/**
 * A service on a store, and bids on auctions that already have a first bid, as in a service that has run for a while.
 */
export async function startBidding(store: Store, { auctions, isKeyed = false, registerId }: Bidding) {
  const service = createAuctionService({ store, clock: systemClock })
  const ids = await createAuctions(service, auctions, registerId)
  const nextOffer = risingOffers(auctions)
  const bid: Operation = async () => {
    const { auction, dollars, bidderId } = nextOffer()
    const auctionId = ids[auction] as AuctionId // Offers name auctions below the number of ids.
    const fields = newBid(auctionId, bidderId, dollars)
    return (await service.placeBid(fields, isKeyed ? nextRetryKey() : undefined)).ok ? 'accepted' : 'refused'
  }
  await repeat(auctions, async () => {
    if ((await bid(0)) === 'refused') throw new Error('the first bid on an auction was refused')
  })
  return { service, bid }
}

/** Runs an operation `times` times, with 64 in parallel. */
export async function repeat(times: number, operation: () => Promise<void>): Promise<void> {
  let left = times
  async function work(): Promise<void> {
    while (left-- > 0) await operation()
  }
  await Promise.all(Array.from({ length: 64 }, work))
}
