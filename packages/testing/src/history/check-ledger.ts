import type { Auction } from '@auction/domain/auction'
import { isSameCurrency } from '@auction/domain/money'
import type { Entry } from '@auction/domain/store'
import { type History, show, type Violation } from '../history.ts'
import { findingsOfBid } from './check-bid.ts'
import { type Finding, findingsOfEnd } from './check-end.ts'
import { expectedState, isEnd, isRemembered } from './rules.ts'
import { entriesOf } from './timeline.ts'

/** Checks the entries alone: in order, each following from the previous one, in time (2, 3), and with one end (6). */
export function checkLedger(history: History): Violation[] {
  const entries = entriesOf(history)
  const ids = new Set(history.auctions.map(({ id }) => id))
  const unexpected = history.ledger.filter(({ auctionId }) => !ids.has(auctionId))
  return [
    ...unexpected.map(({ id, auctionId }): Violation => {
      return { invariant: 1, message: `entry ${id} is of auction ${auctionId}, which is not stored` }
    }),
    ...sharedIds(history),
    ...history.auctions.flatMap((auction) => {
      const own = entries(auction.id)
      return own.flatMap((entry, index) => checkEntry(auction, own[index - 1], entry, history.marginMs))
    }),
  ]
}

/** Every entry has a unique id, and so has every automatic bid: the id after that of its entry. */
function sharedIds({ ledger }: History): Violation[] {
  const holders = new Map<number, string>()
  return ledger.flatMap(({ id, event }) => {
    const hasReply = 'automatic' in event && event.automatic !== undefined
    const held: [number, string][] = [
      [id, `entry ${id}`],
      ...(hasReply ? [[id + 1, `the automatic bid of entry ${id}`] as [number, string]] : []),
    ]
    return held.flatMap(([heldId, holder]): Violation[] => {
      const other = holders.get(heldId)
      holders.set(heldId, holder)
      return other === undefined ? [] : [{ invariant: 1, message: `${other} and ${holder} share the id ${heldId}` }]
    })
  })
}

function checkEntry(auction: Auction, before: Entry | undefined, entry: Entry, marginMs: number): Violation[] {
  const sequence = (before?.sequence ?? 0) + 1
  const state = expectedState(auction, entry, before)
  const findings: readonly (Finding | false)[] = [
    entry.sequence !== sequence && [2, `has sequence ${entry.sequence} instead of ${sequence}`],
    show(entry.state) !== show(state) && [2, `has the state ${show(entry.state)} instead of ${show(state)}`],
    !isSameCurrency(entry.currency, auction.currency) && [2, 'is in another currency'],
    entry.atMs < (before?.atMs ?? entry.atMs) && [3, `is of ${entry.atMs}, before the previous entry`],
    isEnd(before) && !isRemembered(entry, before) && [6, 'follows the end'],
    ...(isRemembered(entry, before) ? [] : findingsOfEvent(auction, before, entry, marginMs)),
  ]
  return findings
    .filter((finding) => finding !== false)
    .map(([invariant, finding]) => ({ invariant, message: `entry ${entry.id} of auction ${auction.id} ${finding}` }))
}

function findingsOfEvent(auction: Auction, before: Entry | undefined, { atMs, event }: Entry, marginMs: number) {
  switch (event.type) {
    case 'bid-placed':
    case 'maximum-raised':
      return findingsOfBid(auction, before, atMs, event)
    case 'bought':
    case 'cancelled':
    case 'closed':
      return findingsOfEnd(auction, before, atMs, event, marginMs)
    default:
      return event satisfies never
  }
}
