import type { AuctionId } from '../values/ids.ts'
import type { Moment } from '../values/moment.ts'
import type { AmountMinor, Currency } from '../values/money.ts'
import type { ValidationFailed } from '../values/validation.ts'
import type { Command } from './commands.ts'
import type { Role } from './events.ts'
import type { AuctionEnd, ClosedState } from './state.ts'

/** What a refusal is about. A host maps these kinds, for example to HTTP statuses, and not each code. */
export type RefusalKind = 'invalid' | 'not-found' | 'forbidden' | 'conflict' | 'precondition' | 'busy'

export type RefusalRow = {
  readonly kind: RefusalKind
  /** When it is returned, for documents. */
  readonly meaning: string
  /** The commands whose rules refuse with it. */
  readonly of?: readonly Command['type'][]
  /** Whether it is final: see `isFinal`. Only refusals of rules are. */
  readonly isFinal?: true
  /** Set if the use case returns something else in its place. */
  readonly isInternal?: true
}

/** Each refusal, by its code. A new one has a row here and a type below. */
export const refusals = {
  'validation-failed': {
    kind: 'invalid',
    meaning: 'A field is missing or invalid.',
    of: ['correct', 'extend', 'lower-reserve'],
  },
  'inexact-amount': {
    kind: 'invalid',
    meaning: 'An amount has more decimals than the currency.',
    of: ['place-bid'],
    isFinal: true,
    isInternal: true,
  },
  'maximum-below-amount': {
    kind: 'invalid',
    meaning: 'The maximum is below the amount.',
    of: ['place-bid'],
    isFinal: true,
    isInternal: true,
  },
  'auction-not-found': { kind: 'not-found', meaning: 'The auction does not exist.' },
  'bid-not-found': { kind: 'not-found', meaning: 'The bid does not exist.' },
  'not-the-owner': {
    kind: 'forbidden',
    meaning: 'The user does not own the auction.',
    of: ['cancel', 'correct', 'lower-reserve'],
    isFinal: true,
  },
  'auction-not-started': {
    kind: 'conflict',
    meaning: 'The auction has not started.',
    of: ['place-bid', 'buy-now', 'end-early'],
  },
  'auction-ended': {
    kind: 'conflict',
    meaning:
      'The auction has ended: its time is over, or it was bought. Repairs are possible until its result is recorded.',
    of: ['place-bid', 'buy-now', 'cancel', 'correct', 'extend', 'withdraw', 'end-early', 'lower-reserve'],
  },
  'auction-cancelled': {
    kind: 'conflict',
    meaning: 'The auction was cancelled.',
    of: ['place-bid', 'buy-now', 'correct', 'extend', 'withdraw', 'end-early', 'lower-reserve'],
  },
  'already-cancelled': {
    kind: 'conflict',
    meaning: 'The auction was cancelled before.',
    of: ['cancel'],
    isInternal: true,
  },
  'auction-has-bids': {
    kind: 'conflict',
    meaning: 'The auction has had bids, so it cannot be corrected, or, without `cancellableUntilEnd`, cancelled.',
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
    of: ['extend', 'withdraw', 'end-early', 'lower-reserve'],
  },
  'no-bids-of-bidder': {
    kind: 'conflict',
    meaning:
      'Nothing would change: the auction has no bids of the user to withdraw, or, with `block` false, the user is not blocked.',
    of: ['withdraw'],
  },
  'reserve-lowered-before': {
    kind: 'conflict',
    meaning: 'The reserve was lowered before, and only staff may lower it again, with a reason.',
    of: ['lower-reserve'],
  },
  'owner-cannot-bid': {
    kind: 'conflict',
    meaning: 'The bidder owns the auction.',
    of: ['place-bid'],
    isFinal: true,
  },
  'bidder-blocked': {
    kind: 'conflict',
    meaning: 'Staff have blocked the user, who may not bid on this auction, nor buy it.',
    of: ['place-bid', 'buy-now'],
  },
  'bid-too-low': {
    kind: 'conflict',
    meaning: 'The amount is below the minimum next bid.',
    of: ['place-bid'],
  },
  'bid-too-high': {
    kind: 'conflict',
    meaning: 'The amount is above the maximum next bid, which `maximumBidIncrement` limits.',
    of: ['place-bid'],
  },
  'buy-now-is-lower': {
    kind: 'conflict',
    meaning: 'The amount is at or above the `buyNowPrice`, at which the auction can be bought.',
    of: ['place-bid'],
  },
  'maximum-not-raised': {
    kind: 'conflict',
    meaning:
      'The bidder leads, and `maximumAmount` is below their current maximum or bid, or the same with an `amount` below the minimum next bid.',
    of: ['place-bid'],
  },
  'owner-cannot-buy': {
    kind: 'conflict',
    meaning: 'The buyer owns the auction.',
    of: ['buy-now'],
    isFinal: true,
  },
  'buy-now-not-offered': {
    kind: 'conflict',
    meaning: 'The auction has no buy-now price, or bids have ended the offer.',
    of: ['buy-now'],
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

export type RefusalCode = keyof typeof refusals

/** The codes with which the rules refuse a command. */
type CodeOf<Type extends Command['type']> = {
  [Code in RefusalCode]: (typeof refusals)[Code] extends { readonly of: readonly (infer Of)[] }
    ? Type extends Of
      ? Code
      : never
    : never
}[RefusalCode]

/** Requires a type for each row of a command, and a row for each type. */
type Complete<Type extends Command['type'], Refusal extends { readonly code: CodeOf<Type> }> =
  CodeOf<Type> extends Refusal['code'] ? Refusal : never

type Prices = {
  readonly currentPriceMinor: AmountMinor
  /** Undefined if no higher bid is possible. */
  readonly minimumNextBidMinor: AmountMinor | undefined
  readonly currency: Currency
}

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

type BidderBlocked = { readonly code: 'bidder-blocked' }

/** The refusals of a bid, with the data that the caller needs to correct it. */
export type PlaceBidRefusal = Complete<
  'place-bid',
  | {
      readonly code: 'inexact-amount'
      /** The inexact amounts; at least one. */
      readonly fields: readonly ('amount' | 'maximumAmount')[]
      readonly currency: Currency
    }
  | { readonly code: 'maximum-below-amount' }
  | NotOpenRefusal
  | { readonly code: 'owner-cannot-bid' }
  | BidderBlocked
  | (Prices & { readonly code: 'bid-too-low' })
  | (Pick<Prices, 'currentPriceMinor' | 'currency'> & {
      readonly code: 'bid-too-high'
      readonly maximumNextBidMinor: AmountMinor
    })
  | (Prices & {
      readonly code: 'buy-now-is-lower'
      readonly auctionId: AuctionId
      readonly buyNowPriceMinor: AmountMinor
    })
  | { readonly code: 'maximum-not-raised' }
>

export type BuyNowNotOffered = Prices & {
  readonly code: 'buy-now-not-offered'
  readonly reason: 'no-buy-now-price' | 'has-bids' | 'reserve-met'
}

export type BuyNowRefusal = Complete<
  'buy-now',
  NotOpenRefusal | { readonly code: 'owner-cannot-buy' } | BidderBlocked | BuyNowNotOffered
>

export type CancelRefusal = Complete<
  'cancel',
  | { readonly code: 'not-the-owner'; readonly prevents: 'cancellation'; readonly needsReason?: NeedsReason }
  /** The use case returns this as a success. */
  | { readonly code: 'already-cancelled'; readonly state: ClosedState }
  | Extract<NotOpenRefusal, { readonly code: 'auction-ended' }>
  | { readonly code: 'auction-has-bids'; readonly prevents: 'cancellation'; readonly needsReason?: NeedsReason }
>

/** Set if the caller may cancel any auction, but gave no reason. */
type NeedsReason = true

export type CorrectRefusal = Complete<
  'correct',
  | { readonly code: 'not-the-owner'; readonly prevents: 'correction' }
  | Exclude<NotOpenRefusal, { readonly code: 'auction-not-started' }>
  | { readonly code: 'auction-has-bids'; readonly prevents: 'correction' }
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

export type ExtendRefusal = Complete<'extend', RepairRefusal | ValidationFailed>

export type WithdrawRefusal = Complete<'withdraw', RepairRefusal | { readonly code: 'no-bids-of-bidder' }>

export type EndEarlyRefusal = Complete<
  'end-early',
  RepairRefusal | Extract<NotOpenRefusal, { readonly code: 'auction-not-started' }>
>

export type LowerReserveRefusal = Complete<
  'lower-reserve',
  | RepairRefusal
  | ValidationFailed
  | { readonly code: 'not-the-owner'; readonly prevents: 'reserve-reduction' }
  | { readonly code: 'reserve-lowered-before' }
>

export type CloseRefusal = Complete<
  'close',
  /**
   * `endTime` is the end as it was moved so far, in a state with this number of corrections and repairs; `startTime` is
   * set if the auction has not started.
   */
  | { readonly code: 'not-due'; readonly endTime: Moment; readonly changes: number; readonly startTime?: Moment }
  /** When and how it ended, by `endOf`. */
  | ({ readonly code: 'already-closed' } & AuctionEnd)
>

export type Refusal =
  | PlaceBidRefusal
  | BuyNowRefusal
  | CancelRefusal
  | CorrectRefusal
  | ExtendRefusal
  | WithdrawRefusal
  | EndEarlyRefusal
  | LowerReserveRefusal
  | CloseRefusal
