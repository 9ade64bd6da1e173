import type { CurrentView } from '@auction/domain'
import {
  type Auction,
  type AuctionResult,
  type AuctionStatus,
  auctionStatuses,
  type ListedAuction,
  type ListedView,
  type PublicAuction,
} from '@auction/domain/auction'
import { AuctionId, BidId, RegisterId, SaleId } from '@auction/domain/ids'
import { auctionJson, auctionViewJson, resultJson } from '@auction/domain/json'
import { MomentText } from '@auction/domain/moment'
import { newAuctionFields, Reason } from '@auction/domain/parsing'
import { described, integerFrom } from '@auction/host/responses'
import * as v from 'valibot'
import { readerOf, type ShownAmount, type ShownBidderId, type Viewer } from '../callers/caller.ts'
import { ofEach } from '../of-each.ts'

// Resources are made for a viewer. The type of a secret field has values only for viewers who may see it.

/** The cast: only `callers/caller.ts` creates values of this type. */
const shownBidder = (maximum: number) =>
  v.pipe(
    v.number(),
    v.integer(),
    v.minValue(-Number.MAX_SAFE_INTEGER),
    v.maxValue(maximum),
  ) as unknown as v.GenericSchema<ShownBidderId>

/** JSON Schema gets the range of both ids and pseudonyms. */
const Bidder = shownBidder(Number.MAX_SAFE_INTEGER)
const Pseudonym = shownBidder(-1)

const pseudonymNote =
  'A negative number is a pseudonym for this auction, if the service hides the ids of other bidders.'

export const bidder = (who: string) => described(Bidder, `${who} ${pseudonymNote}`)

export const Price = v.pipe(v.number(), v.metadata({ minimum: 0, exclusiveMaximum: 1e15 }))

/** The cast: only `callers/caller.ts` creates values of this type. */
export const secret = (amount: v.GenericSchema<number, unknown>) => amount as unknown as v.GenericSchema<ShownAmount>

/**
 * A resource with every field of its schema. One that is not set, or that the viewer may not see, is undefined and not
 * sent.
 */
export type Resource<Schema extends v.GenericSchema<object>> = {
  readonly [Name in keyof Required<v.InferInput<Schema>>]: v.InferInput<Schema>[Name]
}

type Read<Entry> = Entry extends v.NullishSchema<infer Given, undefined> ? v.OptionalSchema<Given, undefined> : Entry

/**
 * The fields of a new auction as responses have them: omitted if not set. The cast: this is what `Read` does to a type.
 */
export const asRead = <Entries extends v.ObjectEntries>(entries: Entries) =>
  Object.fromEntries(
    Object.entries(entries).map(([name, entry]) => [
      name,
      // The cast: what is nullish wraps a schema.
      entry.type === 'nullish' ? v.optional(v.unwrap(entry as v.NullishSchema<v.GenericSchema, undefined>)) : entry,
    ]),
  ) as { readonly [Name in keyof Entries]: Read<Entries[Name]> }

const { registerId: _, ...offeredFields } = asRead(newAuctionFields.english.entries)
const {
  productId,
  ownerId,
  title,
  description,
  registerId: __,
  ...sealedFields
} = asRead(newAuctionFields.sealed.entries)
const { startingPrice, falling, minimumBidIncrement } = asRead(newAuctionFields.falling.entries)
const { currency, startTime, endTime, cancellableUntilEnd, showPaddles, metadata } = offeredFields
const names = { productId, ownerId, title, description }

const Format = described(v.picklist(['sealed', 'falling']), 'The format, unless it is `english`.')

export const SoftCloseResource = v.object({ ...v.unwrap(offeredFields.softClose).entries })

export const IncrementStepResource = v.unwrap(offeredFields.incrementSteps).item

export const BidStepsResource = v.unwrap(offeredFields.bidSteps).item

/** The sale of an auction, in the auction and in its events. */
export const saleFields = {
  saleId: v.optional(described(SaleId, 'The sale of which the auction is a lot.')),
  lot: v.optional(described(v.string(), 'Its number in the sale.')),
}

