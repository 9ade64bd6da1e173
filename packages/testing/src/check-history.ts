import { checkDeliveries } from './history/check-deliveries.ts'
import { checkFollowers } from './history/check-followers.ts'
import { checkKeys } from './history/check-keys.ts'
import { checkLedger } from './history/check-ledger.ts'
import { checkReads } from './history/check-reads.ts'
import { checkRefusals } from './history/check-refusals.ts'
import { checkSources, sourcesOf } from './history/check-sources.ts'
import { checkStaff } from './history/check-staff.ts'
import { cancellations, corrections, creations, placedBids, purchases, repairs } from './history/commands.ts'
import { type SourcesOfEntries, sourceOf, type Timelines, timelinesOf } from './history/timeline.ts'
import type { History, Violation } from './history.ts'

/**
 * Compares the answers that clients received with the data that the store holds at the end. The invariants of every
 * history:
 *
 * 1. Every accepted auction, bid, purchase, cancellation, correction and repair is stored exactly once, with the fields
 *    of the answer; that to a bid has the leader after it. Nothing is stored that no client sent, more often than
 *    clients sent it, or after a refusal. Every entry has a unique id, and every automatic bid has the id after that of
 *    its entry.
 * 2. Sequences have no gaps, each state follows from the previous one, amounts rise by at least the increment, and no
 *    owner bids. For a maximum the service bids exactly the necessary amount, or the reserve. At equal maximums the
 *    first bidder leads. After a withdrawal the standing is that of the other requests, decided again in order.
 * 3. Times never decrease. Bids, purchases and cancellations are before the effective end, all but cancellations not
 *    before `startTime`, and each has the time at which its request had arrived, or that of the entry before it if that
 *    is later. Only bids move the end, by the rules of the soft close, and staff, who move the latest end with it.
 * 4. A refusal and its figures were true of a ledger at some moment between the request and the answer, and of the time
 *    of arrival: until the result is recorded, no bid that arrived before the end is refused because of the end.
 * 5. A key makes one auction, bid, purchase, cancellation, correction or repair. The answer to a try that is sent after
 *    it is stored contains it.
 * 6. Nothing follows the end, except entries that record the keys of repeated cancellations and change nothing. An end
 *    by time is recorded after the effective end and the margin, with the result of the ledger. A purchase is recorded
 *    only while buy-now is offered, for its price; a cancellation only while bids allow it, and for the owner, unless a
 *    client forced it; a correction only before the first bid, on the texts that its client expected, and without terms
 *    after a repair. An extension is later than the end, by 30 days at most, a closing ends the auction right after it,
 *    a reserve only falls, once and before the end for its owner, for staff with a reason. Only a bidder with bids is
 *    withdrawn, unless that blocks or unblocks the bidder. A blocked bidder neither bids nor buys. Corrections and lower
 *    reserves name who sent them. No reader
 *    received another result, or texts, prices, bids, leaders, ends, a reserve, an offer or a status that the ledger
 *    did not have at the time.
 * 7. What a follower saw of an auction is exactly what its entries show to everybody, without reserves and maximums,
 *    from the place of the follower on, in order, each after it was stored. So all followers saw the same.
 * 8. What a receiver received first of each auction is its creation and then all that its ledger shows, in order. What
 *    it received again is the same. None of it has a reserve or a maximum.
 */
export function checkHistory(history: History): readonly Violation[] {
  const [auctions, bids] = [creations(history), placedBids(history)]
  const [bought, cancelled] = [purchases(history), cancellations(history)]
  const [corrected, repaired] = [corrections(history), repairs(history)]
  const sources = {
    auctions: sourcesOf(auctions),
    bids: sourcesOf(bids),
    purchases: sourcesOf(bought),
    cancellations: sourcesOf(cancelled),
    corrections: sourcesOf(corrected),
    repairs: sourcesOf(repaired),
  }
  const timelines = timelinesOf(history, sources)
  const known = knownBy(timelines)
  const kinds = [
    [auctions, sources.auctions, known.auctions],
    [bids, sources.bids, known.entries],
    [bought, sources.purchases, known.ends],
    [cancelled, sources.cancellations, known.entries],
    [corrected, sources.corrections, known.entries],
    [repaired, sources.repairs, known.entries],
  ] as const
  return [
    ...kinds.flatMap(([commands, asked]) => checkSources(commands, asked, history)),
    ...checkLedger(history),
    ...checkArrivals(history, timelines, sources),
    ...checkRefusals(history, timelines),
    ...kinds.flatMap(([commands, asked, observed]) =>
      checkKeys(commands, (id) => ({ fromMs: asked.get(id)?.sentAtMs, knownMs: observed.get(id) })),
    ),
    ...checkReads(history, timelines),
    ...checkStaff(history),
    ...checkDeliveries(history),
    ...checkFollowers(history, timelines),
  ]
}

/** Returns when a client first knew of auctions and entries, by their ids, and of ends, by those of their auctions. */
function knownBy(timelines: Timelines) {
  const known = {
    auctions: new Map<number, number>(),
    entries: new Map<number, number>(),
    ends: new Map<number, number>(),
  }
  for (const [auctionId, { knownMs: auctionKnownMs, states }] of timelines) {
    known.auctions.set(auctionId, auctionKnownMs)
    for (const { head, isClosed, knownMs } of states) {
      if (head !== undefined) known.entries.set(head.id, knownMs)
      if (isClosed) known.ends.set(auctionId, knownMs)
    }
  }
  return known
}

/** No entry is later than the arrival of its request, or the entry before it (3): servers decide for the arrival. */
function checkArrivals(
  { clockErrorMs }: History,
  timelines: Timelines,
  sources: SourcesOfEntries,
): readonly Violation[] {
  return [...timelines.values()].flatMap(({ states }) =>
    states.flatMap(({ head }, index): Violation[] => {
      const source = head && sourceOf(head, sources)
      if (source === undefined || head === undefined) return []
      const before = states[index - 1]?.head
      const latestMs = Math.max(source.arrivedByMs + clockErrorMs, before?.atMs ?? Number.NEGATIVE_INFINITY)
      if (head.atMs <= latestMs) return []
      const arrival = `the arrival of its request at ${source.arrivedByMs}`
      return [{ invariant: 3, message: `entry ${head.id} has the time ${head.atMs}, after ${arrival}` }]
    }),
  )
}
