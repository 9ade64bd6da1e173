import type { NewBid } from '@auction/domain/auction'
import { toMinor } from '@auction/domain/money'
import type { Attempt, Refused } from '../history.ts'
import { ceilingMinor } from './bidding-rules.ts'
import type { CodeOfAuctions } from './check-refusals.ts'
import { latestEndMs } from './rules.ts'
import { isCancelled, type LedgerState, type Timeline } from './timeline.ts'

type Of<Type extends Attempt['type']> = Extract<Attempt, { readonly type: Type }>

/** A refusal by the rules, with the data that can make it true. */
export type RefusedCommand = {
  readonly code: Exclude<CodeOfAuctions, 'auction-not-found' | 'idempotency-key-reused'>
  readonly answer: Refused
  readonly attempt: Of<'place-bid'> | Of<'buy-now'> | Of<'cancel-auction'>
  readonly timeline: Timeline
  /** The possible states of the ledger between request and answer. */
  readonly states: readonly LedgerState[]
  /** The possible times of a server's clock between request and answer. */
  readonly earliestMs: number
  readonly latestMs: number
}

/** Whether a refusal is possible. */
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

/** After the latest possible end, the state of the auction does not matter. */
function hasEnded({ attempt, timeline: { auction }, states, latestMs }: RefusedCommand): boolean {
  if (attempt.type !== 'cancel-auction' && latestMs >= latestEndMs(auction)) return true
  return states.some((state) => !isCancelled(state) && (state.isClosed || latestMs >= state.endMs))
}

const isOpenWithBids = ({ isClosed, head }: LedgerState): boolean => !isClosed && head?.state.leader != null

const isNotOffered = (state: LedgerState, refusal: Refused): boolean =>
  !state.isClosed && state.isOffered !== true && hasFigures(state, refusal)

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
    // A leader that names a maximum raises it, and places no bid that could be too low.
    const isRaise = bid.maximumAmount !== undefined && leader?.bidderId === bid.bidderId
    if (state.isClosed || isRaise !== (code === 'maximum-not-raised')) return false
    if (isRaise) return maximumMinor <= ceilingMinor(leader)
    return (state.leastMinor === undefined || amountMinor < state.leastMinor) && hasFigures(state, answer)
  })
}

/** Whether the figures of a refusal, if it has any, are those of a state. */
const hasFigures = ({ priceMinor, leastMinor }: LedgerState, refusal: Refused): boolean =>
  (refusal.currentPriceMinor === undefined || refusal.currentPriceMinor === priceMinor) &&
  (!('minimumNextBidMinor' in refusal) || refusal.minimumNextBidMinor === leastMinor)
