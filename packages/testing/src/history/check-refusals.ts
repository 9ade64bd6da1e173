import type { Auction, NewBid, RefusalCode, refusals } from '@auction/domain/auction'
import type { UserId } from '@auction/domain/ids'
import { isSameCurrency, toMinor } from '@auction/domain/money'
import type { Entry } from '@auction/domain/store'
import { type Attempt, type History, type Refused, show, type Violation } from '../history.ts'
import { auctionAskedFor, isForced, lowererOf } from './attempts.ts'
import { changesTerms, correctorOf, wouldBeInvalid } from './correction-requests.ts'
import type { IsTrue, RefusedCommand } from './formats/format.ts'
import { formatOf, formats } from './formats/formats.ts'
import { isCancelled, type LedgerState, statesDuring, type Timeline, type Timelines } from './ledger-states.ts'
import { isBlocked, isEffective, isExtension, mostCorrections } from './life.ts'
import { isTrueOfRegister, isUnknown, registerCodes } from './registers/refusals.ts'
import { type RegisterTimelines, saidOf } from './registers/timelines.ts'
import { hasRepairedTerms, isRepairedOften } from './repairs.ts'
import { hasHadBids } from './rules.ts'
import { hasBids, mayHaveBids } from './withdrawals.ts'

/** The codes that no caller receives. */
type InternalCode = {
  [Code in RefusalCode]: (typeof refusals)[Code] extends { readonly isInternal: true } ? Code : never
}[RefusalCode]

/** The codes of refusals that are of no command on a ledger, or of any. */
type CodeOfOthers =
  | ('auction-not-found' | 'bid-not-found' | 'idempotency-key-reused' | 'overloaded')
  | ('auction-not-over' | 'auction-is-offer' | 'auction-relisted' | 'auction-has-offer')
  | ('no-next-bidder' | 'too-many-offers')

type Formats = typeof formats
type CodeOfFormats = Exclude<{ [Name in keyof Formats]: keyof Formats[Name]['refusals'] }[keyof Formats], CodeOfAll>
/** Refusals that rules of all formats and rules of some format return. */
type CodeOfAll = 'validation-failed'

