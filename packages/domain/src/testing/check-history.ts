import { checkKeys, type Known } from './history/check-keys.ts'
import { checkLedger } from './history/check-ledger.ts'
import { checkReads } from './history/check-reads.ts'
import { checkRefusals } from './history/check-refusals.ts'
import { checkSources, sourcesOf } from './history/check-sources.ts'
import { biddings, creations } from './history/commands.ts'
import { timelinesOf } from './history/timeline.ts'
import type { History, Violation } from './history.ts'

/**
 * Checks what clients saw of a service against what its store holds in the end. What must hold, over any history:
 *
 * 1. Every auction and bid that was accepted is stored exactly once, with the fields that were answered; nothing is stored that
 *    no client sent, or more often than it was sent, or that a client was told was refused.
 * 2. Sequences have no gaps, each state follows from the one before, amounts rise by at least the increment, no owner bids.
 * 3. Times never go back; bids lie in [startTime, endTime), and each between its sending and its answer.
 * 4. A refusal was true of a ledger, or a clock, between its sending and its answer, and so were the figures that it names.
 * 5. One key, one auction or bid: a try of it that is sent when that is stored is answered with it.
 * 6. Nothing follows the end, which is recorded after `endTime` and the margin, with the result that the ledger says. No reader
 *    was told of another result, or of prices and bids that the ledger did not have at the time.
 */
export function checkHistory(history: History): readonly Violation[] {
  const [auctions, bids] = [creations(history), biddings(history)]
  const [auctionSources, bidSources] = [sourcesOf(auctions), sourcesOf(bids)]
  const timelines = timelinesOf(history, bidSources)
  const knownAuctions = new Map<number, number>([...timelines].map(([id, { knownMs }]) => [id, knownMs]))
  const knownBids = new Map<number | undefined, number>(
    [...timelines.values()].flatMap(({ states }) => states.map(({ head, knownMs }) => [head?.id, knownMs] as const)),
  )
  const auction: Known = (id) => ({ fromMs: auctionSources.get(id), knownMs: knownAuctions.get(id) })
  const bid: Known = (id) => ({ fromMs: bidSources.get(id), knownMs: knownBids.get(id) })
  return [
    ...checkSources(auctions, auctionSources, history),
    ...checkSources(bids, bidSources, history),
    ...checkLedger(history),
    ...checkRefusals(history, timelines),
    ...checkKeys(auctions, auction),
    ...checkKeys(bids, bid),
    ...checkReads(history, timelines),
  ]
}
