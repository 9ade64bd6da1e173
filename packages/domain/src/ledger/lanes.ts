import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock.ts'
import { createRecordInFlight } from '../in-flight.ts'
import type { Backlog } from '../observer.ts'
import type { TimeLimit } from '../time-limit.ts'
import type { AuctionId } from '../values/ids.ts'
import type { RequestKey } from '../values/request-key.ts'
import { type Result, refused } from '../values/result.ts'
import { InvalidValueError } from '../values/validation.ts'
import { createHeadPoll } from './head-poll.ts'
import { cachedAt, type Guard, type LedgerTypes } from './kind.ts'
import { type Lane, type LaneContext, type LaneMemory, serveRound } from './lane.ts'
import { type CommandResult, type CommandsInFlight, createPending, type LaneRefusal } from './pending-command.ts'

/** The store is a guarded one, because lanes trust its results. */
export type LaneParts<Kind extends LedgerTypes> = Omit<LaneContext<Kind>, 'pollHead'> & {
  /** The time limit from the arrival of a command to its result. */
  readonly limit: TimeLimit
}

type Recorded<Kind extends LedgerTypes, Type extends Kind['command']['type']> = Promise<
  Result<
    Kind['entry'] & { readonly event: Kind['decisions'][Type]['event'] },
    Kind['decisions'][Type]['refusal'] | Kind['notFound'] | LaneRefusal
  >
>

export type Lanes<Kind extends LedgerTypes> = {
  /**
   * Passes a command to the lane of its ledger. A returned entry is stored.
   * @param arrivedAtMs when its request had arrived, see `arrivalOf`
   * @param guard what is checked in addition to the rules, on the head after which the command is recorded
   * @throws InvalidValueError if the arrival is invalid
   * @throws StoreUnavailableError whose `outcome` states whether the command may be stored
   */
  submit<Given extends Kind['command']>(
    auctionId: AuctionId,
    command: Given,
    key?: RequestKey,
    arrivedAtMs?: number,
    guard?: Guard<Kind, Given>,
  ): Recorded<Kind, Given['type']>
  /** Passes a command with the terms of its ledger. Reads the head only if it is not cached. */
  submitWith<Given extends Kind['command']>(
    terms: Kind['terms'],
    command: Given,
    guard?: Guard<Kind, Given>,
  ): Recorded<Kind, Given['type']>
  /** The terms of a ledger, if they are cached. */
  termsOf(auctionId: AuctionId): Kind['terms'] | undefined
  /** Caches a new ledger, which has no entries, so that its first command does not read the head. */
  remember(terms: Kind['terms']): void
  /** The commands that are waiting. */
  backlog(): Pick<Backlog, 'commands' | 'lanes' | 'longestLane'>
}

type SubmitOptions<Kind extends LedgerTypes> = {
  readonly requestKey?: RequestKey | undefined
  readonly arrivedAtMs?: number | undefined
  readonly guard?: Guard<Kind> | undefined
  readonly terms?: Kind['terms']
}

/**
 * When the request of a command had arrived: by default now, which is also the latest time that counts.
 * @throws InvalidValueError
 */
export function arrivalOf(arrivedAtMs: number | undefined, clock: Pick<Clock, 'nowMs'>): number {
  if (arrivedAtMs === undefined) return clock.nowMs()
  if (Number.isSafeInteger(arrivedAtMs) && arrivedAtMs >= 0) return Math.min(arrivedAtMs, clock.nowMs())
  throw new InvalidValueError('the arrival of a command must be a whole number of milliseconds since 1970')
}

/** The estimated bytes of a ledger of which only the contention is cached. */
const bytesOfContention = 1_000

/**
 * One lane per ledger in service, all of one kind. While entries of a lane are being written, other commands of the
 * ledger wait; then all waiting commands are decided in order.
 */
export function createLanes<Kind extends LedgerTypes>({ limit, ...parts }: LaneParts<Kind>): Lanes<Kind> {
  const { kind, store, clock, limits, observer, handoverMs } = parts
  const context: LaneContext<Kind> = { ...parts, pollHead: createHeadPoll(store, clock, handoverMs) }
  const lanes = createRecordInFlight<Lane<Kind>>()
  const cache = new LRUCache<AuctionId, LaneMemory<Kind>>({
    maxSize: limits.maxCachedBytes,
    sizeCalculation: ({ cached }) => (cached ? kind.bytesOf(cached.terms, cached.state) : bytesOfContention),
  })
  const inFlight: CommandsInFlight = { commands: 0, limit, observer }

  function submit(
    auctionId: AuctionId,
    command: Kind['command'],
    { requestKey, arrivedAtMs, guard, terms }: SubmitOptions<Kind>,
  ): Promise<CommandResult<Kind>> {
    return new Promise((resolve, reject) => {
      const atMs = arrivalOf(arrivedAtMs, clock)
      let lane = lanes[auctionId]
      if (inFlight.commands >= limits.maxWaiting || (lane && lane.waiting.length >= limits.maxWaitingPerAuction)) {
        resolve(refused({ code: 'overloaded' }))
        return
      }
      const parts = { auctionId, command, guard, requestKey, arrivedAtMs: atMs, inFlight, resolve, reject }
      const pending = createPending(parts)
      if (lane !== undefined) {
        lane.waiting.push(pending)
        return
      }
      const { cached, contention } = cache.get(auctionId) ?? { cached: undefined, contention: undefined }
      lane = {
        auctionId,
        waiting: [pending],
        round: [],
        terms,
        cached,
        contention,
        confirmation: 'unconfirmed',
        busySinceMs: clock.nowMs(),
      }
      lanes[auctionId] = lane
      void serve(lane)
    })
  }

  async function serve(lane: Lane<Kind>): Promise<void> {
    while (lane.waiting.length > 0) await serveRound(context, lane)
    // In the same step as the check that no command waits, so that no command is added to a lane that has stopped.
    const { auctionId, cached, contention } = lane
    delete lanes[auctionId]
    if (cached !== undefined || contention !== undefined) cache.set(auctionId, { cached, contention })
    else cache.delete(auctionId)
  }

  return {
    // The casts: `decide` returns an event or a refusal of the type of the command, and a guard receives its own
    // command.
    submit: ((auctionId, command, requestKey, arrivedAtMs, guard) =>
      submit(auctionId, command, { requestKey, arrivedAtMs, guard: guard as Guard<Kind> })) as Lanes<Kind>['submit'],
    submitWith: ((terms, command, guard) =>
      submit(terms.id, command, { terms, guard: guard as Guard<Kind> })) as Lanes<Kind>['submitWith'],
    termsOf: (auctionId) => lanes[auctionId]?.cached?.terms ?? cache.peek(auctionId)?.cached?.terms,
    remember: (terms) => void cache.set(terms.id, { cached: cachedAt(kind, terms, undefined), contention: undefined }),
    backlog() {
      const all = Object.values(lanes)
      const longestLane = all.reduce((longest, { waiting }) => Math.max(longest, waiting.length), 0)
      return { commands: inFlight.commands, lanes: all.length, longestLane }
    },
  }
}
