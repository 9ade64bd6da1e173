import type { Moment } from '../values/moment.ts'
import type { ValidationFailed } from '../values/validation.ts'
import type { AuctionEnd, ClosedLife } from './life.ts'
import type { Cancelled, Role } from './life-events.ts'

/** The types of commands. A format decides those that offer, and `lower-reserve`. */
export type CommandType =
  | 'place-bid'
  | 'buy-now'
  | 'cancel'
  | 'correct'
  | 'extend'
  | 'withdraw'
  | 'end-auction'
  | 'lower-reserve'
  | 'withdraw-own-bid'
  | 'close'

/** What a refusal is about. A host maps these kinds, for example to HTTP statuses, and not each code. */
export type RefusalKind = 'invalid' | 'not-found' | 'forbidden' | 'conflict' | 'precondition' | 'busy'

export type RefusalRow = {
  readonly kind: RefusalKind
  /** When it is returned, for documents. */
  readonly meaning: string
  /** The commands that it refuses: those of the rules, and of use cases. */
  readonly of?: readonly CommandType[]
  /** The commands for which it is final: see `isFinal`. */
  readonly finalFor?: readonly CommandType[]
  /** Set if the use case returns something else instead. */
  readonly isInternal?: true
}

/** The refusals of what every auction is, by their codes. A new one has a row here and a type below. */
export const lifeRefusals = {
  'validation-failed': {
    kind: 'invalid',
    meaning: 'A field is missing or invalid.',
    of: ['place-bid', 'buy-now', 'correct', 'extend', 'lower-reserve'],
    finalFor: ['place-bid', 'buy-now'],
  },
  'auction-not-found': { kind: 'not-found', meaning: 'The auction does not exist.' },
  'bid-not-found': { kind: 'not-found', meaning: 'The bid does not exist.' },
  'not-the-owner': {
    kind: 'forbidden',
    meaning: 'The user does not own the auction.',
    of: ['cancel', 'correct', 'lower-reserve'],
    finalFor: ['cancel', 'correct', 'lower-reserve'],
  },
  'auction-not-started': {
    kind: 'conflict',
    meaning: 'The auction has not started.',
    of: ['place-bid', 'buy-now', 'end-auction', 'withdraw-own-bid'],
  },
  'auction-ended': {
    kind: 'conflict',
    meaning:
      'The auction has ended: its time is over, or it was bought. Repairs are possible until its result is recorded.',
    of: [
      'place-bid',
      'buy-now',
      'cancel',
      'correct',
      'extend',
      'withdraw',
      'end-auction',
      'lower-reserve',
      'withdraw-own-bid',
    ],
  },
  'auction-cancelled': {
    kind: 'conflict',
    meaning: 'The auction was cancelled.',
    of: ['place-bid', 'buy-now', 'correct', 'extend', 'withdraw', 'end-auction', 'lower-reserve', 'withdraw-own-bid'],
  },
  'already-cancelled': {
    kind: 'conflict',
    meaning: 'The auction was cancelled before.',
    of: ['cancel'],
    isInternal: true,
  },
  'not-in-format': {
    kind: 'conflict',
    meaning:
      'Auctions of this format cannot be bought at once, have no reserve that can be lowered, or no bids that bidders withdraw.',
  },
  'auction-has-bids': {
    kind: 'conflict',
    meaning: 'The auction has had bids, so it cannot be corrected, or, without `cancellableUntilEnd`, cancelled.',
    of: ['cancel', 'correct'],
  },
  'auction-started': {
    kind: 'conflict',
    meaning:
      'The auction has started, and its format fixes it from then on: it cannot be corrected, or, without `cancellableUntilEnd`, cancelled.',
    of: ['cancel', 'correct'],
  },
  'too-many-corrections': {
    kind: 'conflict',
    meaning: 'The auction was corrected 20 times, or, for a correction by staff, 40 times.',
    of: ['correct'],
  },
  'auction-repaired': {
    kind: 'conflict',
    meaning: 'The auction was extended, or its reserve was lowered, so only its texts and `metadata` can be corrected.',
    of: ['correct'],
  },
  'too-many-repairs': {
    kind: 'conflict',
    meaning: 'Staff have repaired the auction 50 times; the first lower reserve does not count.',
    of: ['extend', 'withdraw', 'end-auction', 'lower-reserve'],
  },
  'no-bids-of-bidder': {
    kind: 'conflict',
    meaning:
      'Nothing would change: the auction has no bids of the user to withdraw, or, with `block` false, the user is not blocked.',
    of: ['withdraw', 'withdraw-own-bid'],
  },
  'owner-cannot-bid': {
    kind: 'conflict',
    meaning: 'The bidder owns the auction.',
    of: ['place-bid'],
    finalFor: ['place-bid'],
  },
  'bid-too-low': {
    kind: 'conflict',
    meaning: 'The amount is below the minimum next bid.',
    of: ['place-bid'],
  },
  'owner-cannot-buy': {
    kind: 'conflict',
    meaning: 'The buyer owns the auction.',
    of: ['buy-now'],
    finalFor: ['buy-now'],
  },
  'bidder-blocked': {
    kind: 'conflict',
    meaning: 'Staff have blocked the user, who may not bid on this auction, nor buy it.',
    of: ['place-bid', 'buy-now'],
  },
  'not-admitted': {
    kind: 'conflict',
    meaning: 'The register of the auction does not admit the user, or the auction is an offer to another user.',
    of: ['place-bid', 'buy-now'],
  },
  'above-limit': {
    kind: 'conflict',
    meaning:
      'The amount, or the `maximumAmount`, is above the limit that the register of the auction sets for the user.',
    of: ['place-bid', 'buy-now'],
  },
  'auction-not-over': {
    kind: 'conflict',
    meaning: 'The auction has no `result` yet, so it cannot be relisted, nor offered to the next bidder.',
  },
  'auction-is-offer': {
    kind: 'conflict',
    meaning: 'The auction is an offer to one bidder: relist the auction that it is of, or make another offer of that.',
  },
  'auction-relisted': {
    kind: 'conflict',
    meaning: 'The auction was relisted. It is relisted once, and not offered any more; its repetition may be.',
  },
  'auction-has-offer': {
    kind: 'conflict',
    meaning: 'An offer of the auction to a bidder has no `result` yet.',
  },
  'no-next-bidder': {
    kind: 'conflict',
    meaning: 'Without the excluded bidders, the auction has no bids that count.',
  },
  'too-many-offers': {
    kind: 'conflict',
    meaning: 'The auction was offered 50 times.',
  },
  'not-due': {
    kind: 'conflict',
    meaning: 'The auction has not ended, or ended too recently.',
    of: ['close'],
    isInternal: true,
  },
  'already-closed': {
    kind: 'conflict',
    meaning: 'The result is recorded.',
    of: ['close'],
    isInternal: true,
  },
  'precondition-failed': {
    kind: 'precondition',
    meaning: 'The auction is not in the state that the caller expects.',
    of: ['correct'],
  },
  'idempotency-key-reused': { kind: 'invalid', meaning: 'The key was used for a different request.' },
  overloaded: { kind: 'busy', meaning: 'Too many requests are waiting. Nothing was changed.' },
} as const satisfies Readonly<Record<string, RefusalRow>>

