import { checkKeys } from './history/check-keys.ts'
import { checkLedger } from './history/check-ledger.ts'
import { checkReads } from './history/check-reads.ts'
import { checkRefusals } from './history/check-refusals.ts'
import { checkSources, sourcesOf } from './history/check-sources.ts'
import { biddings, cancellations, creations, purchases } from './history/commands.ts'
import { type Timelines, timelinesOf } from './history/timeline.ts'
import type { History, Violation } from './history.ts'

/**
 * Checks what clients saw of a service against what its store holds in the end. What must hold, over any history:
 *
 * 1. Every auction, bid, purchase and cancellation that was accepted is stored exactly once, with the fields that were answered;
 *    nothing is stored that no client sent, or more often than it was sent, or that a client was told was refused. Every entry has an
 *    id of its own, and every bid that the service made has the one that follows on its entry's.
 * 2. Sequences have no gaps, each state follows from the one before, amounts rise by at least the increment, no owner bids. For a
 *    maximum the service bids exactly what it takes, and up to the reserve; the one who came first leads at equal maxima.
 * 3. Times never go back; bids, purchases and cancellations lie before the end as bids have moved it, all but cancellations not before
 *    `startTime`, and each between its sending and its answer. Bids move the end as the soft close says, and nothing else does.
 * 4. A refusal was true of a ledger, or a clock, between its sending and its answer, and so were the figures that it names.
 * 5. One key, one auction, bid, purchase or cancellation: a try of it that is sent when that is stored is answered with it.
 * 6. Nothing follows the end, except that a cancellation with a key of what is cancelled is remembered, and changes nothing. An end by time is recorded after the end as bids have moved it and the margin, with the result that the
 *    ledger says; a purchase only while that is offered, for its price; a cancellation only while bids allow it, and for the owner. No reader was told of
 *    another result, or of prices, bids, ends, a reserve, an offer or a status that the ledger did not have at the time.
 */
export function checkHistory(history: History): readonly Violation[] {
  const [auctions, bids] = [creations(history), biddings(history)]
  const [bought, cancelled] = [purchases(history), cancellations(history)]
  const sources = {
    auctions: sourcesOf(auctions),
    bids: sourcesOf(bids),
    purchases: sourcesOf(bought),
    cancellations: sourcesOf(cancelled),
  }
  const timelines = timelinesOf(history, sources)
  const known = knownBy(timelines)
  const kinds = [
    [auctions, sources.auctions, known.auctions],
    [bids, sources.bids, known.entries],
    [bought, sources.purchases, known.ends],
    [cancelled, sources.cancellations, known.entries],
  ] as const
  return [
    ...kinds.flatMap(([commands, asked]) => checkSources(commands, asked, history)),
    ...checkLedger(history),
    ...checkRefusals(history, timelines),
    ...kinds.flatMap(([commands, asked, told]) =>
      checkKeys(commands, (id) => ({ fromMs: asked.get(id), knownMs: told.get(id) })),
    ),
    ...checkReads(history, timelines),
  ]
}

/** By when somebody was told of auctions and entries, by their ids, and of ends, by their auctions'. */
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
