import * as v from 'valibot'
import * as common from '../../../../src/auction/common-fields.ts'
import * as stored from '../../../../src/auction/common-terms.ts'
import type { CommonBid, Format } from '../../../../src/auction/formats/format.ts'
import * as life from '../../../../src/auction/life.ts'
import * as events from '../../../../src/auction/life-events.ts'
import type { NotOpenRefusal } from '../../../../src/auction/life-refusals.ts'
import { endsAfterStart, isExact } from '../../../../src/auction/rules.ts'
import { refusalIfNotOpen } from '../../../../src/auction/status.ts'
import { StoredAmountMinor } from '../../../../src/values/amount.ts'
import { bidIdOf, StoredBidId, StoredUserId } from '../../../../src/values/ids.ts'
import { type Decimal, toDecimal, toMinor } from '../../../../src/values/money.ts'
import { missingField } from '../../../../src/values/parsing.ts'
import { accepted, refused } from '../../../../src/values/result.ts'

// A made-up format: any offer of the starting price is a ticket, and a number that is given at the close draws the winner.

/** The number for the next close. */
export const draw = { number: 0 }

const { names, texts, startingPrice, currency, times, cancellableUntilEnd, admitting, metadata } = common
// English has a field of this name, and needs it.
const minimumBidIncrement = v.nullish(common.minimumBidIncrement)
const correctable = { startingPrice, minimumBidIncrement, ...times, cancellableUntilEnd }
const fields = v.object({ ...names, ...texts, ...correctable, currency, ...admitting, metadata }, missingField)
const Correctable = v.object({
  startingPriceMinor: stored.startingPriceMinor,
  minimumBidIncrementMinor: v.exactOptional(StoredAmountMinor),
  ...{ ...stored.storedTimes, cancellableUntilEnd: stored.storedCancellable },
})
const format = v.literal('raffle')
const Auction = v.object({
  ...{ format, ...stored.storedNames, ...stored.storedTexts, ...Correctable.entries },
  ...{ currency: stored.storedCurrency, ...stored.storedRest },
})
const tickets = { tickets: v.array(v.object({ bidId: StoredBidId, userId: StoredUserId })) }
const Sold = v.object({ type: v.literal('ticket-sold'), userId: StoredUserId, amountMinor: StoredAmountMinor })
const { withdrawal, repair } = events
const Event = v.variant('type', [
  Sold,
  events.correctedWith(Correctable),
  v.object({ ...withdrawal, ...tickets, ...repair }),
  events.ExtendedFields,
  events.EndedEarlyFields,
  events.CancelledFields,
  events.ClosedFields,
])
const State = life.phasesWith({
  ...{ format, ...tickets, ...life.moments, corrections: v.exactOptional(life.correctionsWith(Correctable)) },
  repairs: v.exactOptional(v.object({ ...life.repairs, withdrawn: life.withdrawn })),
})
const refusals = {
  'no-such-ticket': { kind: 'conflict', meaning: 'The raffle sells no such ticket.', of: ['place-bid', 'buy-now'] },
} as const
const amounts = ['startingPrice', 'minimumBidIncrement']
type State = Readonly<v.InferOutput<typeof State>>
type Sold = v.InferOutput<typeof Sold>
type NoTicket = { readonly code: 'no-such-ticket' }
type Figures = { readonly ticketCount: number }

const withTicket = ({ tickets }: Pick<State, 'tickets'>, { id, event: { userId } }: life.Recorded<Sold>) => ({
  tickets: [...tickets, { bidId: bidIdOf(id), userId }],
})

export const raffle: Format<{
  readonly fields: typeof fields
  readonly correctable: typeof correctable
  readonly auction: Readonly<v.InferOutput<typeof Auction>>
  readonly stored: typeof Auction
  readonly secret: never
  readonly state: State
  readonly standing: Pick<State, 'tickets'>
  readonly event: v.InferOutput<typeof Event>
  readonly ownEvent: Sold
  readonly decisions: {
    readonly 'place-bid': { readonly event: Sold; readonly refusal: NotOpenRefusal | NoTicket }
    readonly 'buy-now': { readonly event: never; readonly refusal: NoTicket }
    readonly 'lower-reserve': { readonly event: never; readonly refusal: NoTicket }
    readonly 'withdraw-own-bid': { readonly event: never; readonly refusal: never }
  }
  readonly refusals: typeof refusals
  readonly bid: CommonBid
  readonly figures: Figures
  readonly shown: Figures
  readonly placed: object
  readonly publicEvent: Figures & { readonly type: 'ticket' }
}> = {
  ...{ fields, correctable, assigned: ['ticketCount'], refusals, secrets: [] },
  rules: () => ({ each: [isExact('startingPrice'), isExact('minimumBidIncrement'), endsAfterStart] }),
  // The cast: these fields are those of an auction.
  toStored: (sent) => stored.storedFrom(sent, amounts) as ReturnType<typeof raffle.toStored>,
  toFields: (terms) => stored.fieldsFrom(terms, amounts),
  stored: { auction: Auction, correctable: Correctable.entries, event: Event, state: State },
  none: { tickets: [] },
  decideBid(terms, state, { bidderId: userId, amount }, nowMs) {
    const closed = refusalIfNotOpen(terms, state, nowMs)
    const amountMinor = toMinor(amount, terms.currency)
    if (closed !== undefined || amountMinor !== terms.startingPriceMinor)
      return refused(closed ?? { code: 'no-such-ticket' })
    return accepted({ type: 'ticket-sold', userId, amountMinor })
  },
  decidePurchase: () => refused({ code: 'no-such-ticket' }),
  decideReserveReduction: () => refused({ code: 'no-such-ticket' }),
  standingIn: ({ tickets }) => ({ tickets }),
  hasOffers: ({ tickets }) => tickets.length > 0,
  evolve: (state, recorded) => ({ ...state, atMs: recorded.atMs, ...withTicket(state, recorded) }),
  again: (_, standing, recorded) => withTicket(standing, recorded),
  commandOf: ({ userId, amountMinor }, currency) => ({
    type: 'place-bid',
    bidderId: userId,
    amount: toDecimal(amountMinor, currency) as Decimal, // It converts back.
  }),
  actorOf: (event) => (event.type === 'ticket-sold' ? event.userId : undefined),
  isListed: ({ type }) => type === 'ticket-sold',
  facts: () => draw.number,
  settle({ startingPriceMinor: priceMinor }, { tickets }, drawn) {
    const won = tickets[Number(drawn) % tickets.length]
    if (won === undefined) return { outcome: 'unsold', reason: 'no-bids' }
    return { outcome: 'sold', bidId: won.bidId, winnerId: won.userId, priceMinor }
  },
  figures: (_, { tickets }) => ({ ticketCount: tickets.length }),
  shown: ({ ticketCount }) => ({ ticketCount }),
  leads: () => false,
  placed: () => ({}),
  bidsIn: (entry) => [raffle.requestIn(entry)].filter((bid) => bid !== undefined),
  requestIn: ({ id, auctionId, currency, atMs, event }) =>
    event.type === 'ticket-sold'
      ? {
          id: bidIdOf(id),
          auctionId,
          bidderId: event.userId,
          amountMinor: event.amountMinor,
          currency,
          timestampMs: atMs,
        }
      : undefined,
  publicEvent: ({ state }) => ({ type: 'ticket', ticketCount: state.tickets.length }),
}
