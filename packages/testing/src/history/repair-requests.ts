import type { AuctionId } from '@auction/domain/ids'
import { type Currency, toMinor } from '@auction/domain/money'
import { type RepairAttempt, show } from '../history.ts'
import { blockIn, type RepairEvent } from './repairs.ts'

/** The text of a request for a repair. */
export function askedForRepair(attempt: RepairAttempt, currency: Currency | undefined): string {
  const { auctionId, editor, reason } = attempt.repair
  const common = { type: attempt.type, auctionId, editor, reason }
  switch (attempt.type) {
    case 'extend-auction':
      return show({ ...common, endMs: attempt.repair.endTime.epochMs })
    case 'withdraw-bidder':
      return show({ ...common, bidderId: attempt.repair.bidderId, isBlocked: attempt.repair.isBlocked })
    case 'end-auction':
      return show(common)
    case 'lower-reserve':
      return show({ ...common, reservePriceMinor: currency && toMinor(attempt.repair.reservePrice, currency) })
    default:
      return attempt satisfies never
  }
}

/** The text of the request that an entry records, without its consequences. */
export function recordedRepair(auctionId: AuctionId, event: RepairEvent): string {
  const { editor, reason } = event
  const common = { auctionId, editor, reason }
  switch (event.type) {
    case 'extended':
      return show({ ...common, type: 'extend-auction', endMs: event.endMs })
    case 'withdrawn':
      return show({ ...common, type: 'withdraw-bidder', bidderId: event.bidderId, isBlocked: blockIn(event) })
    case 'ended-early':
      return show({ ...common, type: 'end-auction' })
    case 'reserve-lowered':
      return show({ ...common, type: 'lower-reserve', reservePriceMinor: event.reservePriceMinor })
    default:
      return event satisfies never
  }
}
