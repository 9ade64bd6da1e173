import type { PublicEvent } from '@auction/domain'
import { type Follower, type History, show, type Violation } from '../history.ts'
import type { Timeline, Timelines } from './ledger-states.ts'
import { shownBy } from './public-events.ts'

/**
 * What a follower saw of an auction is exactly what its entries show, from its position on, in order, each stored before
 * it was shown. So all followers saw the same of an entry.
 */
export function checkFollowers(history: History, timelines: Timelines): Violation[] {
  const { followers = [] } = history
  return followers.flatMap((follower): Violation[] => {
    const finding = findingOf(follower, timelines.get(follower.auctionId), history)
    if (finding === undefined) return []
    const message = `a follower of auction ${follower.auctionId} from ${follower.from}: ${finding}`
    return [{ invariant: 7, message }]
  })
}

function findingOf(
  { from, position, seen }: Follower,
  timeline: Timeline | undefined,
  { clockErrorMs, storedAtMs }: History,
): string | undefined {
  if (timeline === undefined) return 'the auction is not stored'
  const expected = shownBy(timeline).filter(({ sequence }) => sequence > from && sequence <= position)
  for (const [index, { event, atMs }] of seen.entries()) {
    const next = expected[index]
    const right = show(next?.event)
    if (show(plain(event)) !== right) return `it saw ${show(event)} instead of ${right}`
    const leastMs = next && (storedAtMs?.get(next.entry.id) ?? next.entry.atMs - clockErrorMs)
    if (leastMs === undefined || atMs < leastMs) return `it saw ${show(event)} before that was stored`
  }
  const missed = expected[seen.length]
  return missed && `it did not see ${show(missed.event)}`
}

/** The ends as numbers, without the texts of the moments. */
const plain = (event: PublicEvent): object => ({
  ...event,
  ...('effectiveEndTime' in event && { effectiveEndTime: event.effectiveEndTime.epochMs }),
  ...('nextPriceTime' in event && { nextPriceTime: event.nextPriceTime?.epochMs }),
  ...('previousEndTime' in event && { previousEndTime: event.previousEndTime.epochMs }),
})
