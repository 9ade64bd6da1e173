import type { SubscribedEvent } from '@auction/delivery'
import type { AuctionId } from '@auction/domain/ids'
import { type Entry, isBidEntry } from '@auction/domain/store'
import { type History, show, type Violation } from '../history.ts'
import { isRepair } from './repairs.ts'
import { entriesOf } from './timeline.ts'

/** Each receiver received every event of every auction at least once, and the first of each in order. */
export function checkDeliveries(history: History): Violation[] {
  const shown = shownEvents(history)
  return Object.entries(history.deliveries ?? {}).flatMap(([receiver, events]) =>
    findingsOf(events, shown).map((finding): Violation => ({ invariant: 8, message: `${receiver}: ${finding}` })),
  )
}

/** The types of the events of each auction, by their sequences. */
type Shown = ReadonlyMap<AuctionId, ReadonlyMap<number, SubscribedEvent['type']>>

function shownEvents(history: History): Shown {
  const entries = entriesOf(history)
  return new Map(
    history.auctions.map(({ id }) => {
      const ledger = entries(id)
      const types = ledger.flatMap((entry, index) => {
        const type = typeOf(entry, ledger[index - 1])
        return type === undefined ? [] : [[entry.sequence, type] as const]
      })
      return [id, new Map([[0, 'created'], ...types])]
    }),
  )
}

/** Undefined if an entry shows nothing: a raised maximum without an automatic bid, or a second cancellation. */
function typeOf(entry: Entry, before: Entry | undefined): SubscribedEvent['type'] | undefined {
  if (entry.state.phase === 'closed') return before?.state.phase === 'closed' ? undefined : 'ended'
  if (!isBidEntry(entry)) return isRepair(entry.event) ? entry.event.type : 'corrected'
  return entry.event.type === 'bid-placed' || entry.event.automatic !== undefined ? 'bids' : undefined
}

const secret = /"(?:reservePriceMinor|maximumMinor|leaderMaximumMinor)":/

function findingsOf(events: readonly SubscribedEvent[], shown: Shown): readonly string[] {
  const findings: string[] = []
  for (const event of events) if (secret.test(show(event))) findings.push(`an event has a secret: ${show(event)}`)
  const received = Map.groupBy(events, ({ auctionId }) => auctionId)
  for (const auctionId of received.keys()) {
    if (!shown.has(auctionId)) findings.push(`auction ${auctionId} is not stored`)
  }
  for (const [auctionId, types] of shown) {
    const firsts = new Map<number, SubscribedEvent>()
    for (const event of received.get(auctionId) ?? []) {
      const first = firsts.get(event.sequence)
      if (first === undefined) firsts.set(event.sequence, event)
      // The title of a creation is the current one.
      else if (event.type !== 'created' && show(first) !== show(event)) findings.push(`${keyOf(event)} has changed`)
    }
    const order = [...firsts].map(([sequence, { type }]) => [sequence, type])
    if (show(order) === show([...types])) continue
    findings.push(`auction ${auctionId}: received first ${show(order)}, but its ledger shows ${show([...types])}`)
  }
  return findings
}

const keyOf = ({ auctionId, sequence }: SubscribedEvent): string => `event ${sequence} of auction ${auctionId}`
