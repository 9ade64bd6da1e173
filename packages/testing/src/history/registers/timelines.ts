import type { Bidder, Claim } from '@auction/domain'
import { type AuctionId, ledgerIdOf, type RegisterId, type UserId } from '@auction/domain/ids'
import { type AmountMinor, toMinor } from '@auction/domain/money'
import type { DirectoryEntry, RegisterEntry, RegisterListed } from '@auction/domain/store'
import { type BiddersOf, type History, show, type Violation } from '../../history.ts'
import { type AttemptOf, attemptsTo, clientKey } from '../attempts.ts'
import { type Moment, settleKnown } from '../ledger-states.ts'

/** One state of a register's ledger: all entries up to and including this sequence. */
export type RegisterState = Moment & { readonly sequence: number }

/** One register, with all states of its ledger, in order. */
export type RegisterTimeline = {
  readonly id: RegisterId
  readonly register: RegisterListed['fields']
  readonly entries: readonly RegisterEntry[]
  readonly states: readonly RegisterState[]
  /** What the register says of a user after an entry; undefined if it does not list them. */
  listed(userId: UserId, sequence: number): Bidder | undefined
  /** Who has a paddle after an entry, or had it. */
  holderOf(paddle: string, sequence: number): UserId | undefined
}
export type RegisterTimelines = ReadonlyMap<RegisterId, RegisterTimeline>

type RegisterLine = DirectoryEntry<RegisterListed>

const isOfRegister = (entry: RegisterEntry | RegisterLine): entry is RegisterEntry => entry.kind === 'register'
const isLine = (entry: RegisterEntry | RegisterLine): entry is RegisterLine => entry.kind === 'directory'

export const linesOf = ({ registers = [] }: History): readonly RegisterLine[] =>
  registers.filter(isLine).toSorted((a, b) => a.sequence - b.sequence)

type ChangeEntry = RegisterEntry & { readonly event: Extract<RegisterEntry['event'], { readonly type: 'bidders-set' }> }

/** The changes of bidders in all registers, with their requests as text. */
export function changesIn({ registers = [] }: History) {
  return registers
    .filter(isOfRegister)
    .filter((entry): entry is ChangeEntry => entry.event.type === 'bidders-set')
    .toSorted((a, b) => a.sequence - b.sequence)
    .map((entry) => {
      const { auctionId: registerId, event } = entry
      const bidders = event.bidders.map(({ was: _, ...bidder }) => bidder)
      return { entry, key: clientKey(entry.requestKey), bidders, asksFor: show({ registerId, ...event, bidders }) }
    })
}
type Change = ReturnType<typeof changesIn>[number]

type ChangeAttempt = AttemptOf<'set-bidders'>

/** The whole entries that a change asks for. An amount that is none of the currency has no entry. */
const biddersOf = ({ bidders }: BiddersOf, { currency }: RegisterTimeline['register']): readonly Bidder[] =>
  bidders.map(({ limit, ...bidder }) => {
    // The cast: of another amount, no entry is like it.
    const limitMinor = limit === undefined ? undefined : ((toMinor(limit, currency) ?? -1) as AmountMinor)
    return limitMinor === undefined ? bidder : { ...bidder, limitMinor }
  })

/** The text of a change, as that of its entry is. */
export const askedForChange = (change: BiddersOf, timeline: RegisterTimeline | undefined): string => {
  const { registerId, editor, bidders, withdrawal } = change
  const sent = timeline === undefined ? bidders : biddersOf(change, timeline.register)
  return show({ registerId, type: 'bidders-set', editor, bidders: sent, withdrawal })
}

/** The registers of a history, and the accepted changes of which they show nothing (1, 9). */
export function registerTimelinesOf(history: History) {
  const entriesOf = Map.groupBy((history.registers ?? []).filter(isOfRegister), ({ auctionId }) => auctionId)
  const timelines = new Map(linesOf(history).map(({ event }) => [event.id, timelineOf(event, entriesOf)] as const))
  const changes = Map.groupBy(changesIn(history), ({ entry }) => entry.auctionId)
  const attempts = Map.groupBy(attemptsTo(history, 'set-bidders'), ({ change }) => change.registerId)
  const violations = [...timelines.values()].flatMap((timeline) => {
    const own = attempts.get(timeline.id) ?? []
    return observe(history, timeline, changes.get(ledgerIdOf(timeline.id)) ?? [], own)
  })
  for (const { change, response } of attemptsTo(history, 'set-bidders'))
    if (response.outcome === 'accepted' && !timelines.has(change.registerId))
      violations.push({ invariant: 1, message: `register ${change.registerId} was changed, but is not stored` })
  return { timelines, violations }
}

