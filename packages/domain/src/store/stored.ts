import * as v from 'valibot'
import type { Auction } from '../auction/auction.ts'
import type { Entry } from '../auction/entry.ts'
import { StoredAmountMinor } from '../values/amount.ts'
import { StoredCurrency } from '../values/currency.ts'
import { StoredAuctionId, StoredBidId, StoredProductId, StoredUserId } from '../values/ids.ts'
import { StoredMoment } from '../values/moment.ts'
import type { RequestKey } from '../values/request-key.ts'
import { parseFirst } from '../values/validation.ts'
import type { StoredAuction } from './store.ts'
import { UnreadableStoredError } from './unreadable-stored.ts'

export { StoredCurrency } from '../values/currency.ts'
export { readEach } from './unreadable-stored.ts'

// The schemas of stored data. They are less strict than the rules for new input, so that data stays readable when those rules change.
// Adapters store entries and auctions in any form, with `storedVersion`, and parse them with the two functions below. The types of
// auctions, events and states follow from the schemas.

/** The version of stored auctions and entries. Reads refuse other versions. */
export const storedVersion = 1

const Integer = v.pipe(v.number(), v.safeInteger())
const Version = v.literal(storedVersion)
const Count = v.pipe(Integer, v.minValue(0))

const StoredRequestKey = v.pipe(
  v.string(),
  v.transform((key) => key as RequestKey), // Only `requestKeyOf` creates stored keys.
)

/** The highest bidder and their bid. */
const LeaderFields = v.object({
  bidId: StoredBidId,
  bidderId: StoredUserId,
  amountMinor: StoredAmountMinor,
  /** The maximum of the leader, if above the amount. */
  maximumMinor: v.exactOptional(StoredAmountMinor),
})

const SoldFields = v.object({
  outcome: v.literal('sold'),
  bidId: StoredBidId,
  winnerId: StoredUserId,
  priceMinor: StoredAmountMinor,
})
const UnsoldFields = v.object({ outcome: v.literal('unsold'), reason: v.picklist(['no-bids', 'reserve-not-met']) })
const bought = { buyerId: StoredUserId, priceMinor: StoredAmountMinor }
const cancelled = { reason: v.exactOptional(v.string()) }

/** How an auction ended. */
export const ResultFields = v.variant('outcome', [
  SoldFields,
  UnsoldFields,
  v.object({ outcome: v.literal('bought'), ...bought }),
  v.object({ outcome: v.literal('cancelled'), ...cancelled }),
])

/** The corrections of an auction, in the state. The long description stays in its entry, since every later entry has this state. */
const CorrectionsFields = v.object({
  count: v.pipe(Integer, v.minValue(1)),
  /** The time of the last one, in milliseconds since 1970. */
  atMs: Integer,
  /** The corrected title, null if it was removed. Absent if only the description was corrected. */
  title: v.exactOptional(v.nullable(v.string())),
  /** The id of the entry with the corrected description. Absent if only the title was corrected. */
  descriptionIn: v.exactOptional(StoredBidId),
})

const standing = {
  bidCount: Count,
  leader: v.nullable(LeaderFields),
  /** The time of the last entry, in milliseconds since 1970; 0 without entries. It never decreases. */
  atMs: Integer,
  /** The extended end, in milliseconds since 1970, if a bid extended the auction. */
  extendedEndMs: v.exactOptional(Integer),
  /** Absent if the auction is as it was created. */
  corrections: v.exactOptional(CorrectionsFields),
}

export const StateFields = v.variant('phase', [
  v.object({ phase: v.literal('open'), ...standing }),
  v.object({ phase: v.literal('closed'), ...standing, result: ResultFields }),
])

/** The consequences of a bid. */
const consequences = {
  /** The automatic bid within the event. It follows the bid and leads. Its id is the entry's id plus one. */
  automatic: v.exactOptional(v.object({ bidderId: StoredUserId, amountMinor: StoredAmountMinor })),
  /** The new end, in milliseconds since 1970, if the event extends the auction. */
  extendedEndMs: v.exactOptional(Integer),
}

