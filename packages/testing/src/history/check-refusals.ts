import { type Attempt, type History, type Refused, show, type Violation } from '../history.ts'
import { auctionAskedFor, statesDuring, type Timelines } from './timeline.ts'
import { isTrueOf } from './true-refusals.ts'

// Other refusals of a host, such as of a rate or a token, concern no auction.
const codesOfAuctions = [
  'auction-not-found',
  'auction-not-started',
  'auction-ended',
  'auction-cancelled',
  'owner-cannot-bid',
  'bid-too-low',
  'maximum-not-raised',
  'owner-cannot-buy',
  'buy-now-not-offered',
  'not-the-owner',
  'auction-has-bids',
  'validation-failed',
  'idempotency-key-reused',
] as const
export type CodeOfAuctions = (typeof codesOfAuctions)[number]

const isOfAuctions = (code: string): code is CodeOfAuctions => codesOfAuctions.some((each) => each === code)

/** Whether a refusal is not about the request itself: the client may repeat it unchanged. */
export const isInconclusive = ({ code }: Refused): boolean => !isOfAuctions(code)

/** Every refusal and its figures were true at some moment between request and answer. */
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
  { clockErrorMs }: History,
  timelines: Timelines,
): boolean {
  if (code === 'idempotency-key-reused') return true // `checkKeys` checks that.
  const { sentAtMs, answeredAtMs } = attempt
  const clocks = { earliestMs: sentAtMs - clockErrorMs, latestMs: answeredAtMs + clockErrorMs }
  if (attempt.type === 'create-auction') {
    return code === 'validation-failed' && attempt.auction.endTime.epochMs <= clocks.latestMs
  }
  const auctionId = auctionAskedFor(attempt)
  if (auctionId === undefined) return false
  const timeline = timelines.get(auctionId)
  if (code === 'auction-not-found') return timeline === undefined || timeline.knownMs >= sentAtMs
  if (attempt.type === 'read-auction' || attempt.type === 'list-auctions' || timeline === undefined) return false
  const states = statesDuring(timeline, sentAtMs, answeredAtMs)
  return isTrueOf({ code, answer, attempt, timeline, states, ...clocks })
}
