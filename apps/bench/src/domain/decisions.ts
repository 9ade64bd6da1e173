import type { Auction } from '@auction/domain/auction'
import type { Bid } from '@auction/domain/bid'
import { decide, minimumNextBidMinor, type Offer } from '@auction/domain/bidding'
import { sampleBid } from '@auction/domain/testing/samples'
import type { Sample } from '../measure/sample.ts'
import { openAuctions, spreads } from './bidding-floor.ts'

type Case = { readonly auction: Auction; readonly head: Bid; readonly offer: Offer }

// Between two looks at the clock.
const batch = 10_000

/** Decides on 1,000 auctions in turn; every other offer is the least that is accepted, and the rest are too low. */
export function measureDecisions(seconds: number): Sample {
  const cases = openAuctions(spreads.wide.auctions).map(caseOf)
  const nowMs = Date.now()
  decideFor(cases, nowMs, seconds / 4)
  const { accepted, refused, tookSeconds } = decideFor(cases, nowMs, seconds)
  return { acceptedPerSecond: accepted / tookSeconds, refusedPerSecond: refused / tookSeconds }
}

function caseOf(auction: Auction, index: number): Case {
  const head = sampleBid({ auctionId: auction.id, amountMinor: 100_00, timestampMs: Date.now() })
  const { bidderId } = head
  const least = minimumNextBidMinor(auction, head)
  const amountMinor = index % 2 === 0 && least !== undefined ? least : head.amountMinor
  return { auction, head, offer: { bidderId, amountMinor } }
}

function decideFor(cases: readonly Case[], nowMs: number, seconds: number) {
  const beganMs = performance.now()
  let accepted = 0
  let decided = 0
  let tookMs = 0
  while (tookMs < seconds * 1000) {
    for (let done = 0; done < batch; done += cases.length) {
      for (const { auction, head, offer } of cases) {
        // The outcomes are counted, so that the engine can't leave the decisions out.
        if (decide(auction, head, offer, nowMs).outcome === 'accepted') accepted += 1
        decided += 1
      }
    }
    tookMs = performance.now() - beganMs
  }
  return { accepted, refused: decided - accepted, tookSeconds: tookMs / 1000 }
}
