import { decide, evolve, initialState, type Terms, termsOf } from '@auction/domain/auction'
import { toAuctionId, toBidId } from '@auction/domain/ids'
import { unwrap } from '@auction/domain/result'
import { bidderId, inUsd, newAuction } from '../bidding.ts'
import { measureInRounds } from '../measure/rows.ts'
import type { Bench } from '../run.ts'

/** The rules alone: decisions on bids, half of which are too low. */
export function measureDecisions({ options: { rounds, seconds }, log }: Bench) {
  const terms = termsOf({ ...newAuction(), id: toAuctionId(1), createdAtMs: 0 })
  const cases = Array.from({ length: 1_000 }, (_, index) => bidOnBid(terms, 100 + index, 100 + index + (index % 2)))

  async function measure() {
    const startMs = performance.now()
    let decided = 0
    let accepted = 0
    let tookMs = 0
    while (tookMs < seconds * 1000) {
      const nowMs = Date.now()
      // All decisions of a pass are kept and read, so that the engine cannot remove them.
      const decisions = cases.map(({ state, command }) => decide(terms, state, command, nowMs))
      for (const decision of decisions) if (decision.ok && decision.value.amountMinor > 0) accepted += 1
      decided += decisions.length
      tookMs = performance.now() - startMs
    }
    if (accepted !== decided / 2) throw new Error('decisions were wrong, or left out')
    return { perSecond: (decided * 1000) / tookMs }
  }
  return measureInRounds([{ key: 'decide', label: 'decide on a bid', clients: 1, measure }], rounds, log)
}

/** The state after a bid, and the next bid. */
function bidOnBid(terms: Terms, firstDollars: number, nextDollars: number) {
  const bidOf = (dollars: number) => ({ type: 'place-bid', bidderId, amount: inUsd(dollars) }) as const
  const event = unwrap(decide(terms, initialState, bidOf(firstDollars), Date.now()))
  return { state: evolve(initialState, { id: toBidId(1), atMs: Date.now(), event }), command: bidOf(nextDollars) }
}
