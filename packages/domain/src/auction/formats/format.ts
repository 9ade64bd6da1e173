import type * as v from 'valibot'
import type { LedgerEntry } from '../../ledger/entry.ts'
import type { Sealer, SealingContext } from '../../sealer.ts'
import type { AuctionId, BidId, UserId } from '../../values/ids.ts'
import type { Moment } from '../../values/moment.ts'
import type { AmountMinor, Currency } from '../../values/money.ts'
import type { Result } from '../../values/result.ts'
import type { FieldError } from '../../values/validation.ts'
import type { CommonFields } from '../common-fields.ts'
import type { CommonAuction, TermsOf } from '../common-terms.ts'
import type { Life, Recorded } from '../life.ts'
import type { Closed, Facts } from '../life-events.ts'
import type { NotInFormat, RefusalRow } from '../life-refusals.ts'
import type {
  BuyNowCommand,
  LowerReserveCommand,
  OfferCommand,
  PlaceBidCommand,
  WithdrawOwnBidCommand,
} from '../offers.ts'
import type { Rules } from '../rules.ts'
import type { AuctionStatus } from '../status.ts'

/** An accepted bid, or what reads show like one, of any format. */
export type CommonBid = {
  readonly id: BidId
  readonly auctionId: AuctionId
  readonly bidderId: UserId
  readonly amountMinor: AmountMinor
  readonly currency: Currency
  readonly timestampMs: number
  /** The paddle of the bidder, if the auction shows paddles. */
  readonly paddle?: string
  /**
   * Set if the bid was withdrawn, so that it does not count: it, or the bid that it replied to. Only reads and lists
   * know it.
   */
  readonly isWithdrawn?: true
}

/** An entry of an auction, with its event and the state after it. */
export type EntryOf<Event, State> = LedgerEntry & {
  readonly kind?: never
  /** The currency of the auction and of all amounts of the entry. */
  readonly currency: Currency
  readonly event: Event
  readonly state: State
}

/**
 * The bids of a ledger that count, for a format whose states do not have them. It changes as entries are added, because
 * a copy for each page of a ledger would take as long as the square of its length.
 */
export type Tally<Entry = never> = {
  /** The sequence of the last entry that was added; 0 without one. */
  readonly sequence: number
  /** Adds the next entry, opened. */
  add(entry: Entry): void
  hasBids(bidderId: UserId): boolean
}

/** What a bidder would have paid at most, by their bids that count. */
export type Stake = {
  readonly bidderId: UserId
  readonly highestMinor: AmountMinor
  /** The sequence of the entry with which the bidder reached it. */
  readonly sinceSequence: number
}

/** The stakes of the bidders of a ledger. It changes as entries are added, in order and without a gap. */
export type Stakes<Entry = never> = {
  /** The sequence of the last entry that was added; 0 without one. */
  readonly sequence: number
  /** Adds the next entry, opened. */
  add(entry: Entry): void
  all(): readonly Stake[]
}

type Decision = { readonly event: { readonly type: string }; readonly refusal: { readonly code: string } }

/** The types of a format. */
export type FormatTypes = {
  /** The schema of the fields of a new auction. */
  readonly fields: v.GenericSchema<unknown, CommonFields> & { readonly entries: v.ObjectEntries }
  /** The entries of the terms that can be corrected. */
  readonly correctable: v.ObjectEntries
  readonly auction: CommonAuction
  /** The schema of an auction as it is stored. */
  readonly stored: v.GenericSchema<unknown, CommonAuction> & { readonly entries: v.ObjectEntries }
  /** The names of the terms that not everybody may see. */
  readonly secret: string
  readonly state: Life
  /** What stands after the offers: these members of a state. */
  readonly standing: object
  /** All events, and those that other formats do not have. */
  readonly event: { readonly type: string }
  readonly ownEvent: { readonly type: string }
  readonly decisions: { readonly [Type in OfferCommand['type']]: Decision }
  readonly refusals: { readonly [code: string]: RefusalRow }
  readonly bid: CommonBid
  /** What a view has of prices and bids. */
  readonly figures: object
  /** The figures that anyone sees, and those that a bidder sees with their bid. */
  readonly shown: object
  readonly placed: object
  /** What anyone sees of an own event. */
  readonly publicEvent: { readonly type: string }
}

/** Fields that are other than those of an auction. */
type Changes<Types extends FormatTypes> = Omit<Partial<v.InferOutput<Types['fields']>>, 'metadata'>

/** A decision of a command that the format may not have. */
type AnyRule<Types extends FormatTypes, Command extends OfferCommand> = Result<
  Types['decisions'][Command['type']]['event'],
  Types['decisions'][Command['type']]['refusal'] | NotInFormat