/** The rules of all formats by which a refusal of a command is possible, by its code. */
const rulesOfAll: Readonly<Record<Exclude<RefusalCode, InternalCode | CodeOfOthers | CodeOfFormats>, IsTrue>> = {
  'auction-not-started': ({ attempt, states, earliestMs }) =>
    ['place-bid', 'buy-now', 'end-auction', 'withdraw-own-bid'].includes(attempt.type) &&
    states.some(({ auction }) => earliestMs < auction.startTime.epochMs),
  'auction-ended': hasEnded,
  'auction-cancelled': ({ attempt, states }) => attempt.type !== 'cancel-auction' && states.some(isCancelled),
  'not-the-owner'({ attempt, timeline: { auction } }) {
    if (attempt.type === 'correct-auction') return isOfAnother(attempt.correction.requesterId, auction)
    if (attempt.type === 'lower-reserve') {
      const { requesterId, mayLowerAny } = attempt.repair
      return mayLowerAny !== true && isOfAnother(requesterId, auction)
    }
    if (attempt.type !== 'cancel-auction') return false
    const { requesterId } = attempt.cancellation
    return !isForced(attempt.cancellation) && isOfAnother(requesterId, auction)
  },
  'auction-has-bids'({ attempt, states }) {
    const isUnforced = attempt.type === 'cancel-auction' && !isForced(attempt.cancellation)
    const isPrevented = ({ auction }: LedgerState) => isUnforced && auction.cancellableUntilEnd !== true
    return states.some((state) => isOpenWithBids(state) && (attempt.type === 'correct-auction' || isPrevented(state)))
  },
  'auction-started'({ attempt, states, latestMs }) {
    const isUnforced = attempt.type === 'cancel-auction' && !isForced(attempt.cancellation)
    return states.some((state) => {
      const { auction, isClosed } = state
      return (
        !isClosed &&
        formatOf(auction).isFixedFromStart === true &&
        timeIn(state, latestMs) >= auction.startTime.epochMs &&
        (attempt.type === 'correct-auction' || (isUnforced && auction.cancellableUntilEnd !== true))
      )
    })
  },
  'not-in-format': ({ attempt, timeline: { auction } }) => formatOf(auction).lacks?.includes(attempt.type) === true,
  'too-many-corrections': ({ attempt, states }) =>
    attempt.type === 'correct-auction' &&
    states.some(({ auction, head }) => {
      const most = mostCorrections[correctorOf(attempt.correction, auction.ownerId)]
      return (head?.state.corrections?.count ?? 0) >= most
    }),
  'auction-repaired': ({ attempt, states }) =>
    attempt.type === 'correct-auction' &&
    changesTerms(attempt.correction) &&
    states.some(({ head }) => hasRepairedTerms(head)),
  'precondition-failed'({ attempt, states }) {
    if (attempt.type !== 'correct-auction' || attempt.expected === undefined) return false
    const expected = show(attempt.expected)
    // A correction in the meantime is a change, even if the texts and the time stay the same.
    const counts = new Set(states.map(({ head }) => head?.state.corrections?.count))
    return counts.size > 1 || states.some(({ texts }) => show(texts) !== expected)
  },
  'owner-cannot-bid': ({ attempt, timeline: { auction } }) =>
    attempt.type === 'place-bid' && attempt.bid.bidderId === auction.ownerId,
  'validation-failed': ({ attempt, states, latestMs }) =>
    states.some((state) => {
      const atMs = timeIn(state, latestMs)
      if (attempt.type === 'correct-auction') return wouldBeInvalid(state.auction, attempt.correction, atMs)
      return attempt.type === 'extend-auction' && !isExtension(attempt.repair.endTime.epochMs, state.endMs, atMs)
    }),
  'not-admitted': ({ attempt, timeline: { auction }, said, response }) =>
    isOfOther(userOf(attempt), auction.offeredTo) ||
    said.some(({ registration }) => registration !== undefined && isShown(response.registration, registration)),
  'above-limit': ({ attempt, states, said, response, earliestMs }) =>
    said.some(({ limitMinor }) => {
      if (limitMinor === undefined || !isShown(response.limitMinor, limitMinor)) return false
      return states.some((state) => Number(riskOf(attempt, state, earliestMs)) > limitMinor)
    }),
  'bidder-blocked': ({ attempt, states }) => {
    const userId = userOf(attempt)
    return userId !== undefined && states.some(({ head }) => isBlocked(userId, head))
  },
  'no-bids-of-bidder': ({ attempt, timeline, states }) =>
    states.some(({ auction, head }) => {
      const entries = entriesUpTo(timeline, head)
      if (attempt.type === 'withdraw-own-bid') return !hasBids(entries, attempt.withdrawal.bidderId)
      if (attempt.type !== 'withdraw-bidder') return false
      const { bidderId, isBlocked: wanted } = attempt.repair
      return !isEffective(wanted, isBlocked(bidderId, head), mayHaveBids(auction, entries, bidderId))
    }),
  'too-many-repairs': ({ attempt, timeline, states }) =>
    'repair' in attempt && !isOwners(attempt, timeline) && states.some(({ head }) => isRepairedOften(head)),
}

/** The codes of all rules. */
const codes = new Set([
  ...[rulesOfAll, ...Object.values(formats).map((format) => format.refusals)].flatMap(Object.keys),
  ...registerCodes,
])

const rulesFor = (code: string, { auction }: Timeline): readonly (IsTrue | undefined)[] =>
  [rulesOfAll, formatOf(auction).refusals].map((rules: Readonly<Partial<Record<string, IsTrue>>>) => rules[code])

/** Returns whether a refusal is not about the request, such as of a rate: the client may repeat it unchanged. */
export const isInconclusive = ({ code }: Refused): boolean =>
  !codes.has(code) && code !== 'auction-not-found' && code !== 'idempotency-key-reused'

/** Every refusal and its figures were true at some moment between request and response. */
export function checkRefusals(history: History, timelines: Timelines, registers: RegisterTimelines): Violation[] {
  return history.attempts.flatMap((attempt): Violation[] => {
    const { response } = attempt
    if (
      response.outcome !== 'refused' ||
      isInconclusive(response) ||
      isTrue(response, attempt, history, timelines, registers)
    )
      return []
    const { sentAtMs, respondedAtMs } = attempt
    const message = `${show(attempt)} was never true between ${sentAtMs} and ${respondedAtMs}`
    return [{ invariant: 4, message }]
  })
}

