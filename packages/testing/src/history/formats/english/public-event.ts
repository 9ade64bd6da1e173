import type { ShownEvent } from '../format.ts'
import { leaderOf } from './prices.ts'
import type { Before, EnglishEntry } from './types.ts'

/** Bids, or a lower reserve without its amount. A raised maximum without an automatic bid shows nothing. */
export function publicEvent(entry: EnglishEntry, before: Before): ShownEvent | undefined {
  const { event, state } = entry
  if (event.type === 'reserve-lowered') {
    return { type: event.type, by: event.by, reason: event.reason, bids: bidsIn(entry) }
  }
  if (state.bidCount === (before?.state.bidCount ?? 0)) return undefined
  const previousId = leaderOf(before)?.bidderId
  const previousLeaderId = previousId === state.leader?.bidderId ? undefined : previousId
  return { type: 'bids', bids: bidsIn(entry), previousLeaderId }
}

/** The bids of an entry: the placed one, and the automatic one, which has the next id. */
function bidsIn({ id, auctionId, event, currency, atMs, state }: EnglishEntry): readonly object[] {
  const common = { auctionId, currency, timestampMs: atMs }
  const placed = event.type === 'bid-placed' && {
    ...{ id, bidderId: event.bidderId, amountMinor: event.amountMinor },
    paddle: event.admission?.paddle,
  }
  // The bidder of an automatic bid leads after it.
  const reply = { id: id + 1, paddle: state.leader?.paddle, automatic: true }
  const automatic = event.type !== 'bought' && event.automatic && { ...reply, ...event.automatic }
  return [placed, automatic].flatMap((bid) => (bid ? [{ ...common, ...bid }] : []))
}
