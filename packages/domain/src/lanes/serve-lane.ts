import type { LRUCache } from 'lru-cache'
import { type AuctionTerms, termsOf } from '../auction.ts'
import type { Bid, NewBid } from '../bid.ts'
import { type Acceptance, decide, type Head } from '../bidding.ts'
import type { AuctionId, BidId } from '../ids.ts'
import { notInCurrency, toMinor } from '../money.ts'
import type { AuctionStore } from '../ports/auction-store.ts'
import type { Clock } from '../ports/clock.ts'
import type { IdSource } from '../ports/id-source.ts'
import { nothingChanged, nothingChangedIfItFails } from '../ports/store-unavailable.ts'
import { accepted, refused } from '../result.ts'
import { validationFailed } from '../validation.ts'
import type { GroupWriter } from './group-writer.ts'
import { type ConflictContext, type SentBid, settleConflict } from './settle-conflict.ts'
import { answer, answerAll, fail, type Knowledge, type Ticket } from './ticket.ts'

/** What the lanes of a process share. */
export type LaneContext = ConflictContext & {
  readonly auctions: Pick<AuctionStore, 'find'>
  readonly bidIds: IdSource<BidId>
  readonly clock: Clock
  readonly writer: GroupWriter
  /** What waits for each auction that is being served. */
  readonly queues: Map<AuctionId, Ticket[]>
  readonly known: LRUCache<AuctionId, Knowledge>
}

/** How far the head that a lane goes by can be relied on, in the turn that it is in. */
type Certainty =
  /** The ledger may have gone on since. */
  | 'remembered'
  /** It was read, or confirmed by an append, since the turn began: a price may be said of it. */
  | 'current'
  /** It must be read before anything is decided on it. */
  | 'outdated'

/**
 * Serves the queue of one auction until it is empty. All that queued while the last bids were on their way is one turn, and
 * is decided in order. An acceptance may rest on a head of any age: if it is stale, the append finds the key taken.
 */
export async function serveLane(context: LaneContext, auctionId: AuctionId, queue: Ticket[]): Promise<void> {
  let knowledge = context.known.get(auctionId)
  let certainty: Certainty = 'remembered'
  let waiting = queue.splice(0)
  while (waiting.length > 0) {
    try {
      if (knowledge === undefined || certainty === 'outdated') {
        knowledge = await nothingChangedIfItFails(load(context, auctionId, knowledge))
        certainty = 'current'
      }
      if (knowledge === undefined) answerAll(waiting, refused({ code: 'auction-not-found', auctionId }))
      else {
        const entries = decideInOrder(knowledge, certainty, waiting, context.clock.nowMs())
        const head = entries.length === 0 ? undefined : await commit(context, knowledge.terms, entries)
        certainty = head === undefined ? 'outdated' : 'current'
        if (head !== undefined) knowledge = { terms: knowledge.terms, head }
      }
    } catch (error) {
      knowledge = undefined
      for (const ticket of waiting) if (!ticket.isAnswered) fail(ticket, error)
    }
    waiting = waiting.filter((ticket) => !ticket.isAnswered)
    if (waiting.length > 0) continue
    waiting = queue.splice(0)
    certainty = 'remembered'
  }
  if (knowledge !== undefined) context.known.set(auctionId, knowledge)
  context.queues.delete(auctionId) // In one step with finding the queue empty, so that nobody queues where nobody serves.
}

/** The auction's terms, with its head as the ledger has it now. */
async function load(
  context: LaneContext,
  auctionId: AuctionId,
  known: Knowledge | undefined,
): Promise<Knowledge | undefined> {
  const terms = known?.terms ?? (await findTerms(context, auctionId))
  return terms && { terms, head: await context.ledger.head(auctionId) }
}

async function findTerms({ auctions }: LaneContext, auctionId: AuctionId): Promise<AuctionTerms | undefined> {
  const auction = await auctions.find(auctionId)
  return auction && termsOf(auction)
}

type Entry = { readonly ticket: Ticket; readonly acceptance: Acceptance }

/**
 * Decides each ticket on the head that those before it leave behind, and answers what is final. Left unanswered are the
 * accepted ones, which are returned, and those too low for a head that is not known to be the ledger's.
 */
function decideInOrder(
  { terms, head: known }: Knowledge,
  certainty: Certainty,
  tickets: readonly Ticket[],
  nowMs: number,
): readonly Entry[] {
  const entries: Entry[] = []
  let head: Head | undefined = known
  for (const ticket of tickets) {
    const { bidderId, amount } = ticket.bid
    const amountMinor = toMinor(amount, terms.currency)
    if (amountMinor === undefined) {
      const fault = { pointer: '/amount', message: notInCurrency(amount, terms.currency) }
      answer(ticket, refused(validationFailed(fault)))
      continue
    }
    const decision = decide(terms, head, { bidderId, amountMinor }, nowMs)
    if (decision.outcome === 'accepted') {
      entries.push({ ticket, acceptance: decision })
      head = decision
    } else if (decision.refusal.code !== 'bid-too-low' || (certainty === 'current' && entries.length === 0)) {
      answer(ticket, refused(decision.refusal))
    }
  }
  return entries
}

/** Appends the entries and answers those that are stored. Answers the head as it is then, or undefined when it is not known. */
async function commit(context: LaneContext, terms: AuctionTerms, entries: readonly Entry[]): Promise<Bid | undefined> {
  const sent = await withIds(context, terms, entries)
  let left = sent
  while (left.length > 0) {
    const { stored, failure } = await context.writer.append(left.map(({ bid }) => bid))
    for (const { ticket, bid } of left.slice(0, stored)) answer(ticket, accepted(bid))
    left = left.slice(stored)
    if (failure !== undefined) {
      for (const { ticket } of left) fail(ticket, failure)
      return undefined
    }
    if (left.length === 0) break
    const settled = await settleConflict(context, terms.id, left)
    if (settled.stored === 0) return settled.head
    left = left.slice(settled.stored)
  }
  return sent.at(-1)?.bid
}

async function withIds(
  { bidIds }: LaneContext,
  terms: AuctionTerms,
  entries: readonly Entry[],
): Promise<readonly SentBid[]> {
  const sent: SentBid[] = []
  try {
    for (const { ticket, acceptance } of entries) {
      const id = ticket.id ?? (await bidIds.next())
      sent.push({ ticket, bid: toBid(id, terms, ticket.bid, acceptance) })
    }
  } catch (error) {
    throw nothingChanged(error)
  }
  return sent
}

const toBid = (id: BidId, terms: AuctionTerms, { bidderId }: NewBid, acceptance: Acceptance): Bid => ({
  id,
  auctionId: terms.id,
  sequence: acceptance.sequence,
  bidderId,
  amountMinor: acceptance.amountMinor,
  currency: terms.currency,
  timestampMs: acceptance.timestampMs,
})
