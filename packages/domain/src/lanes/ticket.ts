import type { AuctionTerms } from '../auction.ts'
import type { Bid, NewBid } from '../bid.ts'
import type { BidRefusal } from '../bidding.ts'
import type { AuctionId, BidId } from '../ids.ts'
import type { Result } from '../result.ts'
import type { ValidationFailed } from '../validation.ts'

/** Why a bid did not get into the ledger. `overloaded` says nothing about the bid itself: it may be tried again. */
export type LaneRefusal =
  | BidRefusal
  | ValidationFailed
  | { readonly code: 'auction-not-found'; readonly auctionId: AuctionId }
  | { readonly code: 'overloaded' }

export type LaneOutcome = Result<Bid, LaneRefusal>

/** A bid on its way, with the promise that its caller waits on. */
export type Ticket = {
  readonly bid: NewBid
  /** The id the bid must have, when its caller has reserved one. */
  readonly id: BidId | undefined
  readonly resolve: (outcome: LaneOutcome) => void
  readonly reject: (error: unknown) => void
  conflicts: number
  isAnswered: boolean
}

export function answer(ticket: Ticket, outcome: LaneOutcome): void {
  ticket.isAnswered = true
  ticket.resolve(outcome)
}

export function answerAll(tickets: readonly Ticket[], outcome: LaneOutcome): void {
  for (const ticket of tickets) answer(ticket, outcome)
}

export function fail(ticket: Ticket, error: unknown): void {
  ticket.isAnswered = true
  ticket.reject(error)
}

/** What a process remembers of an auction: its terms, which never change, and the last head it saw. */
export type Knowledge = { readonly terms: AuctionTerms; readonly head: Bid | undefined }
