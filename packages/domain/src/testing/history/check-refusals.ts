import { type AmountMinor, toMinor } from '../../money.ts'
import { type Attempt, type History, type Refused, show, type Violation } from '../history.ts'
import { canHaveBeen, type LedgerState, type Timeline, type Timelines } from './timeline.ts'

// What else a host may refuse, a rate or a token, is of no auction.
const codesOfAuctions = [
  'auction-not-found',
  'auction-not-started',
  'auction-ended',
  'owner-cannot-bid',
  'bid-too-low',
  'validation-failed',
  'idempotency-key-reused',
] as const
type CodeOfAuctions = (typeof codesOfAuctions)[number]

const isOfAuctions = (code: string): code is CodeOfAuctions => codesOfAuctions.some((each) => each === code)

/** Whether a refusal says nothing of the request itself: it may be sent again as it is. */
export const saysNothing = ({ code }: Refused): boolean => !isOfAuctions(code)

/** Every refusal was true at some moment between sending and answer, and so were the figures that it names. */
export function checkRefusals(history: History, timelines: Timelines): Violation[] {
  return history.attempts.flatMap((attempt): Violation[] => {
    const { answer } = attempt
    if (answer.outcome !== 'refused' || !isOfAuctions(answer.code)) return []
    if (isTrue(answer.code, answer, attempt, history, timelines)) return []
    const { sentAtMs, answeredAtMs } = attempt
    const message = `${show(attempt)} was never true between ${sentAtMs} and ${answeredAtMs}`
    return [{ invariant: 4, message }]
  })
}

function isTrue(
  code: CodeOfAuctions,
  answer: Refused,
  attempt: Attempt,
  history: History,
  timelines: Timelines,
): boolean {
  if (code === 'idempotency-key-reused') return true // Or not: that is checked with the keys.
  const { sentAtMs, answeredAtMs } = attempt
  const earliestMs = sentAtMs - history.clockErrorMs
  const latestMs = answeredAtMs + history.clockErrorMs
  if (attempt.type === 'create-auction') {
    return code === 'validation-failed' && attempt.auction.endTime.epochMs <= latestMs
  }
  if (attempt.type === 'list-auctions') return false
  const timeline = timelines.get(attempt.type === 'place-bid' ? attempt.bid.auctionId : attempt.auctionId)
  if (code === 'auction-not-found') return timeline === undefined || timeline.knownMs >= sentAtMs
  if (attempt.type === 'read-auction' || timeline === undefined) return false
  const { auction } = timeline
  const amountMinor = toMinor(attempt.bid.amount, auction.currency)
  switch (code) {
    case 'auction-not-started':
      return earliestMs < auction.startTime.epochMs
    case 'auction-ended':
      return latestMs >= auction.endTime.epochMs
    case 'owner-cannot-bid':
      return attempt.bid.bidderId === auction.ownerId
    case 'validation-failed':
      return amountMinor === undefined
    case 'bid-too-low':
      return amountMinor !== undefined && isTooLow(amountMinor, answer, timeline, sentAtMs, answeredAtMs)
    default:
      return code satisfies never
  }
}

function isTooLow(
  amountMinor: AmountMinor,
  told: Refused,
  timeline: Timeline,
  sentAtMs: number,
  answeredAtMs: number,
): boolean {
  const isAsTold = ({ priceMinor, leastMinor }: LedgerState) =>
    (told.currentPriceMinor === undefined || told.currentPriceMinor === priceMinor) &&
    (!('minimumNextBidMinor' in told) || told.minimumNextBidMinor === leastMinor)
  return timeline.states.some(
    (state) =>
      !state.isClosed &&
      (state.leastMinor === undefined || amountMinor < state.leastMinor) &&
      isAsTold(state) &&
      canHaveBeen(timeline, state, sentAtMs, answeredAtMs),
  )
}
