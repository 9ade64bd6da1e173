import type { Corrected } from '@auction/domain/auction'
import type { AuctionEntry, Entry } from '@auction/domain/store'
import { type History, show, type Violation } from '../history.ts'
import { attemptsTo, clientKey, isForced, lowererOf } from './attempts.ts'
import { askedFor, correctorOf, recordedAs } from './correction-requests.ts'
import { entriesOf } from './ledger-states.ts'
import { textsOf } from './life.ts'
import { askedForRepair, repairIn } from './repairs.ts'

/**
 * Only clients that may force a cancellation forced one, corrections replaced texts that clients had seen, and entries
 * name as owner or staff who sent their requests (6).
 */
export function checkStaff(history: History): Violation[] {
  return [...checkForced(history), ...checkExpected(history), ...checkRoles(history)]
}

function checkForced(history: History): Violation[] {
  const cancellations = attemptsTo(history, 'cancel-auction').map(({ cancellation }) => cancellation)
  const forcing = cancellations.filter(isForced)
  return history.ledger.flatMap(({ id, auctionId, event }): Violation[] => {
    if (event.type !== 'cancelled' || event.isForced !== true) return []
    if (forcing.some((attempt) => attempt.auctionId === auctionId && attempt.reason === event.reason)) return []
    return [{ invariant: 6, message: `entry ${id} of auction ${auctionId} is forced, but no client may force it` }]
  })
}

/** A correction follows the state that one of its tries expected. */
function checkExpected(history: History): Violation[] {
  const entries = entriesOf(history)
  return history.auctions.flatMap((auction) => {
    const own = entries(auction.id)
    return own.flatMap((entry, index): Violation[] => {
      if (entry.event.type !== 'corrected') return []
      const able = correctionsAsked(history, { ...entry, event: entry.event })
      const texts = show(textsOf(auction, own[index - 1]))
      if (able.some(({ expected }) => expected === undefined || show(expected) === texts)) return []
      const message = `entry ${entry.id} of auction ${auction.id} replaces ${texts}, which no client expected`
      return [{ invariant: 6, message }]
    })
  })
}

/** The tries of the request that a correction records. */
function correctionsAsked(history: History, entry: AuctionEntry<Corrected>) {
  const [recordedKey, recorded] = [clientKey(entry.requestKey), recordedAs(entry)]
  return attemptsTo(history, 'correct-auction').filter(
    ({ correction, key }) => key === recordedKey && askedFor(correction) === recorded,
  )
}

/** A correction or a lower reserve is by the owner or by staff, as one of its tries was. */
function checkRoles(history: History): Violation[] {
  const owners = new Map(history.auctions.map(({ id, ownerId }) => [id, ownerId]))
  return history.ledger.flatMap((entry): Violation[] => {
    const { id, auctionId, event } = entry
    const ownerId = owners.get(auctionId)
    if (ownerId === undefined) return []
    const roles =
      event.type === 'corrected'
        ? correctionsAsked(history, { ...entry, event }).map(({ correction }) => correctorOf(correction, ownerId))
        : loweringsAsked(history, entry).map(({ repair }) => lowererOf(repair, ownerId))
    const by = 'by' in event ? event.by : undefined
    // An entry without a request is reported elsewhere.
    if (roles.length === 0 || roles.some((role) => role === by)) return []
    return [
      { invariant: 6, message: `entry ${id} of auction ${auctionId} is by ${by}, but its request was by ${roles[0]}` },
    ]
  })
}

/** The tries of the request that a lower reserve records; none for other entries. */
function loweringsAsked(history: History, entry: Entry) {
  const repair = repairIn(entry)
  if (repair?.type !== 'lower-reserve') return []
  const [key, asked] = [clientKey(entry.requestKey), askedForRepair(repair)]
  return attemptsTo(history, 'lower-reserve').filter((each) => each.key === key && askedForRepair(each) === asked)
}