function isTrue(
  response: Refused,
  attempt: Attempt,
  { clockErrorMs }: History,
  timelines: Timelines,
  registers: RegisterTimelines,
): boolean {
  const { code } = response
  if (code === 'idempotency-key-reused') return true // `checkKeys` checks that.
  if (attempt.type === 'create-register' || attempt.type === 'set-bidders')
    return isTrueOfRegister(response, attempt, registers)
  const { sentAtMs, respondedAtMs, arrivedAtMs } = attempt
  // However long a command waits, the service decides for the time of its arrival.
  const clocks = {
    earliestMs: (arrivedAtMs ?? sentAtMs) - clockErrorMs,
    latestMs: (arrivedAtMs ?? respondedAtMs) + clockErrorMs,
  }
  if (attempt.type === 'create-auction') {
    const { registerId, currency, endTime } = attempt.auction
    const register = registerId === undefined ? undefined : registers.get(registerId)
    const isRight = register !== undefined && isSameCurrency(register.register.currency, currency)
    const isWrong = registerId !== undefined && (isUnknown(register, sentAtMs) || !isRight)
    return code === 'validation-failed' && (isWrong || endTime.epochMs <= clocks.latestMs)
  }
  // The parser of bids compares the two without an auction.
  if (code === 'validation-failed' && attempt.type === 'place-bid' && isMaximumBelowAmount(attempt.bid)) return true
  const auctionId = auctionAskedFor(attempt)
  if (auctionId === undefined) return false
  const timeline = timelines.get(auctionId)
  if (code === 'auction-not-found') return timeline === undefined || timeline.knownMs >= sentAtMs
  if (attempt.type === 'read-auction' || attempt.type === 'list-auctions' || timeline === undefined) return false
  const states = statesDuring(timeline, sentAtMs, respondedAtMs)
  const refused = { response, attempt, timeline, states, said: saidDuring(attempt, timeline, registers), ...clocks }
  return rulesFor(code, timeline).some((isPossible) => isPossible?.(refused) === true)
}

/** What the register of an auction may have said of a bidder or buyer between request and response. */
function saidDuring(
  attempt: RefusedCommand['attempt'],
  { auction: { registerId } }: Timeline,
  registers: RegisterTimelines,
): RefusedCommand['said'] {
  const [userId, register] = [userOf(attempt), registerId === undefined ? undefined : registers.get(registerId)]
  if (userId === undefined || register === undefined || !('bid' in attempt || 'purchase' in attempt)) return []
  const claim = attempt.claims?.[register.id]
  const states = statesDuring(register, attempt.sentAtMs, attempt.respondedAtMs)
  return states.map(({ sequence }) => saidOf(register, userId, sequence, claim))
}

/** The user of a bid or a purchase. */
const userOf = (attempt: RefusedCommand['attempt']): UserId | undefined =>
  'bid' in attempt ? attempt.bid.bidderId : 'purchase' in attempt ? attempt.purchase.buyerId : undefined

/** The most that a bid or a purchase can cost; a price that falls was the highest at the earliest time. */
function riskOf(attempt: RefusedCommand['attempt'], { auction, head }: LedgerState, earliestMs: number) {
  if ('bid' in attempt) return toMinor(attempt.bid.maximumAmount ?? attempt.bid.amount, auction.currency)
  const falling = formatOf(auction).byTime?.figuresAt(auction, head, earliestMs).currentPriceMinor
  return falling ?? ('buyNowPriceMinor' in auction ? auction.buyNowPriceMinor : undefined)
}

/** Whether a refusal shows a member as it is, or does not show it. */
const isShown = <Value>(shown: Value | undefined, value: Value): boolean => shown === undefined || shown === value

const isOfOther = (userId: UserId | undefined, offeredTo: UserId | undefined): boolean =>
  offeredTo !== undefined && userId !== offeredTo

const isMaximumBelowAmount = ({ amount, maximumAmount = amount }: NewBid): boolean => maximumAmount < amount

/**
 * Returns whether an end was possible. Staff may repair an auction until its result is recorded, its owner until the
 * end.
 */
function hasEnded({ attempt, timeline, states, latestMs }: RefusedCommand): boolean {
  const isOfStaff = 'repair' in attempt && !isOwners(attempt, timeline)
  const isOver = ({ endMs }: LedgerState) => !isOfStaff && latestMs >= endMs
  return states.some((state) => !isCancelled(state) && (state.isClosed || isOver(state)))
}

/** The time of a command that follows a state: never before its last entry. */
const timeIn = ({ head }: LedgerState, arrivedMs: number): number => Math.max(arrivedMs, head?.atMs ?? arrivedMs)

function entriesUpTo({ states }: Timeline, last: Entry | undefined): readonly Entry[] {
  const sequence = last?.sequence ?? 0
  return states.flatMap(({ head }) => (head !== undefined && head.sequence <= sequence ? [head] : []))
}

/** Returns whether the owner lowers the reserve, and not staff. */
const isOwners = (attempt: RefusedCommand['attempt'], { auction }: Timeline): boolean =>
  attempt.type === 'lower-reserve' && lowererOf(attempt.repair, auction.ownerId) === 'owner'

const isOfAnother = (requesterId: UserId | undefined, { ownerId }: Pick<Auction, 'ownerId'>): boolean =>
  requesterId !== undefined && requesterId !== ownerId

const isOpenWithBids = ({ isClosed, head }: LedgerState): boolean => !isClosed && hasHadBids(head)
