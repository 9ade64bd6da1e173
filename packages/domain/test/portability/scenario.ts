import { type Auction, parseNewAuction } from '@auction/domain/auction'
import { type Bid, parseNewBid } from '@auction/domain/bid'
import { parseMoment } from '@auction/domain/moment'
import { toDecimal } from '@auction/domain/money'
import type { AuctionStore } from '@auction/domain/ports/auction-store'
import type { IdempotencyStore, Reservation } from '@auction/domain/ports/idempotency-store'
import type { Ledger } from '@auction/domain/ports/ledger'
import { createAuctionUseCase } from '@auction/domain/use-cases/create-auction'
import { listBidsUseCase } from '@auction/domain/use-cases/list-bids'
import { placeBidUseCase } from '@auction/domain/use-cases/place-bid'
import { readAuctionUseCase } from '@auction/domain/use-cases/read-auction'

// Runs in a bare JavaScript context: whatever is here may use nothing but the language itself.

/** Just enough of a store for the scenario. */
function ports() {
  const auctions: Auction[] = []
  const bids: Bid[] = []
  const reservations: Reservation[] = []
  let lastId = 0
  const ids = <Id extends number>() => ({ next: async () => ++lastId as Id }) // Counting from 1, as every id does.
  const nowMs = parseMoment('2030-01-31T13:00:00Z')?.epochMs ?? Number.NaN

  return {
    clock: { nowMs: () => nowMs },
    auctionIds: ids<Auction['id']>(),
    bidIds: ids<Bid['id']>(),
    auctions: {
      insert: async (auction) => (auctions.push(auction) > 0 ? 'inserted' : 'taken'),
      find: async (id) => auctions.find((auction) => auction.id === id),
      list: async () => auctions,
    } satisfies AuctionStore,
    ledger: {
      append: async (appended) => ({ stored: bids.push(...appended) > 0 ? appended.length : 0 }),
      head: async (auctionId) => bids.findLast((bid) => bid.auctionId === auctionId),
      find: async (wanted) => bids.filter(({ id }) => wanted.includes(id)),
      page: async (auctionId, { limit }) =>
        bids
          .filter((bid) => bid.auctionId === auctionId)
          .toReversed()
          .slice(0, limit),
    } satisfies Ledger,
    idempotencyKeys: {
      insert: async (reservation) => (reservations.push(reservation) > 0 ? 'inserted' : 'taken'),
      latest: async ({ key }) => reservations.findLast((reservation) => reservation.key === key),
    } satisfies IdempotencyStore,
  }
}

/** Creates an auction, places bids of which one is refused and one sent twice, and tells what came of it, as JSON. */
export async function scenario(): Promise<string> {
  const all = ports()
  const faulty = parseNewAuction({ titel: '🏺' }, all.clock.nowMs())
  const fields = parseNewAuction(
    {
      productId: 7,
      ownerId: 1,
      title: '🏺',
      startingPrice: 1.005,
      minimumBidIncrement: 0.005,
      currency: 'KWD',
      startTime: '2030-01-31T12:00:00Z',
      endTime: '2030-02-07T12:00:00.123456789Z',
    },
    all.clock.nowMs(),
  )
  if (faulty.ok || !fields.ok) return 'wrongly parsed'
  const created = await createAuctionUseCase(all)(fields.value)
  if (!created.ok) return created.refusal.code

  const placeBid = placeBidUseCase(all)
  const place = async (bidderId: number, amount: number, key?: string) => {
    const bid = parseNewBid({ auctionId: created.value.id, bidderId, amount })
    if (!bid.ok) return 'wrongly parsed'
    const placed = await placeBid(bid.value, key === undefined ? undefined : { caller: 'user', key })
    return placed.ok ? toDecimal(placed.value.amountMinor, placed.value.currency) : placed.refusal.code
  }
  const placed = [await place(2, 1.005), await place(3, 1.009), await place(3, 1.01, 'k'), await place(3, 1.01, 'k')]
  const read = await readAuctionUseCase(all)(created.value.id)
  const bids = await listBidsUseCase(all)(created.value.id, { limit: 10 })
  return JSON.stringify({
    faults: faulty.refusal.faults.length,
    placed,
    status: read.ok && read.value.status,
    minimumNextBidMinor: read.ok && read.value.minimumNextBidMinor,
    sequences: bids.ok && bids.value.items.map(({ sequence }) => sequence),
  })
}
