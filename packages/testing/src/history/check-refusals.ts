import type { Auction, NewBid, RefusalCode, refusals } from '@auction/domain/auction'
import type { UserId } from '@auction/domain/ids'
import { toMinor } from '@auction/domain/money'
import type { Entry } from '@auction/domain/store'
import { type Attempt, type History, type Refused, type RepairAttempt, show, type Violation } from '../history.ts'
import { ceilingMinor } from './bidding-rules.ts'
import { type AttemptOf, isForced } from './commands.ts'
import { changesTerms, correctorOf, wouldBeInvalid } from './correction-requests.ts'
import {
  hasRepairedTerms,
  isBlocked,
  isEffective,
  isExtension,
  isLowering,
  isRepairedOften,
  lowererOf,
  wasLowered,
} from './repairs.ts'
import { hasHadBids, isAboveOffer, isHigh, isLow, leaderOf, mostCorrections } from './rules.ts'
import { hasBids } from './standing.ts'
import {
  auctionAskedFor,
  isCancelled,
  type LedgerState,
  statesDuring,
  type Timeline,
  type Timelines,
} from './timeline.ts'

/** A refusal of a command by the rules, with the data that can make it true. */
type RefusedCommand = {
  readonly answer: Refused
  readonly attempt:
    | AttemptOf<'place-bid'>
    | AttemptOf<'buy-now'>
    | AttemptOf<'cancel-auction'>
    | AttemptOf<'correct-auction'>
    | RepairAttempt
  readonly timeline: Timeline
  /** The possible states of the ledger between request and answer. */
  readonly states: readonly LedgerState[]
  /** The possible times at which the request had arrived, by a server's clock. */
  readonly earliestMs: number
  readonly latestMs: number
}

type IsTrue = (refused: RefusedCommand) => boolean

/** The codes that no caller receives. */
type InternalCode = {
  [Code in RefusalCode]: (typeof refusals)[Code] extends { readonly isInternal: true } ? Code : never
}[RefusalCode]

type CodeOfOthers = 'auction-not-found' | 'bid-not-found' | 'idempotency-key-reused' | 'overloaded'

/** The rules by which a refusal of a command is possible, by its code. */
const rulesByCode: Readonly<Record<Exclude<RefusalCode, InternalCode | CodeOfOthers>, IsTrue>> = {
  'auction-not-started': ({ attempt, states, earliestMs }) =>
    ['place-bid', 'buy-now', 'end-auction'].includes(attempt.type) &&
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
  'owner-cannot-buy': ({ attempt, timeline: { auction } }) =>
    attempt.type === 'buy-now' && attempt.purchase.buyerId === auction.ownerId,
  'buy-now-not-offered': ({ attempt, states, answer }) =>
    attempt.type === 'buy-now' && states.some((state) => isNotOffered(state, answer)),
  'owner-cannot-bid': ({ attempt, timeline: { auction } }) =>
    attempt.type === 'place-bid' && attempt.bid.bidderId === auction.ownerId,
  'validation-failed'(refused) {
    const { attempt, states, latestMs } = refused
    if (attempt.type === 'place-bid') return isTrueOfBid(refused)
    if (attempt.type === 'correct-auction') {
      return states.some((state) => wouldBeInvalid(state.auction, attempt.correction, timeIn(state, latestMs)))
    }
    return states.some((state) => isInvalidRepair(attempt, state, timeIn(state, latestMs)))
  },
  'bidder-blocked': ({ attempt, states }) => {
    const buyerId = attempt.type === 'buy-now' ? attempt.purchase.buyerId : undefined
    const userId = attempt.type === 'place-bid' ? attempt.bid.bidderId : buyerId
    return userId !== undefined && states.some(({ head }) => isBlocked(userId, head))
  },
  'no-bids-of-bidder': ({ attempt, timeline, states }) =>
    attempt.type === 'withdraw-bidder' &&
    states.some(({ head }) => {
      const { bidderId, isBlocked: wanted } = attempt.repair
      return !isEffective(wanted, isBlocked(bidderId, head), hasBids(entriesUpTo(timeline, head), bidderId))
    }),
  'too-many-repairs': ({ attempt, timeline, states }) =>
    'repair' in attempt && !isOwners(attempt, timeline) && states.some(({ head }) => isRepairedOften(head)),
  'reserve-lowered-before': ({ attempt, timeline, states }) =>
    isOwners(attempt, timeline) && states.some(({ head }) => wasLowered(head)),
  'bid-too-low': isTrueOfBid,
  'bid-too-high': isTrueOfBid,
  'buy-now-is-lower': isTrueOfBid,
  'maximum-not-raised': isTrueOfBid,
}

const rules: Readonly<Partial<Record<string, IsTrue>>> = rulesByCode

/** Returns whether a refusal is not about the request, such as of a rate: the client may repeat it unchanged. */
export const isInconclusive = ({ code }: Refused): boolean =>
  !Object.hasOwn(rules, code) && code !== 'auction-not-found' && code !== 'idempotency-key-reused'

/** Every refusal and its figures were true at some moment between request and answer. */
export function checkRefusals(history: History, timelines: Timelines): Violation[] {
  return history.attempts.flatMap((attempt): Violation[] => {
    const { answer } = attempt
    if (answer.outcome !== 'refused' || isInconclusive(answer) || isTrue(answer, attempt, history, timelines)) return []
    const { sentAtMs, answeredAtMs } = attempt
    const message = `${show(attempt)} was never true between ${sentAtMs} and ${answeredAtMs}`
    return [{ invariant: 4, message }]
  })
}

