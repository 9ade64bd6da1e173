import { type Auction, type Terms, termsOf } from '@auction/domain/auction/auction'
import type { PlaceBid } from '@auction/domain/auction/commands'
import { decide } from '@auction/domain/auction/decide'
import type { AuctionState } from '@auction/domain/auction/state'
import { sampleEntry } from '@auction/domain/testing/samples'
import type { Sample } from '../measure/sample.ts'
import { bidderId, incrementDollars, openAuctions, spreads } from './bidding-floor.ts'

type Case = { readonly terms: Terms; readonly state: AuctionState; readonly command: PlaceBid }
type Decision = ReturnType<typeof decideCase>

// Passes over all cases between two looks at the clock.
const passesAtOnce = 10

/** Decides on 1,000 auctions in turn; every other bid is the least that is accepted, and the rest are too low. */
export function measureDecisions(seconds: number): Sample {
  const cases = openAuctions(spreads.wide.auctions).map(caseOf)
  decideFor(cases, seconds / 4)
  const { passes, tookSeconds } = decideFor(cases, seconds)
  const perSecond = (passes * cases.length) / 2 / tookSeconds
  return { acceptedPerSecond: perSecond, refusedPerSecond: perSecond }
}

function caseOf(auction: Auction, index: number): Case {
  const priceDollars = 100 + index
  const { state } = sampleEntry({ auctionId: auction.id, amountMinor: priceDollars * 100 })
  const dollars = isAccepted(index) ? priceDollars + incrementDollars : priceDollars
  const amount = dollars as PlaceBid['amount'] // Whole dollars are exact in USD.
  return { terms: termsOf(auction), state, command: { type: 'place-bid', bidderId, amount } }
}

const isAccepted = (index: number): boolean => index % 2 === 0

/** What each decision must name: the amount that it accepts, or the least that it would. For both it is the same. */
const expectedMinor = (cases: number): number =>
  Array.from({ length: cases }, (_, index) => (100 + index + incrementDollars) * 100).reduce((a, b) => a + b, 0)

const decideCase = ({ terms, state, command }: Case, nowMs: number) => decide(terms, state, command, nowMs)

/**
 * Every decision is kept until all of its pass are made, and goes into a checksum, which must come out right: so the engine can
 * leave out neither a decision nor what it makes.
 */
function decideFor(cases: readonly Case[], seconds: number): { readonly passes: number; readonly tookSeconds: number } {
  const decisions: Decision[] = Array.from(cases, (each) => decideCase(each, 0))
  const beganMs = performance.now()
  let passes = 0
  let checksum = 0
  let tookMs = 0
  while (tookMs < seconds * 1000) {
    const nowMs = Date.now()
    for (let pass = 0; pass < passesAtOnce; pass++) {
      for (const [index, each] of cases.entries()) decisions[index] = decideCase(each, nowMs)
      for (const decision of decisions) checksum += amountMinorOf(decision)
    }
    passes += passesAtOnce
    tookMs = performance.now() - beganMs
  }
  if (checksum !== passes * expectedMinor(cases.length)) throw new Error('decisions were made wrongly, or left out')
  return { passes, tookSeconds: tookMs / 1000 }
}

function amountMinorOf(decision: Decision): number {
  if (decision.ok) return decision.value.amountMinor
  return decision.refusal.code === 'bid-too-low' ? (decision.refusal.minimumNextBidMinor ?? 0) : 0
}
