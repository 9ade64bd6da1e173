import type { SubscribedEvent } from '@auction/delivery'
import type { AuctionId } from '@auction/domain/ids'
import { type History, show, type Violation } from '../history.ts'
import type { Format } from './formats/format.ts'
import { formats } from './formats/formats.ts'
import type { Timelines } from './ledger-states.ts'
import { shownBy } from './public-events.ts'

/** Each receiver received every event of every auction at least once, and the first of each in order. */
export function checkDeliveries({ deliveries = {} }: History, timelines: Timelines): Violation[] {
  const shown = shownEvents(timelines)
  return Object.entries(deliveries).flatMap(([receiver, events]) =>
    findingsOf(events, shown).map((finding): Violation => ({ invariant: 8, message: `${receiver}: ${finding}` })),
  )
}

/** The types of the events of each auction, by their sequences. */
type Shown = ReadonlyMap<AuctionId, ReadonlyMap<number, string>>

const shownEvents = (timelines: Timelines): Shown =>
  new Map(
    [...timelines].map(([id, timeline]) => {
      const types = shownBy(timeline).map(({ sequence, event }) => [sequence, event.type] as const)
      return [id, new Map([[0, 'created'], ...types])]
    }),
  )

const secrets = ['admission', 'limitMinor', ...Object.values<Format>(formats).flatMap(({ secrets = [] }) => secrets)]
const secret = new RegExp(`"(?:${secrets.join('|')})":`)

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
