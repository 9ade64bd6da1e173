import { bidIdOf } from '../../../values/ids.ts'
import { type Decimal, toDecimal } from '../../../values/money.ts'
import { refused } from '../../../values/result.ts'
import { paddleOf, recordedAdmission } from '../../admission.ts'
import { boughtBy, closed } from '../../life.ts'
import type { CommonBid, EntryOf, Format } from '../format.ts'
import { assigned } from './assigned.ts'
import { decidePurchase } from './buying.ts'
import { correctable, fields, rules, toFields, toStored } from './fields.ts'
import { type CurrentPrice, currentPrice } from './price.ts'
import { type BidRefusal, type PurchaseRefusal, refusals } from './refusals.ts'
import { EventFields, type FallingEvent, type FallingState, type Purchased, StateFields } from './state.ts'
import { AuctionFields, CorrectableTerms, type FallingAuction } from './terms.ts'

/** A purchase, as its buyer receives it. */
type FallingPurchase = CommonBid & { readonly isPurchase: true }

type FallingTypes = {
  readonly fields: typeof fields
  readonly correctable: typeof correctable
  readonly auction: FallingAuction
  readonly stored: typeof AuctionFields
  readonly secret: 'excludedBidderIds'
  readonly state: FallingState
  readonly standing: object
  readonly event: FallingEvent
  readonly ownEvent: Purchased
  readonly decisions: {
    readonly 'place-bid': { readonly event: never; readonly refusal: BidRefusal }
    readonly 'buy-now': { readonly event: Purchased; readonly refusal: PurchaseRefusal }
    readonly 'lower-reserve': { readonly event: never; readonly refusal: never }
    readonly 'withdraw-own-bid': { readonly event: never; readonly refusal: never }
  }
  readonly refusals: typeof refusals
  readonly bid: FallingPurchase
  readonly figures: CurrentPrice
  readonly shown: CurrentPrice
  readonly placed: object
  readonly publicEvent: never
}

type Entry = EntryOf<FallingEvent, FallingState>

function requestIn({ id, auctionId, currency, atMs, event }: Entry): FallingPurchase | undefined {
  if (event.type !== 'purchased') return undefined
  const { buyerId, priceMinor } = event
  const bid = { id: bidIdOf(id), auctionId, bidderId: buyerId, amountMinor: priceMinor, currency, timestampMs: atMs }
  return { ...bid, ...paddleOf(event), isPurchase: true }
}

/** The price falls step by step from the starting price; the first who buys gets the product at the price of that time. */
export const falling: Format<FallingTypes> = {
  fields,
  correctable,
  rules: () => rules,
  toStored,
  toFields,
  stored: { auction: AuctionFields, correctable: CorrectableTerms.entries, event: EventFields, state: StateFields },
  secrets: ['excludedBidderIds'],
  isFixedFromStart: true,
  assigned,
  none: {},
  decideBid: () => refused({ code: 'bids-not-taken' }),
  decidePurchase,
  refusals,
  standingIn: () => ({}),
  hasOffers: () => false,
  evolve: (state, { atMs, event }) => closed(state, atMs, boughtBy(event)),
  again: () => ({}),
  commandOf: (event, currency) => ({
    type: 'buy-now',
    buyerId: event.buyerId,
    atMost: toDecimal(event.atMostMinor, currency) as Decimal, // It converts back.
    ...recordedAdmission(event),
  }),
  actorOf: (event) => (event.type === 'purchased' ? event.buyerId : undefined),
  isListed: ({ type }) => type === 'purchased',
  settle: () => ({ outcome: 'unsold', reason: 'no-bids' }),
  figures: (terms, state, _, nowMs) => currentPrice(terms, state, state.phase === 'closed' ? state.atMs : nowMs),
  shown: ({ currentPriceMinor, nextPriceMinor, nextPriceTime }) => ({
    currentPriceMinor,
    nextPriceMinor,
    nextPriceTime,
  }),
  leads: () => false,
  placed: () => ({}),
  bidsIn: () => [],
  requestIn,
  publicEvent: () => undefined,
}
