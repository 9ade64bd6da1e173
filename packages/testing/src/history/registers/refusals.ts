import { toMinor } from '@auction/domain/money'
import type { Attempt, Refused } from '../../history.ts'
import type { AttemptOf } from '../attempts.ts'
import { statesDuring } from '../ledger-states.ts'
import type { RegisterState, RegisterTimeline, RegisterTimelines } from './timelines.ts'

const mostBidders = 20_000

type RefusedChange = {
  readonly change: AttemptOf<'set-bidders'>['change']
  readonly timeline: RegisterTimeline
  /** The possible states of the register between request and response. */
  readonly states: readonly RegisterState[]
}

/** The rules by which a refusal of a change of bidders is possible, by its code. */
const rules: Readonly<Record<string, (refused: RefusedChange) => boolean>> = {
  'validation-failed': ({ change: { bidders }, timeline: { register } }) =>
    bidders.some(({ limit }) => limit !== undefined && toMinor(limit, register.currency) === undefined),
  'paddle-taken': ({ change: { bidders }, timeline: { holderOf }, states }) =>
    states.some(({ sequence }) =>
      bidders.some(({ bidderId, paddle }) => {
        const holder = paddle === undefined ? undefined : holderOf(paddle, sequence)
        return holder !== undefined && holder !== bidderId
      }),
    ),
  'too-many-bidders': ({ change: { bidders }, timeline: { listed, entries }, states }) =>
    states.some(({ sequence }) => {
      const { admitted = 0, pending = 0, refused = 0 } = entries[sequence - 1]?.state.counts ?? {}
      const added = bidders.filter(({ bidderId }) => listed(bidderId, sequence) === undefined)
      return admitted + pending + refused + added.length > mostBidders
    }),
  'precondition-failed': ({ change: { bidders, expected }, timeline: { listed }, states }) =>
    states.some(({ sequence }) => {
      const status = (bidders[0] && listed(bidders[0].bidderId, sequence)?.status) ?? 'none'
      return expected !== undefined && status !== expected
    }),
}

/** The codes of what only registers refuse. */
export const registerCodes: readonly string[] = ['register-not-found', ...Object.keys(rules)]

/** Whether a refusal of a request for a register was possible at some moment between request and response. */
export function isTrueOfRegister(
  { code }: Refused,
  attempt: Extract<Attempt, { readonly type: 'create-register' | 'set-bidders' }>,
  registers: RegisterTimelines,
): boolean {
  if (attempt.type === 'create-register') return false
  const { change, sentAtMs, respondedAtMs } = attempt
  const timeline = registers.get(change.registerId)
  if (code === 'register-not-found') return isUnknown(timeline, sentAtMs)
  if (timeline === undefined) return false
  const states = statesDuring(timeline, sentAtMs, respondedAtMs)
  return rules[code]?.({ change, timeline, states }) === true
}

/** Whether no client knew of a register when it sent a request. */
export const isUnknown = (timeline: RegisterTimeline | undefined, sentAtMs: number): boolean =>
  (timeline?.states[0]?.knownMs ?? Number.POSITIVE_INFINITY) >= sentAtMs
