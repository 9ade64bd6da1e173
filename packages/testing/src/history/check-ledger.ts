import type { Auction, Corrected } from '@auction/domain/auction'
import { isSameCurrency } from '@auction/domain/money'
import type { Entry } from '@auction/domain/store'
import { type History, show, type Violation } from '../history.ts'
import { fieldOf } from './correction-requests.ts'
import { expectedState } from './expected-state.ts'
import { type Finding, isOwn, type OwnEntry } from './formats/format.ts'
import { formatOf } from './formats/formats.ts'
import { entriesOf } from './ledger-states.ts'
import { blockIn, endMs, isBlocked, isEffective, isEnd, isRemembered, mostCorrections, textsOf } from './life.ts'
import { findingsOfRepair, hasRepairedTerms, repairIn } from './repairs.ts'
import { correctedBy, isCancellable, isSettled, isTerm, problemOfTerms, requestIn, termsAfter } from './rules.ts'
import { mayHaveBids, standingWithout } from './withdrawals.ts'

/** Checks the entries alone: in order, each following from the previous one, in time (2, 3), and with one end (6). */
export function checkLedger(history: History): Violation[] {
  const entries = entriesOf(history)
  const ids = new Set(history.auctions.map(({ id }) => id))
  const unexpected = history.ledger.filter(({ auctionId }) => !ids.has(auctionId))
  return [
    ...unexpected.map(({ id, auctionId }): Violation => {
      return { invariant: 1, message: `entry ${id} belongs to auction ${auctionId}, which is not stored` }
    }),
    ...sharedIds(history),
    ...history.auctions.flatMap((auction) => {
      const own = entries(auction.id)
      return own.flatMap((entry, index) => checkEntry(auction, own, index, entry, history.marginMs))
    }),
  ]
}

/** Every entry has a unique id, and so has every automatic bid: an id after that of its entry. */
function sharedIds({ ledger, registers = [] }: History): Violation[] {
  const holders = new Map<number, string>()
  const others = registers.map(({ id }) => ({ id, count: 1 }))
  const own = ledger.map((entry) => {
    const { id, state } = entry
    return { id, count: (isOwn(entry) && formatOf(state).idsOf?.(entry.event)) || 1 }
  })
  return [...own, ...others].flatMap(({ id, count }) => {
    return Array.from({ length: count }, (_, index) => id + index).flatMap((heldId): Violation[] => {
      const holder = heldId === id ? `entry ${id}` : `the automatic bid of entry ${id}`
      const other = holders.get(heldId)
      holders.set(heldId, holder)
      return other === undefined ? [] : [{ invariant: 1, message: `${other} and ${holder} share the id ${heldId}` }]
    })
  })
}

function checkEntry(
  created: Auction,
  ledger: readonly Entry[],
  index: number,
  entry: Entry,
  marginMs: number,
): Violation[] {
  const before = ledger[index - 1]
  const auction = termsAfter(created, before)
  const sequence = (before?.sequence ?? 0) + 1
  const isWithdrawal = entry.event.type === 'withdrawn'
  const withdrawn = isWithdrawal ? standingWithout(created, ledger.slice(0, index + 1)) : undefined
  const state = expectedState(auction, entry, before, withdrawn)
  const findings: readonly Finding[] = [
    entry.sequence !== sequence && [2, `has sequence ${entry.sequence} instead of ${sequence}`],
    show(entry.state) !== show(state) && [2, `has the state ${show(entry.state)} instead of ${show(state)}`],
    !isSameCurrency(entry.currency, auction.currency) && [2, 'is in another currency'],
    entry.atMs < (before?.atMs ?? entry.atMs) && [3, `is at ${entry.atMs}, before the previous entry`],
    isEnd(before) && !isRemembered(entry, before) && [6, 'follows the end'],
    ...(isRemembered(entry, before) ? [] : findingsOfEvent(auction, ledger.slice(0, index), entry, marginMs)),
    ...(entry.event.type === 'corrected' ? findingsOfCorrection(created, before, entry, entry.event) : []),
    ...(repairIn(entry) === undefined ? [] : findingsOfRepair(auction, before, entry, withdrawn)),
    entry.event.type === 'withdrawn' &&
      !isEffective(
        blockIn(entry.event),
        isBlocked(entry.event.bidderId, before),
        mayHaveBids(auction, ledger.slice(0, index), entry.event.bidderId),
      ) && [6, 'is a withdrawal that changes nothing'],
  ]
  return findings
    .filter((finding) => finding !== false)
    .map(([invariant, finding]) => ({ invariant, message: `entry ${entry.id} of auction ${auction.id} ${finding}` }))
}

