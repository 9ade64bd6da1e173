import { termsOf } from '../../../src/auction/auction.ts'
import type { AuctionEvent } from '../../../src/auction/events.ts'
import { incrementAt } from '../../../src/auction/increments.ts'
import { type AuctionState, initialState } from '../../../src/auction/state.ts'
import type { AuctionId } from '../../../src/values/ids.ts'
import { momentAt } from '../../../src/values/moment.ts'
import type { AmountMinor } from '../../../src/values/money.ts'
import { refused } from '../../../src/values/result.ts'
import { isOfBid, withBidEvents, withEvents, withState, withTerms } from './altered-events.ts'
import { type PlantedBugs, withService } from './planted.ts'
import {
  decideWrongly,
  recordAnyway,
  type WrongInputs,
  withCancellations,
  withCorrections,
  withPlacedBids,
  withPurchases,
} from './recorded-anyway.ts'

const least = (...amounts: readonly number[]): AmountMinor => Math.min(...amounts) as AmountMinor // All are valid amounts.

const open = ({ bidCount, leader, atMs, extendedEndMs }: AuctionState): AuctionState => ({
  ...initialState,
  bidCount,
  leader,
  atMs,
  ...(extendedEndMs !== undefined && { extendedEndMs }),
})

const endedBy = (state: AuctionState): string | undefined =>
  state.phase === 'closed' ? state.result.outcome : undefined

/** The inputs with the original end. */
const withOriginalEnd: WrongInputs = ({ state }) => {
  const { extendedEndMs, ...others } = state
  return state.phase === 'open' && extendedEndMs !== undefined ? { state: others } : undefined
}

