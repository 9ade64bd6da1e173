import * as v from 'valibot'
import { StoredAmountMinor } from './amount.ts'
import type { Auction } from './auction/auction.ts'
import { StoredCurrency } from './currency.ts'
import { StoredAuctionId, StoredBidId, StoredProductId, StoredUserId } from './ids.ts'
import type { Entry } from './ledger/entry.ts'
import { StoredMoment } from './moment.ts'
import type { RequestKey } from './request-key.ts'
import type { StoredAuction } from './store.ts'
import { UnreadableStoredError } from './unreadable-stored.ts'
import { parseFirst } from './validation.ts'

// What may be read from a store. It says less than the rules for new input do, on purpose: what was stored stays right when a length,
// a currency or a form of input is no longer accepted. Adapters keep entries and auctions in whatever form they like, with
// `storedVersion`, and parse what they read with the two functions below. The types of auctions, events and states are those of the
// schemas.

/** The version that auctions and entries are stored under. What was stored under another one is refused when it is read. */
export const storedVersion = 1

const Integer = v.pipe(v.number(), v.safeInteger())
const Version = v.literal(storedVersion)
const Count = v.pipe(Integer, v.minValue(0))
const Sequence = v.pipe(Integer, v.minValue(1))

const StoredRequestKey = v.pipe(
  v.string(),
  v.transform((key) => key as RequestKey), // Only `requestKeyOf` makes one, and only such are stored.
)

/** Who bids highest, with which bid. */
const LeaderFields = v.object({
  bidId: StoredBidId,
  bidderId: StoredUserId,
  amountMinor: StoredAmountMinor,
  /** Up to which the service bids for the leader, where that is more than the amount. */
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

const standing = {
  bidCount: Count,
  leader: v.nullable(LeaderFields),
  /** The time of the last entry, in milliseconds since 1970; 0 before there is one. Time in a ledger never goes back. */
  atMs: Integer,
  /** When the auction ends, in milliseconds since 1970, where a bid has moved that. */
  extendedEndMs: v.exactOptional(Integer),
}

export const StateFields = v.variant('phase', [
  v.object({ phase: v.literal('open'), ...standing }),
  v.object({ phase: v.literal('closed'), ...standing, result: ResultFields }),
])

/** What may follow from a bid. */
const consequences = {
  /** The bid that the service makes within the event. It comes after the bid, and leads. Its id is the one that follows on the entry's. */
  automatic: v.exactOptional(v.object({ bidderId: StoredUserId, amountMinor: StoredAmountMinor })),
  /** To when the event moves the end, in milliseconds since 1970. */
  extendedEndMs: v.exactOptional(Integer),
}

export const EventFields = v.variant('type', [
  v.object({
    type: v.literal('bid-placed'),
    bidderId: StoredUserId,
    amountMinor: StoredAmountMinor,
    /** Up to which the service bids for the bidder. */
    maximumMinor: v.exactOptional(StoredAmountMinor),
    ...consequences,
  }),
  v.object({
    type: v.literal('maximum-raised'),
    bidderId: StoredUserId,
    /** As it was sent; nothing follows from it. */
    amountMinor: StoredAmountMinor,
    maximumMinor: StoredAmountMinor,
    ...consequences,
  }),
  v.object({ type: v.literal('bought'), ...bought }),
  v.object({ type: v.literal('cancelled'), ...cancelled }),
  v.object({ type: v.literal('closed'), result: v.variant('outcome', [SoldFields, UnsoldFields]) }),
])

const EntryFields = v.object({
  version: Version,
  id: StoredBidId,
  auctionId: StoredAuctionId,
  sequence: Sequence,
  atMs: Integer,
  requestKey: v.exactOptional(StoredRequestKey),
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
   * How late bids move the end: an accepted bid of the last `windowSeconds` before it moves it to the bid's time and
   * `extensionSeconds`, if that is later, and never past `latestEndTime`. Without it, nothing moves the end.
   */
  softClose: v.exactOptional(v.object({ windowSeconds: Count, extensionSeconds: Count, latestEndTime: StoredMoment })),
  /** A secret of the owner: a highest bid below it buys nothing. */
  reservePriceMinor: v.exactOptional(StoredAmountMinor),
  /** For which the auction can be bought at once, as long as that is offered. */
  buyNowPriceMinor: v.exactOptional(StoredAmountMinor),
  /** Whether bids leave it free to be cancelled. */
  cancellableUntilEnd: v.exactOptional(v.boolean()),
  createdAtMs: Integer,
})

/**
 * Parses an entry that was read: its fields as they were given to the store, with the `version` that they were stored under.
 * @throws UnreadableStoredError that names the entry and its first faulty field
 */
export function parseStoredEntry(data: unknown): Entry {
  const { version: _, ...entry } = parsed(EntryFields, data, 'entry')
  return entry
}

/** Parses an auction that was read, without its `requestKey`. @throws UnreadableStoredError as `parseStoredEntry` does */
export function parseStoredAuction(data: unknown): Auction {
  const { version: _, ...auction } = parsed(AuctionFields, data, 'auction')
  return auction
}

/** What of an auction is stored beside its key. */
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
  throw new UnreadableStoredError(kind, Object(data), `a faulty field ${field ?? 'whole'}: ${rule}`)
}
