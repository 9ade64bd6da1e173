import type { Format } from '../format.ts'
import { again } from './again.ts'
import { toAuctions } from './assigned.ts'
import { decideBid } from './bidding.ts'
import { actorOf, bidBefore, bidsIn, type EnglishBid, idsOf, isReplaced, requestIn } from './bids.ts'
import { decidePurchase } from './buying.ts'
import { commandOf } from './commands.ts'
import { fieldsOf, storedFieldsOf } from './conversion.ts'
import {
  type BidPlaced,
  type Bought,
  type EnglishEvent,
  EventFields,
  type MaximumRaised,
  type OwnEvent,
  type ReserveLowered,
} from './events.ts'
import { correctable, fields } from './fields.ts'
import { type EnglishFigures, figures, leaderOf, type ShownFigures, shownFigures } from './figures.ts'
import { decideReserveReduction, hiddenReserveError, withoutReserve } from './lowering.ts'
import { settle } from './prices.ts'
import { type EnglishPublicEvent, publicEvent } from './public-events.ts'
import { type BuyNowRefusal, type LowerReserveRefusal, type PlaceBidRefusal, refusals } from './refusals.ts'
import { rules } from './rules.ts'
import { createStakes, movedWithEnd, offerPrice } from './stakes.ts'
import { asRepaired, type EnglishStanding, type EnglishState, evolve, noBids, StateFields } from './state.ts'
import { AuctionFields, CorrectableTerms, type EnglishAuction } from './terms.ts'

type EnglishTypes = {
  readonly fields: typeof fields
  readonly correctable: typeof correctable
  readonly auction: EnglishAuction
  readonly stored: typeof AuctionFields
  readonly secret: 'reservePriceMinor'
  readonly state: EnglishState
  readonly standing: EnglishStanding
  readonly event: EnglishEvent
  readonly ownEvent: OwnEvent
  readonly decisions: {
    readonly 'place-bid': { readonly event: BidPlaced | MaximumRaised; readonly refusal: PlaceBidRefusal }
    readonly 'buy-now': { readonly event: Bought; readonly refusal: BuyNowRefusal }
    readonly 'lower-reserve': { readonly event: ReserveLowered; readonly refusal: LowerReserveRefusal }
    readonly 'withdraw-own-bid': { readonly event: never; readonly refusal: never }
  }
  readonly refusals: typeof refusals
  readonly bid: EnglishBid
  readonly figures: EnglishFigures
  readonly shown: ShownFigures
  readonly placed: ReturnType<typeof leaderOf>
  readonly publicEvent: EnglishPublicEvent
}

/** Bids rise, in public; the highest wins at its price, if it meets the reserve. */
export const english: Format<EnglishTypes> = {
  fields,
  correctable,
  rules: () => rules,
  toStored: storedFieldsOf,
  toFields: fieldsOf,
  stored: { auction: AuctionFields, correctable: CorrectableTerms.entries, event: EventFields, state: StateFields },
  secrets: ['reservePriceMinor'],
  secretError: hiddenReserveError,
  withoutSecrets: withoutReserve,
  withRepairs: asRepaired,
  mayMoveEnd: ({ softClose }) => softClose !== undefined,
  hasLaterTerms: ({ bidSteps }: Partial<EnglishAuction>) => bidSteps !== undefined,
  itemsIn: ({ incrementSteps = [], bidSteps = [] }: Partial<EnglishAuction>) =>
    incrementSteps.length + bidSteps.reduce((sum, { amountsMinor }) => sum + 1 + amountsMinor.length, 0),
  assigned: toAuctions,
  none: noBids,
  decideBid,
  decidePurchase,
  decideReserveReduction,
  refusals,
  standingIn: ({ leader, bidCount }) => ({ leader, bidCount }),
  hasOffers: ({ leader }) => leader !== null,
  evolve,
  again,
  commandOf,
  actorOf,
  isListed: ({ type }) => type === 'bid-placed' || type === 'bought',
  repairs: ['reserve-lowered'],
  hasOwnersRepair: ({ repairs }) => repairs?.reservePriceMinor !== undefined,
  idsOf,
  createStakes,
  offerPrice,
  movedWithEnd,
  movedFields: ['softClose'],
  settle,
  figures,
  shown: shownFigures,
  leads: ({ leaderId }, userId) => leaderId === userId,
  placed: leaderOf,
  bidsIn,
  requestIn,
  isReplaced,
  bidBefore,
  publicEvent,
}