function timelineOf(
  { id, fields: register }: RegisterListed,
  entriesOf: ReadonlyMap<AuctionId, readonly RegisterEntry[]>,
): RegisterTimeline {
  const entries = (entriesOf.get(ledgerIdOf(id)) ?? []).toSorted((a, b) => a.sequence - b.sequence)
  const set = entries.flatMap(({ sequence, event }) =>
    event.type === 'bidders-set' ? event.bidders.map(({ was: _, ...bidder }) => ({ sequence, bidder })) : [],
  )
  const byBidder = Map.groupBy(set, ({ bidder }) => bidder.bidderId)
  const byPaddle = Map.groupBy(set, ({ bidder }) => bidder.paddle)
  const upTo = (sequence: number) => (each: (typeof set)[number]) => each.sequence <= sequence
  return {
    ...{ id, register, entries },
    states: entries.map(({ sequence }) => ({
      ...{ sequence, fromMs: Number.NEGATIVE_INFINITY, knownMs: Number.POSITIVE_INFINITY },
    })),
    listed: (userId, sequence) => byBidder.get(userId)?.findLast(upTo(sequence))?.bidder,
    holderOf: (paddle, sequence) => byPaddle.get(paddle)?.find(upTo(sequence))?.bidder.bidderId,
  }
}

/**
 * Finds out when each state was possible, and when clients knew of it: an accepted change made an entry, or the
 * register listed the bidders so at some moment between request and response.
 */
function observe(
  { attempts }: History,
  timeline: RegisterTimeline,
  changes: readonly Change[],
  own: readonly ChangeAttempt[],
): readonly Violation[] {
  const { id, states, register } = timeline
  const makersOf = new Map(changes.map((change) => [change.entry.sequence, own.filter(mayHaveMade(change, timeline))]))
  let fromMs = Number.NEGATIVE_INFINITY
  for (const state of states) {
    fromMs = Math.max(fromMs, Math.min(...(makersOf.get(state.sequence) ?? []).map(({ sentAtMs }) => sentAtMs)))
    // An entry without a request is reported elsewhere.
    if (fromMs === Number.POSITIVE_INFINITY) fromMs = Number.NEGATIVE_INFINITY
    state.fromMs = fromMs
  }
  const [first] = states
  for (const { type, response, respondedAtMs } of attempts) {
    const isShown = type === 'create-register' && response.outcome === 'accepted' && response.register.id === id
    if (isShown && first !== undefined) first.knownMs = Math.min(first.knownMs, respondedAtMs)
  }
  const violations = own
    .toSorted((a, b) => a.respondedAtMs - b.respondedAtMs)
    .flatMap((attempt): readonly Violation[] => {
      const { change, response, sentAtMs, respondedAtMs } = attempt
      if (response.outcome !== 'accepted') return []
      const wanted = biddersOf(change, register)
      const isListed = ({ sequence }: RegisterState) =>
        wanted.every((bidder) => show(timeline.listed(bidder.bidderId, sequence)) === show(bidder))
      const least = states.findLast(({ knownMs }) => knownMs < sentAtMs)?.sequence ?? 0
      const shown = states.find(
        (state) => state.sequence >= least && state.fromMs <= respondedAtMs && isListed(state),
      )?.sequence
      const made = [...makersOf].find(([, makers]) => makers.includes(attempt))
      const isOnlyMaker = made?.[1].length === 1
      const isRepeated = made !== undefined && attempt.key !== undefined
      const sequence = isOnlyMaker ? made[0] : Math.min(shown ?? Infinity, isRepeated ? made[0] : Infinity)
      const state = states.find((each) => each.sequence === sequence)
      const message = `register ${id} never listed ${show(wanted)}, which was accepted at ${respondedAtMs}`
      if (state === undefined) return [{ invariant: 1, message }]
      if (made === undefined && attempt.key !== undefined)
        return [{ invariant: 1, message: `register ${id} has no entry of the change with the key ${attempt.key}` }]
      state.knownMs = Math.min(state.knownMs, respondedAtMs)
      if (show(response.bidders) === show(wanted)) return []
      return [{ invariant: 1, message: `register ${id} was to list ${show(wanted)}, not ${show(response.bidders)}` }]
    })
  settleKnown(states)
  return violations
}

/** Whether an attempt may be the one that made an entry. */
export const mayHaveMade =
  ({ key, asksFor }: Change, timeline: RegisterTimeline) =>
  (attempt: ChangeAttempt): boolean =>
    attempt.key === key &&
    attempt.response.outcome !== 'refused' &&
    askedForChange(attempt.change, timeline) === asksFor

/** What a register says of a user: whether they may bid, up to what. */
export type Said = {
  /** Absent: the user may bid. */
  readonly registration?: Bidder['status'] | 'none'
  readonly byClaim?: true | undefined
  readonly limitMinor?: AmountMinor | undefined
  readonly paddle?: string | undefined
}

/** What a register says after an entry, with a claim of the user's token. */
export function saidOf(
  { listed, register }: RegisterTimeline,
  userId: UserId,
  sequence: number,
  claim: Claim | undefined,
): Said {
  const { status = 'none', limitMinor, paddle } = listed(userId, sequence) ?? {}
  switch (status) {
    case 'admitted':
      return { limitMinor, paddle }
    case 'refused':
      return { registration: status }
    default: {
      const isOpen = status === 'none' && register.admits === 'everyone'
      const unclaimed: Said = isOpen ? {} : { registration: status }
      if (register.claims !== true || claim === undefined) return unclaimed
      if (claim === 'invalid') return { registration: status }
      if (claim.limit === undefined) return { byClaim: true }
      const claimedMinor = toMinor(claim.limit, register.currency)
      return claimedMinor === undefined ? { registration: status } : { byClaim: true, limitMinor: claimedMinor }
    }
  }
}
