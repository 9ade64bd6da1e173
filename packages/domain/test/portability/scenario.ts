import { createMemoryStore } from '@auction/adapters/memory'
import { createAuctionService } from '@auction/domain'
import { toUserId } from '@auction/domain/ids'
import { parseMoment } from '@auction/domain/moment'
import { toDecimal } from '@auction/domain/money'
import { parseNewAuction, parseNewBid } from '@auction/domain/parsing'

// Runs in a bare JavaScript context: this code may use only the language itself.

const epochMsOf = (iso: string): number => parseMoment(iso)?.epochMs ?? Number.NaN

/**
 * Creates an auction, places bids of which one is refused and one is sent twice, lets the auction end, and returns the
 * results as JSON.
 */
export async function scenario(): Promise<string> {
  let nowMs = epochMsOf('2030-01-31T13:00:00Z')
  // The store of this scenario is fast, so no timer has to run.
  const clock = { nowMs: () => nowMs, after: () => () => undefined }
  const service = createAuctionService({ store: createMemoryStore(), clock })

  const invalid = parseNewAuction({ titel: '🏺' }, nowMs)
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
    nowMs,
  )
  if (invalid.ok || !fields.ok) return 'wrongly parsed'
  const created = await service.createAuction(fields.value)
  if (!created.ok) return created.refusal.code
  const { id } = created.value

  const place = async (bidderId: number, amount: number, key?: string) => {
    const bid = parseNewBid({ auctionId: id, bidderId, amount })
    if (!bid.ok) return 'wrongly parsed'
    const placed = await service.placeBid(bid.value, key === undefined ? undefined : { caller: 'user', key })
    return placed.ok ? toDecimal(placed.value.amountMinor, placed.value.currency) : placed.refusal.code
  }
  const placed = [await place(2, 1.005), await place(3, 1.009), await place(3, 1.01, 'k'), await place(3, 1.01, 'k')]
  const open = await service.readAuction(id)
  nowMs = epochMsOf('2030-02-07T12:00:03Z')
  const { closed } = await service.closeDue()
  const ended = await service.readAuction(id)
  const bids = await service.listBids(id, { limit: 10 })
  const own = await service.listBidsOfBidder(toUserId(3), { limit: 10 })
  return JSON.stringify({
    errors: invalid.refusal.errors.length,
    placed,
    status: open.ok && open.value.status,
    minimumNextBidMinor: open.ok && open.value.minimumNextBidMinor,
    closed,
    result: ended.ok && ended.value.result,
    bids: bids.ok && bids.value.items.map(({ id, amountMinor }) => [id, amountMinor]),
    own: own.ok && own.value.items.map(({ bid, standing }) => [bid.id, standing]),
  })
}
