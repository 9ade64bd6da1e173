import type { Auction } from '../../auction/auction.ts'
import type { Entry } from '../../ledger/entry.ts'
import { isSameCurrency } from '../../money.ts'
import { type History, show, type Violation } from '../history.ts'
import { expectedResult, expectedState, leastMinor } from './rules.ts'
import { entriesOf } from './timeline.ts'

/** What the entries must be by themselves: in order, each following from the one before, in time (2, 3), and with one end (6). */
export function checkLedger(history: History): Violation[] {
  const entries = entriesOf(history)
  const ids = new Set(history.auctions.map(({ id }) => id))
  const strays = history.ledger.filter(({ auctionId }) => !ids.has(auctionId))
  return [
    ...strays.map(({ id, auctionId }): Violation => {
      return { invariant: 1, message: `entry ${id} is of auction ${auctionId}, which is not stored` }
    }),
    ...history.auctions.flatMap((auction) => {
      const own = entries(auction.id)
      return own.flatMap((entry, index) => checkEntry(auction, own[index - 1], entry, history.marginMs))
    }),
  ]
}

function checkEntry(auction: Auction, before: Entry | undefined, entry: Entry, marginMs: number): Violation[] {
  const found: Violation[] = []
  const report = (invariant: Violation['invariant'], fault: string) =>
    found.push({ invariant, message: `entry ${entry.id} of auction ${auction.id} ${fault}` })
  const sequence = (before?.sequence ?? 0) + 1
  if (entry.sequence !== sequence) report(2, `has sequence ${entry.sequence} where ${sequence} was next`)
  const state = expectedState(entry, before)
  if (show(entry.state) !== show(state)) report(2, `has the state ${show(entry.state)} instead of ${show(state)}`)
  if (!isSameCurrency(entry.currency, auction.currency)) report(2, 'is in another currency')
  if (entry.atMs < (before?.atMs ?? entry.atMs)) report(3, `is of ${entry.atMs}, before the entry before it`)
  if (before?.event.type === 'closed') report(6, 'follows the end')
  if (entry.event.type === 'bid-placed') {
    const least = leastMinor(auction, before)
    if (least === undefined || entry.event.amountMinor < least) {
      report(2, `offers ${entry.event.amountMinor} where ${least} minor units were the least`)
    }
    if (entry.event.bidderId === auction.ownerId) report(2, 'is a bid of the owner')
    const { startTime, endTime } = auction
    if (entry.atMs < startTime.epochMs || entry.atMs >= endTime.epochMs)
      report(3, `is a bid of ${entry.atMs}, out of time`)
  } else {
    const result = expectedResult(before)
    if (show(entry.event.result) !== show(result))
      report(6, `says ${show(entry.event.result)} instead of ${show(result)}`)
    if (entry.atMs < auction.endTime.epochMs + marginMs)
      report(6, `closes the auction at ${entry.atMs}, before its time`)
  }
  return found
}