>

type Rule<Types extends FormatTypes, Command extends OfferCommand> = Result<
  Types['decisions'][Command['type']]['event'],
  Types['decisions'][Command['type']]['refusal']
>

/**
 * A format states what may be offered, what stands after it, what is seen, and who wins. All else is the same for every
 * auction. Its functions are pure, but for `facts`. The state and the terms name the format; that name is absent for
 * English.
 *
 * The members are methods: so the table of formats may pass a format the terms and states that name it.
 */
export interface Format<Types extends FormatTypes> {
  // Terms
  readonly fields: Types['fields']
  readonly correctable: Types['correctable']
  /** The rules of fields that concern several fields. */
  rules(): Rules<v.InferOutput<Types['fields']>>
  toStored(fields: v.InferOutput<Types['fields']>): Omit<Types['auction'], 'id' | 'createdAtMs'>
  /** The fields from which `toStored` makes terms. */
  toFields(terms: Omit<TermsOf<Types['auction']>, 'id' | 'ownerId'>): Partial<v.InferOutput<Types['fields']>>
  /** The schemas of what is stored, and the entries of all terms that can be corrected. */
  readonly stored: {
    readonly auction: Types['stored']
    readonly correctable: v.ObjectEntries
    readonly event: v.GenericSchema<unknown, Types['event']>
    readonly state: v.GenericSchema<unknown, Types['state']>
  }
  readonly secrets: readonly Types['secret'][]
  /** The error of a correction by which a caller who may not read the secrets of the terms could learn of them. */
  secretError?(terms: TermsOf<Types['auction']>, correction: Changes<Types>): FieldError | undefined
  /** A decided lower reserve for a caller who may not read the secrets of the terms: no error depends on them. */
  withoutSecrets?(
    terms: TermsOf<Types['auction']>,
    command: LowerReserveCommand,
    decision: AnyRule<Types, LowerReserveCommand>,
  ): AnyRule<Types, LowerReserveCommand>
  /** The terms with what repairs have changed of them. */
  withRepairs?(
    terms: TermsOf<Types['auction']>,
    repairs: NonNullable<Types['state']['repairs']>,
  ): TermsOf<Types['auction']>
  /**
   * Whether corrections, and cancellations that are not forced, end with the start, and not with the first offer, of
   * which the owner need not know.
   */
  readonly isFixedFromStart?: true
  /** Whether an offer may move the end. */
  mayMoveEnd?(terms: TermsOf<Types['auction']>): boolean
  /** Whether English terms have members that the first version of stored auctions does not know. */
  hasLaterTerms?(terms: object): boolean
  /** Adds the fingerprint of the key with which bids are sealed to a new auction. */
  withKey?(
    auction: Omit<Types['auction'], 'id' | 'createdAtMs'>,
    key: string,
  ): Omit<Types['auction'], 'id' | 'createdAtMs'>
  /** That fingerprint. */
  keyOf?(terms: TermsOf<Types['auction']>): string
  /** The number of items of lists in terms, which take memory. */
  itemsIn?(terms: object): number

  /** The members of responses that a client may send back with a new auction. */
  readonly assigned: readonly string[]

