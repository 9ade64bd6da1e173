import * as v from 'valibot'
import { type Checked, createMark } from '../values/checked.ts'
import { UserId } from '../values/ids.ts'
import { missingField, parseObject } from '../values/parsing.ts'
import { textUpTo } from '../values/primitives.ts'
import { accepted } from '../values/result.ts'
import type { Parsed } from '../values/validation.ts'
import type { NewBid } from './bid.ts'
import { Description, Title } from './new-auction.ts'

// The commands as the rules take them. The parsers below and in `bid.ts` make their parts from the JSON of clients.

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

export type CorrectCommand = Correction & {
  readonly type: 'correct'
  /** Who corrects: a user id, or another name of up to 100 characters. */
  readonly editor: string
  /**
   * How many corrections the auction has had in the state that the caller expects, if any: only a correction can change
   * what is corrected. Null: the auction is in another state.
   */
  readonly expectedCorrections?: number | null
}

/**
 * Records the end and the result of an auction, `marginMs` after its end. Until then, any process may still record a
 * command that arrived before the end; the clocks of processes differ, and a store may be slow.
 */
export type CloseCommand = { readonly type: 'close'; readonly marginMs: number }

export type Command = PlaceBidCommand | BuyNowCommand | CancelCommand | CorrectCommand | CloseCommand

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

/** The reason of a cancellation: a string of 1 to 500 code points. */
export const CancellationReason = textUpTo(500)

export const CancellationFields = v.object(
  {
    reason: v.nullish(
      v.pipe(
        CancellationReason,
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

const missingTexts = 'must contain a title, a description or both'

/** The JSON of a correction: a merge patch (RFC 7396), in which null removes a member. */
export const CorrectionFields = v.pipe(
  v.object({
    title: v.exactOptional(v.nullable(v.pipe(Title, v.description('The new title; null removes it.')))),
    description: v.exactOptional(
      v.nullable(v.pipe(Description, v.description('The new description; null removes it.'))),
    ),
  }),
  v.minEntries(1, missingTexts),
)

/** A correction of the title, the description or both. Null removes a text; an absent one is kept. */
export type Correction = { readonly title?: string | null; readonly description?: string | null }

const checkedCorrection = createMark<Correction>('parseCorrection')

/** Parses the JSON of a correction strictly, and reports every error. */
export function parseCorrection(input: unknown): Parsed<Checked<Correction>> {
  const parsed = parseObject(CorrectionFields, input)
  return parsed.ok ? accepted(checkedCorrection(parsed.value)) : parsed
}