function isTrue(answer: Refused, attempt: Attempt, { clockErrorMs }: History, timelines: Timelines): boolean {
  const { code } = answer
  if (code === 'idempotency-key-reused') return true // `checkKeys` checks that.
  const { sentAtMs, answeredAtMs, arrivedAtMs } = attempt
  // However long a command waits, the service decides for the time of its arrival.
  const clocks = {
    earliestMs: (arrivedAtMs ?? sentAtMs) - clockErrorMs,
    latestMs: (arrivedAtMs ?? answeredAtMs) + clockErrorMs,
  }
  if (attempt.type === 'create-auction') {
    return code === 'validation-failed' && attempt.auction.endTime.epochMs <= clocks.latestMs
  }
  // The parser of bids compares the two without an auction.
  if (code === 'validation-failed' && attempt.type === 'place-bid' && isMaximumBelowAmount(attempt.bid)) return true
  const auctionId = auctionAskedFor(attempt)
  if (auctionId === undefined) return false
  const timeline = timelines.get(auctionId)
  if (code === 'auction-not-found') return timeline === undefined || timeline.knownMs >= sentAtMs
  if (attempt.type === 'read-auction' || attempt.type === 'list-auctions' || timeline === undefined) return false
  const states = statesDuring(timeline, sentAtMs, answeredAtMs)
  return rules[code]?.({ answer, attempt, timeline, states, ...clocks }) === true
}

const isMaximumBelowAmount = ({ amount, maximumAmount = amount }: NewBid): boolean => maximumAmount < amount

/** Returns whether an end was possible. Staff may repair an auction until its result is recorded, its owner until the end. */
function hasEnded({ attempt, timeline, states, latestMs }: RefusedCommand): boolean {
  const isOfStaff = 'repair' in attempt && !isOwners(attempt, timeline)
  const isOver = ({ endMs }: LedgerState) => !isOfStaff && latestMs >= endMs
  return states.some((state) => !isCancelled(state) && (state.isClosed || isOver(state)))
}

/** The time of a command that follows a state: never before its last entry. */
const timeIn = ({ head }: LedgerState, arrivedMs: number): number => Math.max(arrivedMs, head?.atMs ?? arrivedMs)

/** Returns whether a repair is impossible after a state. */
function isInvalidRepair(attempt: RefusedCommand['attempt'], { auction, endMs }: LedgerState, atMs: number): boolean {
  if (attempt.type === 'extend-auction') return !isExtension(attempt.repair.endTime.epochMs, endMs, atMs)
  if (attempt.type !== 'lower-reserve') return false
  const reserveMinor = toMinor(attempt.repair.reservePrice, auction.currency)
  const isUnreasoned = attempt.repair.reason === undefined && lowererOf(attempt.repair, auction.ownerId) === 'staff'
  if (isUnreasoned) return true
  return reserveMinor === undefined || !isLowering(auction, reserveMinor)
}

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

const isNotOffered = (state: LedgerState, refusal: Refused): boolean =>
  !state.isClosed && state.isOffered !== true && hasFigures(state, refusal)

function isTrueOfBid({ attempt, timeline, states, answer }: RefusedCommand): boolean {
  return attempt.type === 'place-bid' && isBidRefused(attempt.bid, timeline, states, answer)
}

function isBidRefused(bid: NewBid, { auction }: Timeline, states: readonly LedgerState[], answer: Refused): boolean {
  const amountMinor = toMinor(bid.amount, auction.currency)
  const maximumMinor = toMinor(bid.maximumAmount ?? bid.amount, auction.currency)
  const isValid = amountMinor !== undefined && maximumMinor !== undefined && maximumMinor >= amountMinor
  if (answer.code === 'validation-failed' || !isValid) return answer.code === 'validation-failed' && !isValid
  return states.some((state) => {
    const leader = leaderOf(state.head)
    const isTooLow = isLow(amountMinor, state.leastMinor)
    const isAbove = isAboveOffer(state.auction, state.head, amountMinor)
    // A leader that names a maximum raises that, so an amount that is too low is no bid, and not refused as one.
    const isOfLeader = bid.maximumAmount !== undefined && leader?.bidderId === bid.bidderId
    const isBid = !isOfLeader || !isTooLow
    if (state.isClosed || !hasFigures(state, answer)) return false
    if (answer.code === 'buy-now-is-lower') return isBid && isAbove && hasPrice(answer, state.auction)
    if (answer.code === 'bid-too-low') return isBid && isTooLow && !isAbove
    if (answer.code === 'bid-too-high') return isHigh(amountMinor, state.highestMinor) && !isAbove
    return isOfLeader && maximumMinor < ceilingMinor(leader) + (isTooLow ? 1 : 0)
  })
}

const hasPrice = ({ buyNowPriceMinor }: Refused, auction: Pick<Auction, 'buyNowPriceMinor'>): boolean =>
  buyNowPriceMinor === undefined || buyNowPriceMinor === auction.buyNowPriceMinor

/** Returns whether the figures of a refusal, if it has any, are those of a state. */
const hasFigures = ({ priceMinor, leastMinor, highestMinor }: LedgerState, refusal: Refused): boolean =>
  (refusal.currentPriceMinor === undefined || refusal.currentPriceMinor === priceMinor) &&
  (!('minimumNextBidMinor' in refusal) || refusal.minimumNextBidMinor === leastMinor) &&
  (!('maximumNextBidMinor' in refusal) || refusal.maximumNextBidMinor === highestMinor)