  // Offers
  /** What stands without offers. */
  readonly none: Types['standing']
  decideBid(
    terms: TermsOf<Types['auction']>,
    state: Types['state'],
    command: PlaceBidCommand,
    nowMs: number,
  ): Rule<Types, PlaceBidCommand>
  /** The rules of purchases. Absent if auctions of the format cannot be bought at once. */
  decidePurchase?(
    terms: TermsOf<Types['auction']>,
    state: Types['state'],
    command: BuyNowCommand,
    nowMs: number,
  ): Rule<Types, BuyNowCommand>
  /** The rules of lower reserves. Absent if auctions of the format have no reserve that can be lowered. */
  decideReserveReduction?(
    terms: TermsOf<Types['auction']>,
    state: Types['state'],
    command: LowerReserveCommand,
    nowMs: number,
  ): Rule<Types, LowerReserveCommand>
  decideOwnWithdrawal?(
    terms: TermsOf<Types['auction']>,
    state: Types['state'],
    command: WithdrawOwnBidCommand,
    nowMs: number,
  ): Rule<Types, WithdrawOwnBidCommand>
  readonly refusals: Types['refusals']
  /** Takes what stands out of a state or out of an event. */
  standingIn(members: Types['standing']): Types['standing']
  /** Whether an offer stands. */
  hasOffers(standing: Types['standing']): boolean
  evolve(state: Types['state'], recorded: Recorded<Types['ownEvent']>): Types['state']
  /** What stands after the request of a recorded event is decided again on another standing. */
  again(
    terms: TermsOf<Types['auction']>,
    standing: Types['standing'],
    recorded: Recorded<Types['ownEvent']>,
  ): Types['standing']
  /** The state after an entry that everyone sees, with this sequence, if states list these sequences. */
  afterPublic?(state: Types['state'], sequence: number): Types['state']
  /** An own event as it is stored: without what only the sealer tells. `open` is its reverse. */
  seal?(event: Types['event'], context: SealingContext, sealer: Sealer): Types['event']
  open?(event: Types['event'], context: SealingContext, sealer: Sealer): Types['event']
  /**
   * Set if states do not tell who has bid, nor how high. Staff can then withdraw the bids of any user, with the same
   * event whether there are any.
   */
  readonly keepsBidsApart?: true
  /** Whether everyone may see the bids that counted once there is a result, if the format keeps bids apart. */
  isRevealed?(terms: TermsOf<Types['auction']>): boolean
  /** The command that an own event records. */
  commandOf(event: Types['ownEvent'], currency: Currency): OfferCommand
  /** Returns the user whose request an event records; undefined for one that is no bid and no purchase. */
  actorOf(event: Types['event']): UserId | undefined
  /** Whether an event withdraws the bids of its user. */
  isOwnWithdrawal?(event: Types['event']): boolean
  /** Whether the lists of a user's bids have such a request. */
  isListed(event: Types['event']): boolean
  /** The types of own events that are repairs. */
  readonly repairs?: readonly string[]
  /** Whether a repair that the owner may make once has changed terms. It does not count as one of staff. */
  hasOwnersRepair?(state: Types['state']): boolean
  /** The number of consecutive ids that an event takes, from that of its entry on: 1 if it is absent. */
  idsOf?(event: Types['event']): 1 | 2

  // The result
  /**
   * What the result follows from in addition to the state. It is called when the auction is due, and the entry records
   * what it returns.
   */
  facts?(terms: TermsOf<Types['auction']>): Facts
  /** A tally of the bids, if the result follows from them and not from the state. */
  createTally?(): Tally<EntryOf<Types['event'], Types['state']>>
  /** What the bidders would have paid. Absent if auctions of the format take no bids, as is the next. */
  createStakes?(terms: TermsOf<Types['auction']>): Stakes<EntryOf<Types['event'], Types['state']>>
  /**
   * The price at which a bidder is offered the product: what they would have paid against the other bidder with the
   * highest stake, if there is one. Undefined if the reserve is above their own.
   */
  offerPrice?(
    terms: TermsOf<Types['auction']>,
    highestMinor: AmountMinor,
    otherMinor: AmountMinor | undefined,
  ): AmountMinor | undefined
  /** The fields of a repetition of an auction that move with its end, unless they are changed. */
  movedWithEnd?(terms: TermsOf<Types['auction']>, endTime: Moment): Partial<v.InferOutput<Types['fields']>>
  /** The names of those fields. */
  readonly movedFields?: readonly string[]
  settle(
    terms: TermsOf<Types['auction']>,
    state: Types['state'],
    facts: Facts | undefined,
    tally?: Tally,
  ): Closed['result']

  // What is seen
  figures(
    terms: TermsOf<Types['auction']>,
    state: Types['state'],
    status: AuctionStatus,
    nowMs: number,
  ): Types['figures']
  /** The figures that anyone sees. */
  shown(figures: Types['figures']): Types['shown']
  /** Whether a user is ahead, by the figures. */
  leads(figures: Types['figures'], userId: UserId): boolean
  /** What a bidder sees of their bid at once. */
  placed(state: Types['state']): Types['placed']
  /** The bids in an entry, the first one first; their ids follow that of the entry. */
  bidsIn(entry: EntryOf<Types['event'], Types['state']>): readonly Types['bid'][]
  /** What a user requested, as that user receives it. */
  requestIn(entry: EntryOf<Types['event'], Types['state']>): Types['bid'] | undefined
  /** Whether a bid of a recorded event that no withdrawal names counts in no later state. */
  isReplaced?(bid: Types['bid'], standing: Types['standing']): boolean
  /** The bid before an entry that has none, if its state knows it. */
  bidBefore?(entry: EntryOf<Types['event'], Types['state']>): BidId | undefined
  /**
   * The sequences of the entries that everyone may see, in a state that lists them. Without it, these are all: a format
   * has it if its sequences would tell how many bids there are.
   */
  publicSequences?(state: Types['state']): readonly number[]
  publicEvent(entry: EntryOf<Types['event'], Types['state']>, before: Types['state']): Types['publicEvent'] | undefined
}
