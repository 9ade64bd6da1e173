import * as v from 'valibot'
import { type Checked, createMark } from '../values/checked.ts'
import { UserId } from '../values/ids.ts'
import { missingField, parseObject } from '../values/parsing.ts'
import { accepted } from '../values/result.ts'
import type { Parsed } from '../values/validation.ts'
import type { NewBid } from './bid.ts'
import type { Correction } from './correction.ts'
import type { Role } from './events.ts'
import { type EarlyEnd, type Extension, Reason, type ReserveReduction, type Withdrawal } from './repair.ts'
import type { AuctionState } from './state.ts'

// The commands as the rules take them. The parsers below, in `bid.ts` and in `repair.ts` make their parts from the JSON of clients.

export type PlaceBidCommand = Omit<NewBid, 'auctionId'> & { readonly type: 'place-bid' }

export type BuyNowCommand = Purchase & { readonly type: 'buy-now' }

export type CancelCommand = Cancellation & {
  readonly type: 'cancel'
  /** The user who cancels, who must be the owner. If omitted, the caller may cancel any auction. */
  readonly requesterId?: UserId | undefined
  /** Whether a reason suffices to cancel any auction until its end, even one of another owner, and even after bids. */
  readonly mayForce?: boolean
  /** Whether it is recorded even if the auction is already cancelled. */
  readonly mustBeRecorded?: boolean
}

/** Set for a command that was recorded: who sent it, or `unknown` if an earlier version recorded it. */
type Recorded = { readonly recordedBy?: Role | 'unknown' }

export type CorrectCommand = Recorded & {
  readonly type: 'correct'
  readonly correction: Correction
  /** Who corrects: a user id, or another name of up to 100 characters. */
  readonly editor: string
  /** The user who corrects, who must be the owner. If omitted, the caller may correct any auction. */
  readonly requesterId?: UserId | undefined
  /** Whether the user may correct any auction. */
  readonly mayCorrectAny?: boolean
  /** False if a user who is not the owner may not read the reserve: then errors must not depend on it. */
  readonly mayReadReserve?: boolean
  /**
   * How many corrections the auction has had in the state that the caller expects, if any: only a correction can change
   * what is corrected. -1: the auction is in another state.
   */
  readonly expectedCorrections?: number
  /** Set if it was refused in the state that was read, for which it was prepared: it is refused in later ones, too. */
  readonly isUnprepared?: true
}

/** Who repairs: a user id, or another name of up to 100 characters. */
type Edited = { readonly editor: string }

export type ExtendCommand = Extension & Edited & { readonly type: 'extend' }

export type EndEarlyCommand = EarlyEnd & Edited & { readonly type: 'end-early' }

export type WithdrawCommand = Withdrawal &
  Edited & {
    readonly type: 'withdraw'
    /**
     * The leader and the number of bids without those of the bidder, in the state in which it is decided. Undefined if
     * none of the bids that count is theirs.
     */
    readonly without: Pick<AuctionState, 'leader' | 'bidCount'> | undefined
  }

export type LowerReserveCommand = ReserveReduction &
  Edited &
  Recorded & {
    readonly type: 'lower-reserve'
    /** The user who lowers it, who must be the owner. If omitted, the caller may lower any reserve. */
    readonly requesterId?: UserId | undefined
    /** Whether the user may lower the reserve of any auction, as staff, who give a reason. */
    readonly mayLowerAny?: boolean
    /** False if a user who is not the owner may not read the reserve: then errors must not depend on it. */
    readonly mayReadReserve?: boolean
  }

type RepairCommand = ExtendCommand | WithdrawCommand | EndEarlyCommand | LowerReserveCommand

/**
 * Records the end and the result of an auction, `marginMs` after its end. Until then, any process may still record a
 * command that arrived before the end; the clocks of processes differ, and a store may be slow.
 */
export type CloseCommand = { readonly type: 'close'; readonly marginMs: number }

export type Command = PlaceBidCommand | BuyNowCommand | CancelCommand | CorrectCommand | RepairCommand | CloseCommand

export const PurchaseFields = v.object(
  { buyerId: v.pipe(UserId, v.description('The user who buys, who must not be the owner.')) },
  missingField,
)

export type Purchase = { readonly buyerId: UserId }

const checkedPurchase = createMark<Purchase>('parsePurchase')

/** Parses the JSON of a purchase strictly, and reports every error. */
export function parsePurchase(input: unknown): Parsed<Checked<Purchase>> {
  const parsed = parseObject(PurchaseFields, input)
  return parsed.ok ? accepted(checkedPurchase(parsed.value)) : parsed
}

export const CancellationFields = v.object(
  {
    reason: v.nullish(
      v.pipe(
        Reason,
        v.description(
          'The reason, visible to all readers of the auction. Well-formed Unicode, counted in code points.',
        ),
      ),
    ),
  },
  missingField,
)

export type Cancellation = {
  /** Visible to all readers of the auction: 1 to 500 code points. */
  readonly reason?: string
}

const checkedCancellation = createMark<Cancellation>('parseCancellation')

/** Parses the JSON of a cancellation strictly, and reports every error. */
export function parseCancellation(input: unknown): Parsed<Checked<Cancellation>> {
  const parsed = parseObject(CancellationFields, input)
  if (!parsed.ok) return parsed
  const { reason } = parsed.value
  return accepted(checkedCancellation(reason == null ? {} : { reason }))
}
