import type { LRUCache } from 'lru-cache'
import type { Bid } from '../bid.ts'
import { decide } from '../bidding.ts'
import type { AuctionId, BidId } from '../ids.ts'
import { notInCurrency, toMinor } from '../money.ts'
import type { AuctionStore } from '../ports/auction-store.ts'
import type { Clock } from '../ports/clock.ts'
import type { IdSource } from '../ports/id-source.ts'
import type { Ledger } from '../ports/ledger.ts'
import { nothingChangedIfItFails } from '../ports/store-unavailable.ts'
import { accepted, refused } from '../result.ts'
import { validationFailed } from '../validation.ts'
import type { GroupWriter } from './group-writer.ts'
import { answer, fail, type Knowledge, type Ticket } from './ticket.ts'

/** What the lanes of a process share. */
export type LaneContext = {
  readonly auctions: Pick<AuctionStore, 'find'>
  readonly ledger: Pick<Ledger, 'head' | 'find'>
  readonly bidIds: IdSource<BidId>
  readonly clock: Clock
  readonly writer: GroupWriter
  readonly known: LRUCache<AuctionId, Knowledge>
  /** How many times a bid is decided again because another process took its sequence. */
  readonly maxConflicts: number
}

/**
 * Answers the tickets of one auction, which it decides in their order. An acceptance may rest on a head of any age: when it
 * is stale, the append finds the key taken. A price that a refusal names was read, or confirmed by an append, since the
 * tickets' turn began.
 */
export async function serveLane(context: LaneContext, auctionId: AuctionId, tickets: readonly Ticket[]): Promise<void> {
  let waiting = tickets
  let knowledge = context.known.get(auctionId)
  let isCurrent = false
  try {
    while (waiting.length > 0) {
      if (knowledge === undefined || (isCurrent === false && waiting !== tickets)) {
        knowledge = await nothingChangedIfItFails(load(context, auctionId, knowledge))
        isCurrent = true
      }
      if (knowledge === undefined) {
        for (const ticket of waiting) answer(ticket, refused({ code: 'auction-not-found', auctionId }))
        return
      }
      const entries = await nothingChangedIfItFails(decideInOrder(context, knowledge, isCurrent, waiting))
      if (entries.length > 0) {
        const head = await commit(context, entries)
        isCurrent = head !== undefined
        if (head !== undefined) knowledge = { ...knowledge, head }
      }
      waiting = waiting.filter((ticket) => !ticket.isAnswered)
    }
    if (knowledge !== undefined) context.known.set(auctionId, knowledge)
  } catch (error) {
    context.known.delete(auctionId)
    for (const ticket of waiting) if (!ticket.isAnswered) fail(ticket, error)
  }
}

/** The auction with its head as the ledger has it now. */
async function load(
  context: LaneContext,
  auctionId: AuctionId,
  known: Knowledge | undefined,
): Promise<Knowledge | undefined> {
  const auction = known?.auction ?? (await context.auctions.find(auctionId))
  return auction && { auction, head: await context.ledger.head(auctionId) }
}

type Entry = { readonly bid: Bid; readonly ticket: Ticket }

/**
 * Decides each ticket on the head that those before it leave behind, and answers what is final. Left unanswered are the
 * accepted ones, which are returned, and those too low for a head that is not known to be the ledger's.
 */
async function decideInOrder(
  { bidIds, clock }: LaneContext,
  { auction, head: known }: Knowledge,
  isCurrent: boolean,
  tickets: readonly Ticket[],
): Promise<readonly Entry[]> {
  const nowMs = clock.nowMs()
  const entries: Entry[] = []
  let head = known
  for (const ticket of tickets) {
    const { bidderId, amount } = ticket.bid
    const amountMinor = toMinor(amount, auction.currency)
    if (amountMinor === undefined) {
      const fault = { pointer: '/amount', message: notInCurrency(amount, auction.currency) }
      answer(ticket, refused(validationFailed(fault)))
      continue
    }
    const decision = decide(auction, head, { bidderId, amountMinor }, nowMs)
    if (decision.outcome === 'accepted') {
      const { sequence, timestampMs } = decision
      const id = ticket.id ?? (await bidIds.next())
      head = { id, auctionId: auction.id, sequence, bidderId, amountMinor, currency: auction.currency, timestampMs }
      entries.push({ bid: head, ticket })
    } else if (decision.refusal.code !== 'bid-too-low' || (isCurrent && entries.length === 0)) {
      answer(ticket, refused(decision.refusal))
    }
  }
  return entries
}

/** Appends the entries and answers those that are stored. Answers the new head, or undefined when another bid came first. */
async function commit(context: LaneContext, entries: readonly Entry[]): Promise<Bid | undefined> {
  const written = await context.writer.append(entries.map(({ bid }) => bid))
  for (const { bid, ticket } of entries.slice(0, written.stored)) answer(ticket, accepted(bid))
  const next = entries[written.stored]
  if (next === undefined) return entries.at(-1)?.bid
  if (written.failure === undefined) await settleConflict(context, next)
  else for (const { ticket } of entries.slice(written.stored)) fail(ticket, written.failure)
  return undefined
}

/** A taken key: of the sequence, by another bid; or of the id, when the bid's retry key has made a bid before. */
async function settleConflict({ ledger, maxConflicts }: LaneContext, { bid, ticket }: Entry): Promise<void> {
  let stored: Bid | undefined
  try {
    if (ticket.id !== undefined) stored = (await ledger.find([bid.id]))[0]
  } catch (error) {
    fail(ticket, error)
    return
  }
  ticket.conflicts += 1
  if (stored !== undefined) answer(ticket, accepted(stored))
  else if (ticket.conflicts > maxConflicts) answer(ticket, refused({ code: 'overloaded' }))
}
