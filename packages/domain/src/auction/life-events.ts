import * as v from 'valibot'
import { StoredAmountMinor } from '../values/amount.ts'
import { StoredBidId, StoredUserId } from '../values/ids.ts'
import { StoredCount, StoredInteger } from '../values/primitives.ts'
import type { CommonCorrectableTerms } from './common-terms.ts'
import { StoredMetadata, StoredMetadataPatch } from './metadata.ts'

// The events of auctions of any format. The schemas read what is stored, so they are less strict than the rules
// for new input: data stays readable when those rules change.

/** Who changed the auction. Entries of earlier versions do not have it. */
export const by = v.exactOptional(v.picklist(['owner', 'staff']))
export type Role = 'owner' | 'staff'

/** @param terms all terms of the format that can be corrected */
export const correctedWith = <Terms extends v.GenericSchema>(terms: Terms) =>
  v.object({
    type: v.literal('corrected'),
    /** Null if it was removed; absent if it was not corrected. */
    title: v.exactOptional(v.nullable(v.string())),
    description: v.exactOptional(v.nullable(v.string())),
    /** The merge patch, and the metadata after it; null without members. */
    metadata: v.exactOptional(v.object({ patch: v.nullable(StoredMetadataPatch), result: v.nullable(StoredMetadata) })),
    /** The names of the corrected terms, as in requests, and all terms after the correction. */
    terms: v.exactOptional(v.object({ fields: v.array(v.string()), result: terms })),
    editor: v.string(),
    by,
  })
/** The auction was corrected. Each correction is kept, with its editor. */
export type Corrected<Terms extends CommonCorrectableTerms = CommonCorrectableTerms> = Readonly<
  v.InferOutput<ReturnType<typeof correctedWith<v.GenericSchema<unknown, Terms>>>>
>

const cancelled = { reason: v.exactOptional(v.string()) }
export const CancelledFields = v.object({
  type: v.literal('cancelled'),
  ...cancelled,
  /** Set if a caller who may cancel any auction cancelled it, with a reason. */
  isForced: v.exactOptional(v.literal(true)),
})
/** The auction was cancelled, which ends it. A second cancellation changes nothing. */
export type Cancelled = Readonly<v.InferOutput<typeof CancelledFields>>

/** Why and by whom an auction was repaired. Readers see the reason, but not the editor. */
export const repair = { reason: v.string(), editor: v.string() }
/** The effective end after and before the event, in milliseconds since 1970. */
const movedEnd = { endMs: StoredInteger, previousEndMs: StoredInteger }

export const ExtendedFields = v.object({ type: v.literal('extended'), ...movedEnd, ...repair })
/** Staff gave the auction a later end. */
export type Extended = Readonly<v.InferOutput<typeof ExtendedFields>>

export const EndedEarlyFields = v.object({ type: v.literal('ended-early'), ...movedEnd, ...repair })
/** Staff ended the auction: just after the event, or at the end that had passed. A `closed` with the result follows. */
export type EndedEarly = Readonly<v.InferOutput<typeof EndedEarlyFields>>

/**
 * Staff withdrew all bids of a bidder. The bids of the others were decided again without them: a format adds what
 * stands then. A bidder without bids is only blocked or unblocked.
 */
export const withdrawal = {
  type: v.literal('withdrawn'),
  bidderId: StoredUserId,
  /** Set if the bidder may not bid again. */
  isBlocked: v.exactOptional(v.literal(true)),
  /** Set if the bidder was blocked, and may bid again. */
  isUnblocked: v.exactOptional(v.literal(true)),
}
/** Set if staff ended the auction before its end. */
const isEndedEarly = v.exactOptional(v.literal(true))
/** The number of bidders with a bid that counted, if nothing showed it before. */
const bidderCount = v.exactOptional(StoredCount)
/** The paddle of who gets the product, if the auction shows paddles. */
export const paddle = v.exactOptional(v.string())
const SoldFields = v.object({
  outcome: v.literal('sold'),
  bidId: StoredBidId,
  winnerId: StoredUserId,
  priceMinor: StoredAmountMinor,
  paddle,
  isEndedEarly,
  bidderCount,
})
const UnsoldFields = v.object({
  outcome: v.literal('unsold'),
  reason: v.picklist(['no-bids', 'reserve-not-met']),
  isEndedEarly,
  bidderCount,
})
export const bought = { buyerId: StoredUserId, priceMinor: StoredAmountMinor }

export const ResultFields = v.variant('outcome', [
  SoldFields,
  UnsoldFields,
  v.object({ outcome: v.literal('bought'), ...bought, paddle }),
  v.object({ outcome: v.literal('cancelled'), ...cancelled }),
])
/** How an auction ended. A result never changes. */
export type AuctionResult = Readonly<v.InferOutput<typeof ResultFields>>

/** What every store keeps: safe integers, texts, booleans, and lists and records of them. */
export type Facts = number | string | boolean | readonly Facts[] | { readonly [name: string]: Facts }

const StoredFacts: v.GenericSchema<unknown, Facts> = v.union([
  StoredInteger,
  v.string(),
  v.boolean(),
  v.lazy(() => v.array(StoredFacts)),
  v.lazy(() => v.record(v.string(), StoredFacts)),
])

export const ClosedFields = v.object({
  type: v.literal('closed'),
  result: v.variant('outcome', [SoldFields, UnsoldFields]),
  /** What the result follows from, in addition to the state, if the format needs more. */
  facts: v.exactOptional(StoredFacts),
})
/** The auction ended at its end time. */
export type Closed = Readonly<v.InferOutput<typeof ClosedFields>>
