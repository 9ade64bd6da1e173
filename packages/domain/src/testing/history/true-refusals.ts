import type { NewBid } from '../../auction/bid.ts'
import { toMinor } from '../../money.ts'
import type { Attempt, Refused } from '../history.ts'
import { ceilingMinor } from './bidding-rules.ts'
import type { CodeOfAuctions } from './check-refusals.ts'
import { latestEndMs } from './rules.ts'
import { isCancelled, type LedgerState, type Timeline } from './timeline.ts'

type Of<Type extends Attempt['type']> = Extract<Attempt, { readonly type: Type }>

/** A refusal of the rules, with all that can have made it true. */
export type RefusedCommand = {
  readonly code: Exclude<CodeOfAuctions, 'auction-not-found' | 'idempotency-key-reused'>
  readonly answer: Refused
  readonly attempt: Of<'place-bid'> | Of<'buy-now'> | Of<'cancel-auction'>
  readonly timeline: Timeline
  /** Those that the ledger can have been in meanwhile. */
  readonly states: readonly LedgerState[]
  /** What a server's clock can have said meanwhile. */
  readonly earliestMs: number
  readonly latestMs: number
}

/** Whether a refusal can have been true. */
export function isTrueOf(refused: RefusedCommand): boolean {
  const { code, attempt, timeline, states, earliestMs } = refused
  const { auction } = timeline
  switch (code) {
    case 'auction-not-started':
      return attempt.type !== 'cancel-auction' && earliestMs < auction.startTime.epochMs
    case 'auction-ended':
      return hasEnded(refused)
    case 'auction-cancelled':
      return attempt.type !== 'cancel-auction' && states.some(isCancelled)
    case 'not-the-owner': {
      if (attempt.type !== 'cancel-auction') return false
      const { requesterId } = attempt.cancellation
      return requesterId !== undefined && requesterId !== auction.ownerId
    }
    case 'auction-has-bids':
      return attempt.type === 'cancel-auction' && auction.cancellableUntilEnd !== true && states.some(isOpenWithBids)
    case 'owner-cannot-buy':
      return attempt.type === 'buy-now' && attempt.purchase.buyerId === auction.ownerId
    case 'buy-now-not-offered':
      return attempt.type === 'buy-now' && states.some((state) => isNotOffered(state, refused.answer))
    case 'owner-cannot-bid':
      return attempt.type === 'place-bid' && attempt.bid.bidderId === auction.ownerId
    case 'validation-failed':
    case 'bid-too-low':
    case 'maximum-not-raised':
      return attempt.type === 'place-bid' && isTrueOfBid(code, attempt.bid, refused)
    default:
      return code satisfies never
  }
}

/** Past the last end that there can be, what has become of the auction need not be known. */
function hasEnded({ attempt, timeline: { auction }, states, latestMs }: RefusedCommand): boolean {
  if (attempt.type !== 'cancel-auction' && latestMs >= latestEndMs(auction)) return true
  return states.some((state) => !isCancelled(state) && (state.isClosed || latestMs >= state.endMs))
}

const isOpenWithBids = ({ isClosed, head }: LedgerState): boolean => !isClosed && head?.state.leader != null

const isNotOffered = (state: LedgerState, told: Refused): boolean =>
  !state.isClosed && state.isOffered !== true && hasFigures(state, told)

function isTrueOfBid(
  code: 'validation-failed' | 'bid-too-low' | 'maximum-not-raised',
  bid: NewBid,
  { timeline: { auction }, states, answer }: RefusedCommand,
): boolean {
  const amountMinor = toMinor(bid.amount, auction.currency)
  const maximumMinor = toMinor(bid.maximumAmount ?? bid.amount, auction.currency)
  const isValid = amountMinor !== undefined && maximumMinor !== undefined && maximumMinor >= amountMinor
  if (code === 'validation-failed' || !isValid) return code === 'validation-failed' && !isValid
  return states.some((state) => {
    const leader = state.head?.state.leader ?? null
    // Whoever leads, and names a maximum, raises that one, and makes no bid that could be too low.
    const isRaise = bid.maximumAmount !== undefined && leader?.bidderId === bid.bidderId
    if (state.isClosed || isRaise !== (code === 'maximum-not-raised')) return false
    if (isRaise) return maximumMinor <= ceilingMinor(leader)
    return (state.leastMinor === undefined || amountMinor < state.leastMinor) && hasFigures(state, answer)
  })
}

/** Whether the figures of a refusal, where it names any, are those of a state. */
const hasFigures = ({ priceMinor, leastMinor }: LedgerState, told: Refused): boolean =>
  (told.currentPriceMinor === undefined || told.currentPriceMinor === priceMinor) &&
  (!('minimumNextBidMinor' in told) || told.minimumNextBidMinor === leastMinor)
