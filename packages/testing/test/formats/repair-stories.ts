import type { PublicEvent } from '@auction/domain'
import { toUserId } from '@auction/domain/ids'
import type { Follower, History, WantedRepair } from '../../src/history.ts'
import { endMs, marginMs, refused, startMs } from '../sample-history.ts'
import { figures, headOf } from './attempts.ts'
import {
  and,
  bid,
  endedEarly,
  extended,
  lowered,
  minuteMs,
  plain,
  reserve,
  withdrawn,
  withoutResponse,
} from './stories.ts'

export const hourMs = 3_600_000
export const closedMs = endMs + marginMs
/** The time of the nth entry. */
export const at = (n: number) => startMs + n * minuteMs

/** A leader, another bidder, and the first one again. */
export const duel = [bid(2, 100, { max: 200 }), bid(3, 150, { reply: [2, 155] }), bid(4, 300, { max: 400 })] as const

export const blocked = { isBlocked: true } as const
export const unblocked = { isUnblocked: true } as const
export const withdrawal = plain(...duel, withdrawn(4, [21, 2, 155, 200], 3), bid(4, 160, { reply: [2, 165] }))
export const blocking = plain(...duel, withdrawn(4, [21, 2, 155, 200], 3, blocked))
/** A bidder whose automatic bids another one has caused. */
export const fallen = plain(...duel, withdrawn(4, [21, 2, 155, 200], 3), withdrawn(3, [10, 2, 100, 200], 1))
export const extension = plain(bid(2, 100), extended(endMs + hourMs, endMs))
export const early = plain(bid(2, 100), endedEarly(at(2) + 1, endMs))

/** A refused request for the repair of a story. */
export function refusedRepair(story: History, atMs: number, code: string, change: object): History {
  const attempt = story.attempts.findLast((each) => 'repair' in each)
  if (attempt === undefined || !('repair' in attempt)) throw new Error('a story has a repair')
  const wanted = { type: attempt.type, repair: { ...attempt.repair, ...change } } as WantedRepair // Of the same type.
  return and(story, { ...wanted, sentAtMs: atMs, respondedAtMs: atMs + 5, response: refused(code) })
}

/** What a follower sees of the second withdrawal of a story. */
export function seenWithdrawal(change: Partial<PublicEvent> = {}): Follower {
  const [{ id: auctionId, currency, endTime: effectiveEndTime }] = headOf(fallen)
  const event = {
    ...{ type: 'withdrawn', auctionId, sequence: 5, atMs: at(5), reason: 'outage', bidderId: toUserId(3), currency },
    ...{ ...figures(100, 105), maximumNextBidMinor: undefined, bidCount: 1, leaderId: toUserId(2), effectiveEndTime },
    ...{ by: 'staff', isReserveMet: undefined, isBuyNowOffered: undefined, ...change },
  } as PublicEvent // Wrong on purpose, with a change.
  return { auctionId, from: 4, position: 5, seen: [{ event, atMs: event.atMs }] }
}

/** A story in which no client has sent the last request. */
export const unsent = (story: History): History => ({ ...story, attempts: story.attempts.slice(0, -1) })

/** A story whose last request was sent after its entry has its time: that of a repair after the end. */
export function sentLater(story: History): History {
  const last = story.attempts.at(-1)
  if (last === undefined) return story
  const times = { sentAtMs: last.sentAtMs + 10, respondedAtMs: last.respondedAtMs + 10 }
  return withoutResponse(
    { ...story, attempts: story.attempts.with(-1, { ...last, ...times }) },
    story.attempts.length - 1,
  )
}

/** A lower reserve by the owner, after one by staff or the owner. */
export const again = (by: 'owner' | 'staff') => reserve(lowered(140, { by }), lowered(130, { by: 'owner' }))
