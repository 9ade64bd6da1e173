import { bidIdOf } from '../../../values/ids.ts'
import { type Decimal, toDecimal } from '../../../values/money.ts'
import { paddleOf, recordedAdmission } from '../../admission.ts'
import type { CommonBid, EntryOf, Format } from '../format.ts'
import { assigned } from './assigned.ts'
import { decideBid, decideOwnWithdrawal } from './bidding.ts'
import { correctable, fields, hiddenReserveError, rules, toFields, toStored } from './fields.ts'
import type { BidRefusal, OwnWithdrawalRefusal } from './refusals.ts'
import { resultOf } from './result.ts'
import { createStakes, offerPrice } from './stakes.ts'
import {
  EventFields,
  evolve,
  type OpenedBid,
  type OwnEvent,
  type OwnWithdrawal,
  type SealedEvent,
  type SealedState,
  StateFields,
} from './state.ts'
import { createTally, type SealedTally } from './tally.ts'
import { AuctionFields, CorrectableTerms, type SealedAuction } from './terms.ts'

/** What anyone sees of the bids: nothing before the result. */
type SealedFigures = {
  /** The number of bidders with a bid that counted. */
  readonly bidderCount?: number
}

type SealedTypes = {
  readonly fields: typeof fields
  readonly correctable: typeof correctable
  readonly auction: SealedAuction
  readonly stored: typeof AuctionFields
  readonly secret: 'reservePriceMinor' | 'key'
  readonly state: SealedState
  readonly standing: Partial<Pick<SealedState, 'bidCount' | 'publicSequences'>>
  readonly event: SealedEvent
  readonly ownEvent: OwnEvent
  readonly decisions: {
    readonly 'place-bid': { readonly event: OpenedBid; readonly refusal: BidRefusal }
    readonly 'buy-now': { readonly event: never; readonly refusal: never }
    readonly 'lower-reserve': { readonly event: never; readonly refusal: never }
    readonly 'withdraw-own-bid': { readonly event: OwnWithdrawal; readonly refusal: OwnWithdrawalRefusal }
  }
  readonly refusals: Readonly<Record<never, never>>
  readonly bid: CommonBid
  readonly figures: SealedFigures
  readonly shown: SealedFigures
  readonly placed: { readonly isSealed: true }
  readonly publicEvent: never
}

/** The bid of an opened entry, as its bidder receives it. */
function requestIn({ id, auctionId, currency, atMs, event }: EntryOf<SealedEvent, SealedState>): CommonBid | undefined {
  if (event.type !== 'sealed-bid' || !('amountMinor' in event)) return undefined
  const { bidderId, amountMinor } = event
  const bid = { id: bidIdOf(id), auctionId, bidderId, amountMinor, currency, timestampMs: atMs }
  return { ...bid, ...paddleOf(event) }
}

const bidderCountIn = ({ bidderCount }: SealedFigures): SealedFigures =>
  bidderCount === undefined ? {} : { bidderCount }

/** Bids stay secret until the end; the highest wins, and pays its own amount or that of the second bidder. */
export const sealed: Format<SealedTypes> = {
  fields,
  correctable,
  rules: () => rules,
  toStored,
  toFields,
  stored: { auction: AuctionFields, correctable: CorrectableTerms.entries, event: EventFields, state: StateFields },
  secrets: ['reservePriceMinor', 'key'],
  secretError: hiddenReserveError,
  isFixedFromStart: true,
  keepsBidsApart: true,
  assigned,
  none: { bidCount: 0, publicSequences: [] },
  decideBid,
  decideOwnWithdrawal,
  refusals: {},
  standingIn: () => ({}),
  hasOffers: () => false,
  evolve,
  publicSequences: ({ publicSequences }) => publicSequences,
  afterPublic: (state, sequence) => ({ ...state, publicSequences: [...state.publicSequences, sequence] }),
  again: () => ({}),
  commandOf(event, currency) {
    if (event.type === 'sealed-withdrawal') return { type: 'withdraw-own-bid', bidderId: event.bidderId, hasBids: true }
    if (!('amountMinor' in event)) throw new Error('the bid is not opened')
    const amount = toDecimal(event.amountMinor, currency) as Decimal // It converts back.
    return { type: 'place-bid', bidderId: event.bidderId, amount, ...recordedAdmission(event) }
  },
  isRevealed: ({ reveal }) => reveal === 'bids',
  actorOf: (event) => ('bidderId' in event && event.type !== 'withdrawn' ? event.bidderId : undefined),
  isOwnWithdrawal: ({ type }) => type === 'sealed-withdrawal',
  isListed: ({ type }) => type === 'sealed-bid' || type === 'sealed-withdrawal',
  withKey: (auction, key) => ({ ...auction, key }),
  keyOf: ({ key }) => key,
  seal(event, context, sealer) {
    if (event.type !== 'sealed-bid' || !('amountMinor' in event)) return event
    const { amountMinor, ...others } = event
    return { ...others, ...sealer.seal(amountMinor, { ...context, bidderId: event.bidderId }) }
  },
  open(event, context, sealer) {
    if (event.type !== 'sealed-bid' || 'amountMinor' in event) return event
    const { key, sealed, ...others } = event
    return { ...others, amountMinor: sealer.open({ key, sealed }, { ...context, bidderId: event.bidderId }) }
  },
  createTally,
  createStakes,
  offerPrice,
  settle(terms, _, __, tally) {
    if (tally === undefined) throw new Error('the result of a sealed auction follows from a tally of its bids')
    return resultOf(terms, (tally as SealedTally).bids.values()) // The cast: `createTally` made it.
  },
  figures: (_, state) => (state.phase === 'closed' && 'bidderCount' in state.result ? bidderCountIn(state.result) : {}),
  shown: bidderCountIn,
  leads: () => false,
  placed: () => ({ isSealed: true }),
  bidsIn: (entry) => [requestIn(entry)].filter((bid) => bid !== undefined),
  requestIn,
  publicEvent: () => undefined,
}
