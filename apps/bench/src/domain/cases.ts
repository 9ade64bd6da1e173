import { type Terms, termsOf } from '@auction/domain/auction/auction'
import type { PlaceBid } from '@auction/domain/auction/commands'
import type { AuctionState } from '@auction/domain/auction/state'
import { toBidId } from '@auction/domain/ids'
import { isoOf } from '@auction/domain/moment'
import { toAmountMinor } from '@auction/domain/money'
import { sampleAuction, sampleEntry } from '@auction/domain/testing/samples'
import { bidderId, incrementDollars, inUsd, openAuctions, proxyBidderId, spreads } from './bidding-floor.ts'

/** A bid on an auction. */
export type Case = {
  readonly terms: Terms
  readonly state: AuctionState
  readonly command: PlaceBid
  readonly isAccepted: boolean
  /** What the outcome must name: the price that the bid leads to, or the least that would be accepted. */
  readonly expectedMinor: number
}

/** Of the bid, where it needs an id. */
export const caseId = toBidId(7)

/** Bids on 1,000 auctions that have none of the formats. Every other one is the least that is accepted, and the rest are too low. */
export const plainCases = (): readonly Case[] =>
  openAuctions(spreads.wide.auctions).map((auction, index) => {
    const priceDollars = 100 + index
    const { state } = sampleEntry({ auctionId: auction.id, amountMinor: priceDollars * 100 })
    const leastDollars = priceDollars + incrementDollars
    const isAccepted = index % 2 === 0
    const amount = inUsd(isAccepted ? leastDollars : priceDollars)
    const command = { type: 'place-bid', bidderId, amount } as const
    return { terms: termsOf(auction), state, command, isAccepted, expectedMinor: leastDollars * 100 }
  })

const dayMs = 24 * 60 * 60 * 1000

/**
 * Bids on 1,000 auctions that have all of the formats. Each is accepted and has a maximum, meets a leader whose maximum is higher,
 * and moves the end.
 */
export function formatsCases(nowMs: number): readonly Case[] {
  const softClose = { windowSeconds: 604_800, extensionSeconds: 604_800, latestEndTime: isoOf(nowMs + 3 * dayMs) }
  return Array.from({ length: spreads.wide.auctions }, (_, index) => {
    const priceDollars = 100 + index
    const auction = sampleAuction({
      id: index + 1,
      startingPriceMinor: 100,
      minimumBidIncrementMinor: incrementDollars * 100,
      startTime: '2020-01-01T00:00:00Z',
      endTime: isoOf(nowMs + dayMs),
      softClose,
      reservePriceMinor: 5_000_00,
      buyNowPriceMinor: 9_000_00,
      cancellableUntilEnd: true,
    })
    const amount = inUsd(priceDollars + incrementDollars)
    const maximumDollars = priceDollars + 10
    return {
      terms: termsOf(auction),
      state: ledByProxy(priceDollars * 100),
      command: { type: 'place-bid', bidderId, amount, maximumAmount: inUsd(maximumDollars) },
      isAccepted: true,
      expectedMinor: (maximumDollars + incrementDollars) * 100,
    }
  })
}

function ledByProxy(priceMinor: number): AuctionState {
  const leader = { bidId: toBidId(1), bidderId: proxyBidderId, amountMinor: toAmountMinor(priceMinor) }
  return { phase: 'open', bidCount: 1, leader: { ...leader, maximumMinor: toAmountMinor(4_000_00) }, atMs: 1 }
}
