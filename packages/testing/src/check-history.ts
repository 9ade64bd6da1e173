import { checkDeliveries } from './history/check-deliveries.ts'
import { checkFollowers } from './history/check-followers.ts'
import { checkKeys } from './history/check-keys.ts'
import { checkLedger } from './history/check-ledger.ts'
import { checkReads } from './history/check-reads.ts'
import { checkRefusals } from './history/check-refusals.ts'
import { checkSources, type Sources, sourcesOf } from './history/check-sources.ts'
import { checkStaff } from './history/check-staff.ts'
import {
  cancellations,
  corrections,
  creations,
  ownWithdrawals,
  placedBids,
  purchases,
  repairs,
} from './history/commands.ts'
import { openedLedger } from './history/formats/sealed/open.ts'
import type { Timelines } from './history/ledger-states.ts'
import { checkAdmissions } from './history/registers/check-admissions.ts'
import { checkRegisters } from './history/registers/check-registers.ts'
import { biddersChanges, registerCreations } from './history/registers/commands.ts'
import { type RegisterTimelines, registerTimelinesOf } from './history/registers/timelines.ts'
import { timelinesOf } from './history/timeline.ts'
import type { History, Violation } from './history.ts'

/**
 * Compares the responses that clients received with the data that the store holds at the end. The invariants of every
 * history:
 *
 * 1. Every accepted auction, bid, purchase, cancellation, correction, repair, register and change of bidders is stored
 *    exactly once, with the fields of the response; that to a bid has the leader after it. Nothing is stored that no
 *    client sent, more often than clients sent it, or after a refusal. Every entry has a unique id, and every automatic
 *    bid has the id after that of its entry.
 * 2. Sequences have no gaps, each state follows from the previous one, amounts rise by at least the increment, and no
 *    owner bids. For a maximum the service bids exactly the necessary amount, or the reserve. At equal maximums the
 *    first bidder leads. After a withdrawal the standing is that of the other requests, decided again in order. A
 *    sealed bid opens as that of its bidder, and states show only how many there are.
 * 3. Times never decrease. Bids, purchases and cancellations are before the effective end, all but cancellations not
 *    before `startTime`, and each has the time at which its request had arrived, or that of the entry before it if that
 *    is later. Only bids move the end, by the rules of the soft close, and staff, who move the latest end with it.
 * 4. A refusal and its figures were true of a ledger at some moment between the request and the response, and of the
 *    time of arrival: until the result is recorded, no bid that arrived before the end is refused because of the end.
 * 5. A key makes one auction, bid, purchase, cancellation, correction or repair. The response to a try that is sent
 *    after it is stored contains it.
 * 6. Nothing follows the end, except entries that record the keys of repeated cancellations and change nothing. An end
 *    by time is recorded after the effective end and the margin, with the result of the ledger. A purchase is recorded
 *    only while buy-now is offered, for its price; a cancellation only while bids allow it, and for the owner, unless a
 *    client forced it; a correction only before the first bid, on the texts that its client expected, and without terms
 *    after a repair. An extension is later than the end, by 30 days at most, a closing ends the auction right after it,
 *    a reserve only falls, once and before the end for its owner, for staff with a reason. Only a bidder with bids is
 *    withdrawn, unless that blocks or unblocks the bidder. A blocked bidder neither bids nor buys. Corrections and
 *    lower reserves name who sent them. Of sealed bids, the last one of each bidder counts, unless it is withdrawn;
 *    before the result no other reader learns of any, nor counts them. No reader received another result, or texts,
 *    prices, bids, leaders, ends, a reserve, an offer or a status that the ledger did not have at the time.
 * 7. What a follower saw of an auction is exactly what its entries show to everybody, without reserves and maximums,
 *    from the position of the follower on, in order, each after it was stored. So all followers saw the same.
 * 8. What a receiver received first of each auction is its creation and then all that its ledger shows, in order. What
 *    it received again is the same. None of it has a reserve, a maximum or a limit.
 * 9. Each entry of a register sets other bidders than were listed before it, from what they were, unless it records the
 *    key of a request that changes nothing. A paddle stays with its first holder. A bid or a purchase is decided on a
 *    state of the register that is not older than what clients knew when they sent it. What its entry records is what the
 *    register and the claim say there, and the most that it costs is within the limit.
 */