function findingsOfEvent(auction: Auction, earlier: readonly Entry[], entry: Entry, marginMs: number): Finding[] {
  const before = earlier.at(-1)
  if (isOwn(entry)) {
    const own = formatOf(auction).findingsOf(auction, before, entry, earlier)
    return [...findingsOfOffer(auction, before, entry), ...own]
  }
  const { atMs, event } = entry
  const endsMs = endMs(auction, before)
  switch (event.type) {
    case 'cancelled':
      return [
        event.isForced !== true &&
          !isCancellable(auction, before, atMs) && [6, 'cancels an auction that has bids or is fixed'],
        atMs >= endsMs && [3, `is a cancellation at ${atMs}, after the end`],
      ]
    case 'corrected': {
      const most = mostCorrections[event.by ?? 'staff']
      return [
        isSettled(auction, before, atMs) && [6, 'corrects an auction that has bids or is fixed'],
        (before?.state.corrections?.count ?? 0) >= most && [6, 'is one correction too many'],
        atMs >= endsMs && [3, `is a correction at ${atMs}, after the end`],
      ]
    }
    case 'closed': {
      const isEndedEarly = before?.state.repairs?.isEndedEarly
      const result = { ...formatOf(auction).result(auction, before, event, earlier), isEndedEarly }
      return [
        show(event.result) !== show(result) && [6, `has the result ${show(event.result)} instead of ${show(result)}`],
        atMs < endsMs + marginMs && [6, `closes the auction at ${atMs}, before the end of the margin`],
      ]
    }
    default:
      return [] // A repair.
  }
}

/** What is wrong with a bid, its withdrawal by the bidder, or a purchase in any format. */
function findingsOfOffer(auction: Auction, before: Entry | undefined, entry: OwnEntry): Finding[] {
  const request = requestIn(entry)
  if (request === undefined || request.type === 'lower-reserve') return []
  const isBid = request.type === 'place-bid'
  const [noun, userId] = isBid
    ? ['bid', request.bid.bidderId]
    : request.type === 'buy-now'
      ? ['purchase', request.purchase.buyerId]
      : ['withdrawal', request.withdrawal.bidderId]
  const { atMs } = entry
  const isOutside = atMs < auction.startTime.epochMs || atMs >= endMs(auction, before)
  return [
    userId === auction.ownerId && [isBid ? 2 : 6, `is a ${noun} by the owner`],
    isOutside && [3, `is a ${noun} at ${atMs}, outside the auction’s time`],
    isBlocked(userId, before) && [6, `is a ${noun} of a blocked bidder`],
  ]
}

/** A correction changes what it names, and no more. */
function findingsOfCorrection(
  created: Auction,
  before: Entry | undefined,
  { atMs }: Entry,
  { terms, metadata }: Corrected,
): Finding[] {
  const earlier: Readonly<Record<string, unknown>> = termsAfter(created, before)
  const result: Readonly<Record<string, unknown>> = terms?.result ?? {}
  const format = formatOf(created)
  const isNamed = (stored: string) => terms?.fields.includes(fieldOf(format, stored))
  const changed = terms && Object.keys({ ...earlier, ...result }).filter((name) => isTerm(format, name))
  const unnamed = changed?.filter((name) => !isNamed(name) && show(earlier[name]) !== show(result[name])) ?? []
  const merged = { ...textsOf(created, before).metadata, ...metadata?.patch }
  const kept = Object.entries(merged).filter(([, value]) => value !== null)
  const members = metadata?.patch === null || kept.length === 0 ? null : Object.fromEntries(kept)
  const problem = terms && problemOfTerms(correctedBy(created, terms.result))
  const startMs = termsAfter(created, before).startTime.epochMs
  return [
    unnamed.length > 0 && [6, `changes ${unnamed.join()}, which it does not name`],
    terms !== undefined && hasRepairedTerms(before) && [6, 'corrects the terms of a repaired auction'],
    metadata !== undefined && show(metadata.result) !== show(members) && [6, 'has other metadata than its patch makes'],
    problem !== undefined && [6, `corrects an auction to ${problem}`],
    isNamed('startTime') === true && atMs >= startMs && [6, `corrects the start at ${atMs}, after ${startMs}`],
    isNamed('endTime') === true &&
      atMs >= (terms?.result.endTime.epochMs ?? atMs) && [6, `corrects the end at ${atMs} to an earlier time`],
  ]
}