export const EventFields = v.variant('type', [
  v.object({
    type: v.literal('bid-placed'),
    bidderId: StoredUserId,
    amountMinor: StoredAmountMinor,
    /** The limit up to which the service bids for the bidder. */
    maximumMinor: v.exactOptional(StoredAmountMinor),
    ...consequences,
  }),
  v.object({
    type: v.literal('maximum-raised'),
    bidderId: StoredUserId,
    /** The amount of the request. It has no effect. */
    amountMinor: StoredAmountMinor,
    maximumMinor: StoredAmountMinor,
    ...consequences,
  }),
  v.object({
    type: v.literal('corrected'),
    /** Null if it was removed; absent if it was not corrected. */
    title: v.exactOptional(v.nullable(v.string())),
    description: v.exactOptional(v.nullable(v.string())),
    /** Who corrected it. */
    editor: v.string(),
  }),
  v.object({ type: v.literal('bought'), ...bought }),
  v.object({
    type: v.literal('cancelled'),
    ...cancelled,
    /** Set if a caller who may cancel any auction cancelled it, with a reason. */
    isForced: v.exactOptional(v.literal(true)),
  }),
  v.object({ type: v.literal('closed'), result: v.variant('outcome', [SoldFields, UnsoldFields]) }),
])

export const EntryFields = v.object({
  version: Version,
  /** Unique across all auctions. For a bid it is the bid's id. */
  id: StoredBidId,
  auctionId: StoredAuctionId,
  /** Counts the entries of the auction from 1, without gaps. */
  sequence: v.pipe(Integer, v.minValue(1)),
  atMs: Integer,
  /** The key of the request, if any. */
  requestKey: v.exactOptional(StoredRequestKey),
  /** The currency of the auction and of all amounts of the entry. */
  currency: StoredCurrency,
  event: EventFields,
  state: StateFields,
})

/** An auction: terms that never change. */
export const AuctionFields = v.object({
  version: Version,
  id: StoredAuctionId,
  productId: StoredProductId,
  ownerId: StoredUserId,
  title: v.exactOptional(v.string()),
  description: v.exactOptional(v.string()),
  startingPriceMinor: StoredAmountMinor,
  minimumBidIncrementMinor: StoredAmountMinor,
  currency: StoredCurrency,
  startTime: StoredMoment,
  endTime: StoredMoment,
  /**
   * An accepted bid within `windowSeconds` of the end moves the end to `extensionSeconds` after the bid, if that is later, but not past
   * `latestEndTime`.
   */
  softClose: v.exactOptional(v.object({ windowSeconds: Count, extensionSeconds: Count, latestEndTime: StoredMoment })),
  /** Secret: hosts show it only to the owner and to staff. A highest bid below it does not win. */
  reservePriceMinor: v.exactOptional(StoredAmountMinor),
  /** The price of an immediate purchase, while it is offered. */
  buyNowPriceMinor: v.exactOptional(StoredAmountMinor),
  /** Whether the auction can be cancelled after bids. */
  cancellableUntilEnd: v.exactOptional(v.boolean()),
  createdAtMs: Integer,
})

/** The input of `parseStoredAuction`. */
export type AuctionRow = v.InferInput<typeof AuctionFields>

/**
 * Parses a stored entry, with its `version`.
 * @throws UnreadableStoredError that names the entry and its first invalid field
 */
export function parseStoredEntry(data: unknown): Entry {
  const { version: _, ...entry } = parsed(EntryFields, data, 'entry')
  return entry
}

/** Parses a stored auction, without its `requestKey`. @throws UnreadableStoredError like `parseStoredEntry` */
export function parseStoredAuction(data: unknown): Auction {
  const { version: _, ...auction } = parsed(AuctionFields, data, 'auction')
  return auction
}

/** A stored auction without its key. */
export function withoutKey({ requestKey: _, ...auction }: StoredAuction): Auction {
  return auction
}

function parsed<Schema extends v.GenericSchema>(
  schema: Schema,
  data: unknown,
  kind: UnreadableStoredError['kind'],
): v.InferOutput<Schema> {
  const result = parseFirst(schema, data)
  if (result.ok) return result.value
  const { field, rule } = result.refusal
  const part = field === undefined ? 'an invalid form' : `an invalid field ${field}`
  throw new UnreadableStoredError(kind, Object(data), `${part}: ${rule}`)
}
