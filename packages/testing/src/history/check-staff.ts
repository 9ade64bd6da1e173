import { type History, show, type Violation } from '../history.ts'
import { attemptsTo, clientKey, isForced } from './commands.ts'
import { askedFor, correctorOf, recordedAs } from './correction-requests.ts'
import { askedForRepair, recordedRepair } from './repair-requests.ts'
import { lowererOf } from './repairs.ts'
import { textsOf } from './rules.ts'
import { entriesOf } from './timeline.ts'

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
  const tries = attemptsTo(history, 'correct-auction')
  return history.auctions.flatMap((auction) => {
    const own = entries(auction.id)
    return own.flatMap(({ id, event, requestKey }, index): Violation[] => {
      if (event.type !== 'corrected') return []
      const key = clientKey(requestKey)
      const recorded = recordedAs(event, auction)
      const able = tries.filter(({ correction, key: tried }) => tried === key && askedFor(correction) === recorded)
      const texts = show(textsOf(auction, own[index - 1]))
      if (able.some(({ expected }) => expected === undefined || show(expected) === texts)) return []
      return [
        { invariant: 6, message: `entry ${id} of auction ${auction.id} replaces ${texts}, which no client expected` },
      ]
    })
  })
}

/** A correction or a lower reserve is by the owner or by staff, as one of its tries was. */
function checkRoles(history: History): Violation[] {
  const corrections = attemptsTo(history, 'correct-auction')
  const reductions = attemptsTo(history, 'lower-reserve')
  const auctions = new Map(history.auctions.map((auction) => [auction.id, auction]))
  return history.ledger.flatMap(({ id, auctionId, event, requestKey }): Violation[] => {
    const auction = auctions.get(auctionId)
    if (auction === undefined || (event.type !== 'corrected' && event.type !== 'reserve-lowered')) return []
    const key = clientKey(requestKey)
    const roles =
      event.type === 'corrected'
        ? corrections
            .filter((each) => each.key === key && askedFor(each.correction) === recordedAs(event, auction))
            .map(({ correction }) => correctorOf(correction, auction.ownerId))
        : reductions
            .filter(
              (each) => each.key === key && askedForRepair(each, auction.currency) === recordedRepair(auctionId, event),
            )
            .map(({ repair }) => lowererOf(repair, auction.ownerId))
    // An entry without a request is reported elsewhere.
    if (roles.length === 0 || roles.some((role) => role === event.by)) return []
    const message = `entry ${id} of auction ${auctionId} is by ${event.by}, but its request was by ${roles[0]}`
    return [{ invariant: 6, message }]
  })
}
