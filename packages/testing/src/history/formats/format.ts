import type { Auction, AuctionEvent, Closed, NewBid } from '@auction/domain/auction'
import type { AuctionEntry, Entry } from '@auction/domain/store'
import type {
  OwnWithdrawalOf,
  PurchaseOf,
  Refused,
  ReserveReductionOf,
  SeenBid,
  SeenFigures,
  Violation,
} from '../../history.ts'
import type { CommandAttempt } from '../attempts.ts'
import type { LedgerState, Timeline } from '../ledger-states.ts'
import type { Said } from '../registers/timelines.ts'

/** A problem of an entry, and the invariant that it violates; false without a problem. */
export type Finding = readonly [invariant: Violation['invariant'], finding: string] | false

const lifeTypes = ['corrected', 'extended', 'withdrawn', 'ended-early', 'cancelled', 'closed'] as const

/** An event of one format only. */
type OwnEvent = Exclude<AuctionEvent, { readonly type: (typeof lifeTypes)[number] }>
export type OwnEntry = AuctionEntry<OwnEvent>

export const isOwn = (entry: Entry): entry is OwnEntry => !lifeTypes.some((type) => type === entry.event.type)

/** The request that an own event records, as clients send it, with the response to a bid. */
export type RecordedRequest =
  | { readonly type: 'place-bid'; readonly bid: NewBid; readonly response: Omit<SeenBid, 'id'> }
  | { readonly type: 'buy-now'; readonly purchase: PurchaseOf }
  | { readonly type: 'withdraw-own-bid'; readonly withdrawal: OwnWithdrawalOf }
  | { readonly type: 'lower-reserve'; readonly repair: ReserveReductionOf }

/** The members of a state that an own event changes, and those of its repairs. A result ends the auction. */
export type Change = {
  readonly standing?: object
  readonly extendedEndMs?: number | undefined
  readonly repairs?: object
  readonly result?: object
}

/** What everybody sees of an entry. */
export type ShownEvent = { readonly type: string; readonly [member: string]: unknown }

/** A refusal of a command by the rules, with the data that can make it true. */
export type RefusedCommand = {
  readonly response: Refused
  readonly attempt: CommandAttempt
  readonly timeline: Timeline
  /** The possible states of the ledger between request and response. */
  readonly states: readonly LedgerState[]
  /** What the possible states of the auction's register say of a bidder or buyer; empty without a register. */
  readonly said: readonly Said[]
  /** The possible times at which the request had arrived, by a server's clock. */
  readonly earliestMs: number
  readonly latestMs: number
}

export type IsTrue = (refused: RefusedCommand) => boolean

/**
 * What the checker knows of a format: a second, simple implementation of its rules that shares no code with the
 * service. A checker that shares the rules shares their mistakes. `before` is the previous entry, if any, and `earlier`
 * are all entries before.
 *
 * The members are methods: so the table of formats may pass a format the auctions and entries that name it.
 */
export interface Format {
  /** What stands without offers: the members that a format has in a state. */
  readonly none: object
  /** Whether corrections, and cancellations without force, end with the start. */
  readonly isFixedFromStart?: true
  /** Whether own entries are secret: neither their number nor that of a bidder shows outside. */
  readonly hidesOwn?: true
  /** The commands that auctions of the format do not have. */
  readonly lacks?: readonly CommandAttempt['type'][]
  /** Takes what stands out of a state, or out of a withdrawal. */
  standingIn(members: object): object
  /** Whether an offer stands. */
  hasOffers(standing: object): boolean
  requestIn(entry: OwnEntry): RecordedRequest
  /** The problems of an own entry. Its time, its user and the number of repairs are checked for all formats. */
  findingsOf(
    auction: Auction,
    before: Entry | undefined,
    entry: OwnEntry,
    earlier: readonly Entry[],
  ): readonly Finding[]
  changeBy(auction: Auction, before: Entry | undefined, entry: OwnEntry): Change
  /** What stands after the request of an own entry is decided again on another standing, for a withdrawal. */
  again(auction: Auction, standing: object, entry: OwnEntry): object
  /** What stands after any entry, if other entries than own ones change that, too. */
  standingAfter?(before: Entry | undefined, entry: Entry): object
  /** The number of consecutive ids that an own event takes, from that of its entry on: 1 if it is absent. */
  idsOf?(event: OwnEvent): number
  /** The result of an auction that ends by time. The event has the facts that the state does not have. */
  result(auction: Auction, before: Entry | undefined, closed: Closed, earlier: readonly Entry[]): object
  /** What is wrong with the format's part of a corrected auction; undefined if nothing is. */
  problemOf(corrected: Auction): string | undefined
  /** The auction with what repairs have changed of its terms. */
  withRepairs?(auction: Auction, head: Entry): Auction
  /** The terms that no correction changes. */
  readonly fixed?: readonly string[]
  /** Whether English terms have members for which the auction and its entries have the second stored version. */
  hasLaterTerms?(auction: Auction): boolean
  /** Whether a repair that the owner may make once has changed terms. It does not count as one of staff. */
  hasOwnersRepair?(before: Entry | undefined): boolean
  /** Terms that have another name and value in requests than in entries. */
  readonly renamed?: Readonly<Record<string, { readonly field: string; toField(stored: unknown): unknown }>>
  /** What a view and a refusal show of prices and bids after an entry. */
  figures(auction: Auction, head: Entry | undefined, isActive: boolean): Partial<SeenFigures>
  /** What a view and a refusal show in addition, if that depends on the time. */
  readonly byTime?: {
    figuresAt(auction: Auction, head: Entry | undefined, atMs: number): Partial<SeenFigures>
    /** The last time at which an open auction has figures. */
    lastMs(figures: Partial<SeenFigures>): number
  }
  /** What everybody sees of an own entry, without its figures; undefined for nothing. */
  publicEvent(entry: OwnEntry, before: Entry | undefined): ShownEvent | undefined
  /** The names of what only the owner or the bidder sees. */
  readonly secrets?: readonly string[]
  /** When refusals of the format's own rules are true, by their codes. */
  readonly refusals: Readonly<Record<string, IsTrue>>
}