/** Bugs in the rules of the formats. */
export const bugsInRules: PlantedBugs = {
  'a refused bid moves the end': () => {
    const moved = new Map<AuctionId, number>()
    const noting = withService((right, { store, clock }) => ({
      async placeBid(bid, retry, arrivedAtMs) {
        const placed = await right.placeBid(bid, retry, arrivedAtMs)
        if (placed.ok || placed.refusal.code !== 'bid-too-low') return placed
        const softClose = (await store.findAuction(bid.auctionId))?.softClose
        if (softClose === undefined) return placed
        const { extensionSeconds, latestEndTime } = softClose
        moved.set(bid.auctionId, Math.min(clock.nowMs() + extensionSeconds * 1000, latestEndTime.epochMs))
        return placed
      },
    }))
    const moving = withEvents(() => ({ entry: { event }, terms, state }) => {
      const movedMs = moved.get(terms.id) ?? 0
      const endMs = (isOfBid(event) && event.extendedEndMs) || (state.extendedEndMs ?? terms.endTime.epochMs)
      return isOfBid(event) && movedMs > endMs ? { ...event, extendedEndMs: movedMs } : event
    })
    return { ...noting(), ...moving() }
  },

  'an end moves past its latest time': withTerms((terms) => {
    if (terms.softClose === undefined) return terms
    const { iso, epochMs } = terms.softClose.latestEndTime
    return { ...terms, softClose: { ...terms.softClose, latestEndTime: { iso, epochMs: epochMs + 60_000 } } }
  }),

  'bids at any time move the end': withTerms((terms) =>
    terms.softClose === undefined ? terms : { ...terms, softClose: { ...terms.softClose, windowSeconds: 1_000 } },
  ),

  'a raised maximum moves the end': withBidEvents((event, { softClose }) =>
    event.type === 'maximum-raised' && softClose ? { ...event, extendedEndMs: softClose.latestEndTime.epochMs } : event,
  ),

  'bids are accepted only until the original end': withService((right, servedBy) => ({
    async placeBid(bid, retry, atMs = servedBy.clock.nowMs()) {
      // A repeated request gets its first answer.
      if (retry !== undefined) return right.placeBid(bid, retry, atMs)
      const { auctionId, ...fields } = bid
      const command = { type: 'place-bid', ...fields } as const
      const decided = await decideWrongly(servedBy, { auctionId, command, atMs, wrong: withOriginalEnd })
      if (!decided || decided.decision.ok || decided.decision.refusal.code !== 'auction-ended')
        return right.placeBid(bid, retry, atMs)
      return refused(decided.decision.refusal)
    },
  })),

  'an auction is closed at the original end': withService((right, servedBy) => ({
    async closeDue() {
      const { items } = await servedBy.store.listAuctions({ order: 'agenda', limit: 1_000 })
      for (const { auction } of items) {
        const command = { type: 'close', marginMs: 0 } as const
        const atMs = servedBy.clock.nowMs()
        await recordAnyway(servedBy, { auctionId: auction.id, command, atMs, wrong: withOriginalEnd })
      }
      return right.closeDue()
    },
  })),

  'the reserve is ignored at the end': withTerms(({ reservePriceMinor, ...terms }, type) =>
    type === 'closed' || reservePriceMinor === undefined ? terms : { ...terms, reservePriceMinor },
  ),

  'a reserve is met one minor unit below it': withTerms((terms) =>
    terms.reservePriceMinor === undefined ? terms : { ...terms, reservePriceMinor: least(terms.reservePriceMinor - 1) },
  ),

  'a maximum does not raise the price to the reserve': withBidEvents((event, terms, { leader }) => {
    const isLift =
      event.automatic?.bidderId === event.bidderId && event.automatic.amountMinor === terms.reservePriceMinor
    const { automatic: _, ...others } = event
    return isLift && (leader === null || leader.bidderId === event.bidderId) ? others : event
  }),

  'both of two buyers succeed': withPurchases(({ state }) =>
    endedBy(state) === 'bought' ? { state: open(state) } : undefined,
  ),

  'buy now is offered after the first bid': withPurchases(({ state }) =>
    state.phase === 'open' ? { state: { ...state, leader: null } } : undefined,
  ),

  'buy now is not offered after bids below the reserve': withService((right, servedBy) => ({
    async buyNow(request, retry, atMs = servedBy.clock.nowMs()) {
      // A repeated request gets its first answer.
      if (retry !== undefined) return right.buyNow(request, retry, atMs)
      const { auctionId, purchase } = request
      const wrong: WrongInputs = ({ terms: { reservePriceMinor: _, ...terms } }) => ({ terms })
      const command = { type: 'buy-now', ...purchase } as const
      const decided = await decideWrongly(servedBy, { auctionId, command, atMs, wrong })
      if (!decided || decided.decision.ok || decided.decision.refusal.code !== 'buy-now-not-offered')
        return right.buyNow(request, retry, atMs)
      return refused(decided.decision.refusal)
    },
  })),

  'a bid at the buy-now price buys': withService((right, servedBy) => ({
    async placeBid(bid, retry, atMs = servedBy.clock.nowMs()) {
      const placed = await right.placeBid(bid, retry, atMs)
      if (placed.ok || placed.refusal.code !== 'buy-now-is-lower') return placed
      const command = { type: 'buy-now', buyerId: bid.bidderId } as const
      await recordAnyway(servedBy, { auctionId: bid.auctionId, command, atMs, wrong: () => ({}) })
      return placed
    },
  })),

  'a bid ignores the offer to buy now': withPlacedBids(({ terms: { buyNowPriceMinor: _, ...terms } }) => ({ terms })),

  'a leader with a maximum pays one increment too much': withBidEvents(({ automatic, ...event }, terms, { leader }) => {
    if (automatic === undefined) return event
    const most =
      (automatic.bidderId === event.bidderId ? event.maximumMinor : leader?.maximumMinor) ?? automatic.amountMinor
    const amountMinor = least(automatic.amountMinor + incrementAt(terms, automatic.amountMinor), most)
    return { ...event, automatic: { ...automatic, amountMinor } }
  }),

  'the later of two equal maximums leads': withBidEvents((event, _, { leader }) => {
    const ceilingMinor = event.maximumMinor ?? event.amountMinor
    const isTie =
      event.automatic !== undefined &&
      event.automatic.bidderId === leader?.bidderId &&
      leader.maximumMinor === ceilingMinor
    if (!isTie) return event
    const { automatic: __, ...others } = event
    return event.amountMinor === ceilingMinor
      ? others
      : { ...others, automatic: { bidderId: event.bidderId, amountMinor: ceilingMinor } }
  }),

  'raising a maximum moves the price': withBidEvents((event, terms, { leader }) => {
    if (event.type !== 'maximum-raised' || leader === null || event.automatic !== undefined) return event
    const amountMinor = least(leader.amountMinor + incrementAt(terms, leader.amountMinor), event.maximumMinor)
    return { ...event, automatic: { bidderId: event.bidderId, amountMinor } }
  }),

  'the amount of a leader who also raises its maximum is dropped': withBidEvents((event, _, { leader }) => {
    const { maximumMinor } = event
    if (event.type !== 'bid-placed' || leader?.bidderId !== event.bidderId || maximumMinor === undefined) return event
    return maximumMinor > (leader.maximumMinor ?? leader.amountMinor)
      ? { ...event, type: 'maximum-raised', maximumMinor }
      : event
  }),

  'a maximum of the leader counts as a bid': withState((state, type) => {
    if ((type !== 'bid-placed' && type !== 'maximum-raised') || state.leader === null) return state
    const { maximumMinor: _, ...leader } = state.leader
    return { ...state, leader }
  }),

  'a bid below the increment of its step is accepted': withPlacedBids(({ terms: { incrementSteps: _, ...terms } }) => ({
    terms,
  })),

  'automatic bids ignore the steps of increments': withTerms(({ incrementSteps: _, ...terms }) => terms),

  'automatic bids take the increment at the higher maximum': withBidEvents((event, terms, { leader }) => {
    const { automatic, bidderId } = event
    if (automatic === undefined || leader === null || leader.bidderId === bidderId) return event
    const [own, other] = [event.maximumMinor ?? event.amountMinor, leader.maximumMinor ?? leader.amountMinor]
    const [lower, higher] = [least(own, other), Math.max(own, other) as AmountMinor] // One of the two.
    const amountMinor = least(lower + incrementAt(terms, higher), higher)
    return amountMinor > automatic.amountMinor ? { ...event, automatic: { ...automatic, amountMinor } } : event
  }),

  'a step begins an increment late': withTerms(({ incrementSteps, ...terms }) =>
    incrementSteps === undefined
      ? terms
      : {
          ...terms,
          incrementSteps: incrementSteps.map(({ fromPriceMinor, incrementMinor }) => ({
            fromPriceMinor: (fromPriceMinor + 5_00) as AmountMinor, // Far below the limit.
            incrementMinor,
          })),
        },
  ),

  'a percentage loses its decimals': withTerms(({ incrementBasisPoints, ...terms }) =>
    incrementBasisPoints === undefined
      ? terms
      : { ...terms, incrementBasisPoints: Math.floor(incrementBasisPoints / 100) * 100 },
  ),

  'a bid ignores the maximum increment': withPlacedBids(({ terms: { maximumBidIncrementMinor: _, ...terms } }) => ({
    terms,
  })),

  'the maximum increment counts from the minimum next bid': withPlacedBids(
    ({ terms: { maximumBidIncrementMinor, ...terms }, state }) =>
      maximumBidIncrementMinor === undefined || state.leader === null
        ? undefined
        : {
            terms: {
              ...terms,
              maximumBidIncrementMinor: (maximumBidIncrementMinor +
                incrementAt(terms, state.leader.amountMinor)) as AmountMinor, // Far below the limit.
            },
          },
  ),

  'the maximum increment limits maximums': withService((right, servedBy) => ({
    async placeBid(bid, retry, atMs = servedBy.clock.nowMs()) {
      const { auctionId, bidderId, maximumAmount } = bid
      // A repeated request gets its first answer.
      if (retry !== undefined || maximumAmount === undefined) return right.placeBid(bid, retry, atMs)
      const command = { type: 'place-bid', bidderId, amount: maximumAmount } as const
      const decided = await decideWrongly(servedBy, { auctionId, command, atMs, wrong: () => ({}) })
      if (!decided || decided.decision.ok || decided.decision.refusal.code !== 'bid-too-high')
        return right.placeBid(bid, retry, atMs)
      return refused(decided.decision.refusal)
    },
  })),

  'an auction with bids is cancelled': withCancellations(({ terms }) => ({
    terms: { ...terms, cancellableUntilEnd: true },
  })),

  'any user may cancel': withService((right) => ({
    cancelAuction: ({ requesterId: _, ...cancellation }, retry, arrivedAtMs) =>
      right.cancelAuction(cancellation, retry, arrivedAtMs),
  })),

  'a reason lets any user cancel an auction with bids': withService((right) => ({
    cancelAuction: (cancellation, retry, arrivedAtMs) =>
      right.cancelAuction({ ...cancellation, mayForce: true }, retry, arrivedAtMs),
  })),

  'a forced cancellation is recorded as an ordinary one': withEvents(() => ({ entry: { event } }) => {
    if (event.type !== 'cancelled') return event
    const { isForced: _, ...ordinary } = event
    return ordinary satisfies AuctionEvent
  }),

  'an auction with bids is corrected': withCorrections(({ state }) => ({ state: { ...state, leader: null } })),

  'a bid is judged by the terms before their correction': withPlacedBids(({ state }) => {
    if (state.corrections?.terms === undefined) return undefined
    const { terms: _, ...corrections } = state.corrections
    return { state: { ...state, corrections } }
  }),

  'a correction ignores the reserve that it keeps': withCorrections(
    ({ terms: { reservePriceMinor: _, ...terms } }) => ({
      terms,
    }),
  ),

  'a start is corrected after it has passed': withCorrections(({ terms, atMs }) => ({
    terms: { ...terms, startTime: momentAt(atMs + 1) },
  })),

  'any user may correct': withService((right) => ({
    correctAuction: ({ requesterId: _, ...correction }, retry, arrivedAtMs) =>
      right.correctAuction(correction, retry, arrivedAtMs),
  })),

  'a correction is refused as invalid by the rules of another one': withService((right) => {
    const invalid = new Map<AuctionId, Awaited<ReturnType<typeof right.correctAuction>>>()
    return {
      async correctAuction(correction, retry, arrivedAtMs) {
        const known = invalid.get(correction.auctionId)
        if (known !== undefined && retry === undefined) return known
        const corrected = await right.correctAuction(correction, retry, arrivedAtMs)
        if (!corrected.ok && corrected.refusal.code === 'validation-failed') {
          invalid.set(correction.auctionId, corrected)
        }
        return corrected
      },
    }
  }),

  'an ended auction is corrected': withCorrections(({ state }) => ({ atMs: state.atMs })),

  'a correction replaces a state that its client has not seen': withService((right) => ({
    correctAuction: ({ isExpected: _, ...correction }, retry, arrivedAtMs) =>
      right.correctAuction(correction, retry, arrivedAtMs),
  })),

  'a cancelled auction accepts bids': withPlacedBids(({ state }) =>
    endedBy(state) === 'cancelled' ? { state: open(state) } : undefined,
  ),

  'a cancelled auction counts as ended': withService((right, { store }) => {
    async function ended(auctionId: AuctionId) {
      const auction = await store.findAuction(auctionId)
      if (auction === undefined) throw new Error(`auction ${auctionId} is not stored`)
      return refused({ code: 'auction-ended', endTime: termsOf(auction).endTime } as const)
    }
    return {
      async placeBid(bid, ...others) {
        const placed = await right.placeBid(bid, ...others)
        return placed.ok || placed.refusal.code !== 'auction-cancelled' ? placed : ended(bid.auctionId)
      },
      async buyNow(purchase, ...others) {
        const bought = await right.buyNow(purchase, ...others)
        return bought.ok || bought.refusal.code !== 'auction-cancelled' ? bought : ended(purchase.auctionId)
      },
      async correctAuction(correction, ...others) {
        const corrected = await right.correctAuction(correction, ...others)
        return corrected.ok || corrected.refusal.code !== 'auction-cancelled' ? corrected : ended(correction.auctionId)
      },
    }
  }),
}