/** The codes of rows with which a command is refused. */
type CodeOf<Rows, Type extends CommandType> = {
  [Code in keyof Rows]: Rows[Code] extends { readonly of: readonly (infer Of)[] }
    ? Type extends Of
      ? Code
      : never
    : never
}[keyof Rows]

/** Requires a type for each row of a command, and a row for each type. */
export type Complete<Rows, Type extends CommandType, Refusal extends { readonly code: CodeOf<Rows, Type> }> =
  CodeOf<Rows, Type> extends Refusal['code'] ? Refusal : never

type LifeRows = typeof lifeRefusals

/** The reasons why an auction accepts no bids and purchases. */
export type NotOpenRefusal =
  | { readonly code: 'auction-not-started'; readonly startTime: Moment }
  | {
      readonly code: 'auction-ended'
      /** When the auction actually ended, at its end time or by a purchase. */
      readonly endTime: Moment
      /** Set if the result is recorded, after which even a command that arrived in time is too late. */
      readonly final?: 'closed' | 'bought'
    }
  | { readonly code: 'auction-cancelled' }

/** The refusal of a command that the format of the auction does not have. */
export type NotInFormat = { readonly code: 'not-in-format'; readonly format: string }

export type BidderBlocked = { readonly code: 'bidder-blocked' }

export type CancelRefusal = Complete<
  LifeRows,
  'cancel',
  | { readonly code: 'not-the-owner'; readonly prevents: 'cancellation'; readonly needsReason?: NeedsReason }
  /**
   * The use case returns this as a success. The command changes nothing, so it is recorded only if it has a key, for
   * which its entry has this event.
   */
  | { readonly code: 'already-cancelled'; readonly state: ClosedLife; readonly recordedForKey: Cancelled }
  | Extract<NotOpenRefusal, { readonly code: 'auction-ended' }>
  | { readonly code: 'auction-has-bids'; readonly prevents: 'cancellation'; readonly needsReason?: NeedsReason }
  | { readonly code: 'auction-started'; readonly prevents: 'cancellation'; readonly needsReason?: NeedsReason }
>

/** Set if the caller may cancel any auction, but gave no reason. */
type NeedsReason = true

export type CorrectRefusal = Complete<
  LifeRows,
  'correct',
  | { readonly code: 'not-the-owner'; readonly prevents: 'correction' }
  | Exclude<NotOpenRefusal, { readonly code: 'auction-not-started' }>
  | { readonly code: 'auction-has-bids'; readonly prevents: 'correction' }
  | { readonly code: 'auction-started'; readonly prevents: 'correction' }
  | ValidationFailed
  | {
      readonly code: 'too-many-corrections'
      /** How many corrections the auction may have before another one by each. */
      readonly limits: Readonly<Record<Role, number>>
    }
  | { readonly code: 'auction-repaired' }
  | { readonly code: 'precondition-failed' }
>

/** The reasons why an auction cannot be repaired. */
export type RepairRefusal =
  | Exclude<NotOpenRefusal, { readonly code: 'auction-not-started' }>
  | { readonly code: 'too-many-repairs' }

export type ExtendRefusal = Complete<LifeRows, 'extend', RepairRefusal | ValidationFailed>

export type WithdrawRefusal = Complete<LifeRows, 'withdraw', RepairRefusal | { readonly code: 'no-bids-of-bidder' }>

export type EndRefusal = Complete<
  LifeRows,
  'end-auction',
  RepairRefusal | Extract<NotOpenRefusal, { readonly code: 'auction-not-started' }>
>

export type CloseRefusal = Complete<
  LifeRows,
  'close',
  /**
   * `endTime` is the end as it was moved so far, in a state with this number of corrections and repairs; `startTime` is
   * set if the auction has not started.
   */
  | { readonly code: 'not-due'; readonly endTime: Moment; readonly changeCount: number; readonly startTime?: Moment }
  /** When and how it ended, by `endOf`. */
  | ({ readonly code: 'already-closed' } & AuctionEnd)
>