/** Who may bid, what the auction comes from, and its sale. */
const admittingFields = {
  register: v.optional(
    described(
      v.object({ id: RegisterId, admits: v.picklist(['listed', 'everyone']) }),
      'The register that says who may bid, and whether it admits those that it lists, or everyone whom it does not refuse.',
    ),
  ),
  relistOf: v.optional(described(AuctionId, 'The auction of which this is a repetition.')),
  offerOf: v.optional(
    described(
      AuctionId,
      'The auction whose next bidder this is an offer to. If its bids are sealed, the offer exists only for `offeredTo` and callers with `Auctions.Manage`; webhooks receive its events, too.',
    ),
  ),
  offeredTo: v.optional(bidder('The only user who may buy.')),
  ...saleFields,
}

/** The Auction of section 2.2 of the specification, in its order, with the optional fields. */
const EnglishAuction = v.object({
  id: described(AuctionId, 'Assigned by the service.'),
  ...offeredFields,
  softClose: v.optional(SoftCloseResource),
  ...admittingFields,
  reservePrice: v.optional(secret(v.unwrap(offeredFields.reservePrice))),
  status: described(
    v.picklist(auctionStatuses),
    '`Pending` before the start, `Active` until the end, then `Ended`. `Cancelled` once it is cancelled.',
  ),
})

const { id, status } = EnglishAuction.entries

/** An auction whose bids are secret until its end. */
const SealedAuction = v.object({
  ...{ id, format: Format, ...names, ...sealedFields, ...admittingFields },
  reservePrice: v.optional(secret(v.unwrap(sealedFields.reservePrice))),
  status,
})

/** An auction whose price falls. */
const FallingAuction = v.object({
  ...{ id, format: Format, ...names, startingPrice, falling, minimumBidIncrement },
  ...{ currency, startTime, endTime, cancellableUntilEnd, showPaddles, ...admittingFields, metadata, status },
})

/** An auction of any format, each with its members. */
export const AuctionResource = v.object(ofEach(EnglishAuction.entries, SealedAuction.entries, FallingAuction.entries))

type AnyAuction = Resource<typeof EnglishAuction> | Resource<typeof SealedAuction> | Resource<typeof FallingAuction>

export const auctionResource = (
  auction: (ListedAuction | PublicAuction) & Pick<Auction, 'description'>,
  status: AuctionStatus,
  viewer: Viewer,
): AnyAuction => auctionJson(auction, status, readerOf(viewer))

export const paddle = v.optional(
  described(v.string(), 'The paddle of the bidder, if the auction has `showPaddles` and the register gives them one.'),
)
const bidderCount = v.optional(
  integerFrom(0, 'With sealed bids: the number of bidders with a bid that was not withdrawn.'),
)
const endedEarly = v.optional(described(v.literal(true), 'Present if staff ended the auction before its end.'))

export const SoldResource = v.object({
  outcome: v.literal('sold'),
  bidId: described(BidId, 'The winning bid.'),
  winnerId: bidder('The bidder of the winning bid.'),
  paddle,
  price: described(
    Price,
    'What the winner pays: the amount of the winning bid, unless a withdrawal has changed the price, or the `pricing` is `second`.',
  ),
  endedEarly,
  bidderCount,
})
export const UnsoldResource = v.object({
  outcome: v.literal('unsold'),
  reason: described(
    v.picklist(['no-bids', 'reserve-not-met']),
    'The auction has no bids, or the highest bid is below the reserve.',
  ),
  endedEarly,
  bidderCount,
})
export const BoughtResource = v.object({
  outcome: v.literal('bought'),
  buyerId: bidder('The user who bought it.'),
  paddle,
  price: described(Price, 'The buy-now price.'),
})
export const CancelledResource = v.object({
  outcome: v.literal('cancelled'),
  reason: v.optional(described(Reason, 'The reason given, if any.')),
})

export const ResultResource = v.variant('outcome', [SoldResource, UnsoldResource, BoughtResource, CancelledResource])

export const MinimumNextBid = described(
  v.nullable(Price),
  'The lowest amount that the next bid may offer, while the auction accepts bids; null if no higher bid is possible, as once the `result` is known.',
)

export const MaximumNextBid = described(
  Price,
  'The highest `amount` that the next bid may offer, until the `result` is known. It does not limit a `maximumAmount`.',
)

export const EffectiveEndTime = described(
  MomentText,
  'The end that counts: the `endTime`, or the end to which bids or staff have moved it so far.',
)

