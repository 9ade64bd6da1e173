import { type Bid, isSameBid } from '../bid.ts'
import type { AuctionId } from '../ids.ts'
import type { Ledger } from '../ports/ledger.ts'
import { StoreUnavailableError } from '../ports/store-unavailable.ts'
import { accepted, refused } from '../result.ts'
import { answer, fail, type Ticket } from './ticket.ts'

export type ConflictContext = {
  readonly ledger: Pick<Ledger, 'head' | 'find'>
  /** How many times a bid is decided again because another process took its sequence. */
  readonly maxConflicts: number
  /** How often the store may fail to answer for a bid before its outcome is given up as unknown. */
  readonly maxFailures: number
}

/** A ticket with the bid that was appended for it. */
export type SentBid = { readonly ticket: Ticket; readonly bid: Bid }

type Settled = {
  /** How many of the bids are stored, from the first on. */
  readonly stored: number
  /** The auction's last bid, if it is known. */
  readonly head: Bid | undefined
}

/**
 * Settles bids of one auction of which the first has a key that is taken: by itself, as a driver, a proxy or a router may send
 * an append twice; or by another bid. Those that are stored are answered, and those behind them may be sent again as they
 * were. If none is, it is a conflict: all but the first may be decided again, and so may the first unless its retry key has made
 * a bid before, or it has met too many conflicts.
 *
 * The head is read at the same time, so that nobody falls behind in a race by looking for its own first.
 */
export async function settleConflict(
  context: ConflictContext,
  auctionId: AuctionId,
  sent: readonly SentBid[],
): Promise<Settled> {
  const [found, head] = await Promise.allSettled([findOwn(context, sent), context.ledger.head(auctionId)])
  if (found.status === 'rejected') {
    for (const { ticket } of sent) fail(ticket, found.reason)
    return { stored: 0, head: undefined }
  }
  const byId = new Map(found.value.map((bid) => [bid.id, bid]))
  const firstMissing = sent.findIndex(({ bid }) => !isSameBid(bid, byId.get(bid.id)))
  const stored = firstMissing === -1 ? sent.length : firstMissing
  for (const { ticket, bid } of sent.slice(0, stored)) answer(ticket, accepted(bid))
  const [first] = sent
  if (stored === 0 && first !== undefined) endConflict(context, first.ticket, byId.get(first.bid.id))
  return { stored, head: head.status === 'fulfilled' ? head.value : undefined }
}

/** `madeBefore` is the bid that has the ticket's reserved id, if that is what was taken. */
function endConflict({ maxConflicts }: ConflictContext, ticket: Ticket, madeBefore: Bid | undefined): void {
  ticket.conflicts += 1
  if (madeBefore !== undefined) answer(ticket, accepted(madeBefore))
  else if (ticket.conflicts > maxConflicts) answer(ticket, refused({ code: 'overloaded' }))
}

async function findOwn({ ledger, maxFailures }: ConflictContext, sent: readonly SentBid[]): Promise<readonly Bid[]> {
  const ids = sent.map(({ bid }) => bid.id)
  for (let failures = 1; ; failures++) {
    try {
      return await ledger.find(ids)
    } catch (error) {
      if (!(error instanceof StoreUnavailableError) || failures >= maxFailures) throw error
    }
  }
}
