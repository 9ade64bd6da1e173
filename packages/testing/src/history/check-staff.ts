import { type Attempt, type History, show, type Violation } from '../history.ts'
import { clientKey, isForced } from './commands.ts'
import { textsOf } from './rules.ts'
import { entriesOf } from './timeline.ts'

type Of<Type extends Attempt['type']> = Extract<Attempt, { readonly type: Type }>

/**
 * Only those who may force a cancellation forced one, and no correction replaced texts that its client had not seen
 * (6).
 */
export function checkStaff(history: History): Violation[] {
  return [...checkForced(history), ...checkExpected(history)]
}

function checkForced({ attempts, ledger }: History): Violation[] {
  const forcing = attempts
    .filter((attempt): attempt is Of<'cancel-auction'> => attempt.type === 'cancel-auction')
    .map(({ cancellation }) => cancellation)
    .filter(isForced)
  return ledger.flatMap(({ id, auctionId, event }): Violation[] => {
    if (event.type !== 'cancelled' || event.isForced !== true) return []
    if (forcing.some((attempt) => attempt.auctionId === auctionId && attempt.reason === event.reason)) return []
    return [{ invariant: 6, message: `entry ${id} of auction ${auctionId} is forced, but no client may force it` }]
  })
}

/** A correction follows the state that one of its tries expected. */
function checkExpected(history: History): Violation[] {
  const entries = entriesOf(history)
  const tries = history.attempts.filter(
    (attempt): attempt is Of<'correct-auction'> => attempt.type === 'correct-auction',
  )
  return history.auctions.flatMap((auction) => {
    const own = entries(auction.id)
    return own.flatMap(({ id, event, requestKey }, index): Violation[] => {
      if (event.type !== 'corrected') return []
      const key = clientKey(requestKey)
      const able = tries.filter(
        ({ correction, key: tried }) =>
          tried === key &&
          correction.auctionId === auction.id &&
          correction.title === event.title &&
          correction.description === event.description,
      )
      const texts = show(textsOf(auction, own[index - 1]))
      if (able.some(({ expected }) => expected === undefined || show(expected) === texts)) return []
      return [
        { invariant: 6, message: `entry ${id} of auction ${auction.id} replaces ${texts}, which no client expected` },
      ]
    })
  })
}