/** Who leads, and the position of the viewer. */
export const leaderFields = {
  leaderId: v.nullable(bidder('The bidder of the highest bid; null if the auction has no bids.')),
  leaderPaddle: paddle,
  youLead: v.optional(
    described(v.boolean(), 'Whether the caller is the leader. Present only if callers are bound to users.'),
  ),
  yourMaximum: v.optional(
    secret(described(Price, 'The maximum of the caller, if the caller leads and the price is below it.')),
  ),
  yourPseudonym: v.optional(
    described(
      Pseudonym,
      'The negative number that others see instead of the id of the caller: that of the caller in streams, events and repairs; lists of bids show callers their own id. Present only if the service hides the ids of bidders, and callers are bound to users.',
    ),
  ),
}

const CurrentPrice = described(
  Price,
  'The highest bid, or the starting price if the auction has no bids. If the price falls, that of a purchase now.',
)

const lifeFields = {
  result: described(
    v.nullable(ResultResource),
    'Null until the result is final: a few seconds after the end, or at once if the auction is bought or cancelled. A result never changes.',
  ),
  createdAt: described(MomentText, 'When the auction was created, in UTC.'),
  endedAt: described(v.nullable(MomentText), 'When the `result` became final, in UTC; null until then.'),
  correctedAt: described(
    v.nullable(MomentText),
    'When any field was last corrected, in UTC; null if the auction was never corrected. Repairs do not change it.',
  ),
  repairCount: integerFrom(0, 'The number of repairs by staff and the owner; corrections are not counted.'),
}

/** What the bids of an English auction have led to. */
export const bidFields = {
  currentPrice: CurrentPrice,
  minimumNextBid: MinimumNextBid,
  maximumNextBid: v.optional(MaximumNextBid),
  bidCount: integerFrom(0, 'The number of bids, including automatic bids.'),
  ...leaderFields,
  effectiveEndTime: EffectiveEndTime,
  reserveMet: v.optional(described(v.boolean(), 'With a reserve: whether the highest bid meets it.')),
  buyNowOffered: v.optional(described(v.boolean(), 'With a buy-now price: whether the offer is open.')),
}

/** The price of an auction whose price falls. */
export const priceFields = {
  currentPrice: CurrentPrice,
  nextPrice: described(v.nullable(Price), 'The price after the next step; null if no step follows before the end.'),
  nextPriceTime: described(
    v.nullable(MomentText),
    'When the price falls to the `nextPrice`, in UTC; null without one.',
  ),
}

const EnglishView = v.object({ ...EnglishAuction.entries, ...bidFields, ...lifeFields })
const SealedView = v.object({
  ...SealedAuction.entries,
  youBid: v.optional(
    v.nullable(
      secret(
        described(
          Price,
          'With sealed bids: the last bid of the caller; null without one. Only in reads, and in the responses to corrections and to the own withdrawal, for callers who are bound to users.',
        ),
      ),
    ),
  ),
  yourPseudonym: leaderFields.yourPseudonym,
  effectiveEndTime: EffectiveEndTime,
  ...lifeFields,
})
const FallingView = v.object({
  ...FallingAuction.entries,
  ...priceFields,
  yourPseudonym: leaderFields.yourPseudonym,
  effectiveEndTime: EffectiveEndTime,
  ...lifeFields,
})

export const AuctionViewResource = v.object(ofEach(EnglishView.entries, SealedView.entries, FallingView.entries))
export type AuctionViewResource = v.InferInput<typeof AuctionViewResource>

export const auctionViewResource = (
  view: ListedView & Pick<CurrentView, 'ownBid'>,
  viewer: Viewer,
): Resource<typeof EnglishView> | Resource<typeof SealedView> | Resource<typeof FallingView> =>
  auctionViewJson(view, readerOf(viewer))

/** An item of a list. It omits the description, which can be long, and what needs a read for each item. */
export const AuctionListItem = v.omit(AuctionViewResource, ['description', 'youBid'])

export const resultResource = (
  result: AuctionResult,
  auction: Pick<Auction, 'id' | 'currency'>,
  viewer: Viewer,
): v.InferInput<typeof ResultResource> => resultJson(result, auction, readerOf(viewer))

export const pageSchema = <Item extends v.GenericSchema>(item: Item) =>
  v.object({
    items: v.array(item),
    nextCursor: described(
      v.nullable(v.string()),
      'The `cursor` of the next page; null on the last page. A page before the last may be short.',
    ),
  })

/** The specification defines this URL. */
export const auctionLocation = (auction: Auction): string => `/api/Auctions/${auction.id}`
