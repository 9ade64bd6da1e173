import { type History, show, type Violation } from '../history.ts'
import { attemptsTo, clientKey, isForced } from './commands.ts'
import { askedFor, recordedAs } from './correction-requests.ts'
import { textsOf } from './rules.ts'
import { entriesOf } from './timeline.ts'

/** Only clients that may force a cancellation forced one, and corrections replaced texts that clients had seen (6). */
export function checkStaff(history: History): Violation[] {
  return [...checkForced(history), ...checkExpected(history)]
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