export function checkHistory(given: History): readonly Violation[] {
  const { ledger, violations } = openedLedger(given)
  const history = { ...given, ledger }
  const { timelines: registers, violations: unlisted } = registerTimelinesOf(history)
  const created = creations(history)
  const recorded = [placedBids, purchases, ownWithdrawals, cancellations, corrections, repairs].map((of) => of(history))
  const askedAuctions = sourcesOf(created)
  const askedEntries = new Map(recorded.flatMap((commands) => [...sourcesOf(commands)]))
  const timelines = timelinesOf(history, askedEntries)
  const known = knownBy(timelines)
  const [listed, changes] = [registerCreations(history), biddersChanges(history, registers)]
  const knownRegisters = knownOf(registers)
  const kinds = [
    [created, askedAuctions, known.auctions] as const,
    [listed, sourcesOf(listed), knownRegisters.registers] as const,
    [changes, sourcesOf(changes), knownRegisters.entries] as const,
    ...recorded.map((commands) => [commands, askedEntries, known.entries] as const),
  ]
  return [
    ...violations,
    ...unlisted,
    ...kinds.flatMap(([commands, asked]) => checkSources(commands, asked, history)),
    ...checkLedger(history),
    ...checkArrivals(history, timelines, askedEntries),
    ...checkRefusals(history, timelines, registers),
    ...kinds.flatMap(([commands, asked, observed]) =>
      checkKeys(commands, (id) => ({ fromMs: asked.get(id)?.sentAtMs, knownMs: observed.get(id) })),
    ),
    ...checkReads(history, timelines),
    ...checkStaff(history),
    ...checkRegisters(history, registers),
    ...checkAdmissions(history, timelines, registers),
    ...checkDeliveries(history, timelines),
    ...checkFollowers(history, timelines),
  ]
}

/** Returns when a client first knew of auctions and entries, by their ids. */
function knownBy(timelines: Timelines) {
  const known = { auctions: new Map<number, number>(), entries: new Map<number, number>() }
  for (const [auctionId, { knownMs: auctionKnownMs, states }] of timelines) {
    known.auctions.set(auctionId, auctionKnownMs)
    for (const { head, knownMs } of states) if (head !== undefined) known.entries.set(head.id, knownMs)
  }
  return known
}

/** Returns when a client first knew of registers and their entries, by their ids. */
function knownOf(timelines: RegisterTimelines) {
  const known = { registers: new Map<number, number>(), entries: new Map<number, number>() }
  for (const [id, { states, entries }] of timelines) {
    known.registers.set(id, states[0]?.knownMs ?? Number.POSITIVE_INFINITY)
    for (const [index, { knownMs }] of states.entries()) known.entries.set(entries[index]?.id ?? 0, knownMs)
  }
  return known
}

/** No entry is later than the arrival of its request, or the entry before it (3): servers decide for the arrival. */
function checkArrivals({ clockErrorMs }: History, timelines: Timelines, sources: Sources): readonly Violation[] {
  return [...timelines.values()].flatMap(({ states }) =>
    states.flatMap(({ head }, index): Violation[] => {
      const source = head && sources.get(head.id)
      if (source === undefined || head === undefined) return []
      const before = states[index - 1]?.head
      const latestMs = Math.max(source.arrivedByMs + clockErrorMs, before?.atMs ?? Number.NEGATIVE_INFINITY)
      if (head.atMs <= latestMs) return []
      const arrival = `the arrival of its request at ${source.arrivedByMs}`
      return [{ invariant: 3, message: `entry ${head.id} has the time ${head.atMs}, after ${arrival}` }]
    }),
  )
}
