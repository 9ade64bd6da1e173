import { LRUCache } from 'lru-cache'
import type { Terms } from '../auction/auction.ts'
import type { CloseCommand, Command } from '../auction/commands.ts'
import type { Decisions } from '../auction/decide.ts'
import type { Entry } from '../auction/entry.ts'
import { createRecordInFlight } from '../in-flight.ts'
import type { Backlog } from '../observer.ts'
import type { TimeLimit } from '../time-limit.ts'
import type { AuctionId } from '../values/ids.ts'
import type { RequestKey } from '../values/request-key.ts'
import { type Result, refused } from '../values/result.ts'
import { bytesOf, cachedAt } from './cached-auction.ts'
import { createHeadPoll } from './head-poll.ts'
import { type Lane, type LaneContext, type LaneMemory, serveRound } from './lane.ts'
import {
  type CommandResult,
  type CommandsInFlight,
  type CommonRefusal,
  createPending,
  type Prepare,
} from './pending-command.ts'

/** The store is a guarded one, because lanes trust its results. */
export type LaneParts = Omit<LaneContext, 'pollHead' | 'metOthersAtMs'> & {
  /** The time limit from the arrival of a command to its result. */
  readonly limit: TimeLimit
}

type Recorded<Type extends Command['type']> = Promise<
  Result<Entry<Decisions[Type]['event']>, Decisions[Type]['refusal'] | CommonRefusal>
>

export type Lanes = {
  /**
   * Passes a command to the lane of its auction. A returned entry is stored.
   * @param arrivedAtMs when its request had arrived. By default the time of the call.
   * @param prepare replaces the command before it is decided, for the head on which it is
   * @throws StoreUnavailableError whose `outcome` states whether the command may be stored
   */
  submit<Given extends Exclude<Command, CloseCommand>>(
    auctionId: AuctionId,
    command: Given,
    key?: RequestKey,
    arrivedAtMs?: number,
    prepare?: (sequence: number) => Promise<Given>,
  ): Recorded<Given['type']>
  /** Closes an auction. Reads its head only if it is not cached. */
  close(terms: Terms, command: CloseCommand): Recorded<'close'>
  /** Caches a new auction, which has no entries, so that its first command does not read the head. */
  remember(terms: Terms): void
  /** The commands that are waiting. */
  backlog(): Pick<Backlog, 'commands' | 'lanes' | 'longestLane'>
}

type SubmitOptions = {
  readonly requestKey?: RequestKey | undefined
  readonly arrivedAtMs?: number | undefined
  readonly prepare?: Prepare | undefined
  /** Of a closing. */
  readonly terms?: Terms
}

/**
 * One lane per auction in service. While entries of a lane are being written, other commands of the auction wait; then all waiting
 * commands are decided in order.
 */
export function createLanes({ limit, ...parts }: LaneParts): Lanes {
  const { store, clock, limits, observer } = parts
  const context: LaneContext = {
    ...parts,
    pollHead: createHeadPoll(store, clock),
    metOthersAtMs: Number.NEGATIVE_INFINITY,
  }
  const lanes = createRecordInFlight<Lane>()
  const cache = new LRUCache<AuctionId, LaneMemory>({
    maxSize: limits.maxCachedBytes,
    sizeCalculation: ({ cached }) => bytesOf(cached),
  })
  const inFlight: CommandsInFlight = { commands: 0, limit, observer }

  function submit(
    auctionId: AuctionId,
    command: Command,
    { requestKey, arrivedAtMs, prepare, terms }: SubmitOptions,
  ): Promise<CommandResult> {
    return new Promise((resolve, reject) => {
      let lane = lanes[auctionId]
      if (inFlight.commands >= limits.maxWaiting || (lane && lane.waiting.length >= limits.maxWaitingPerAuction)) {
        resolve(refused({ code: 'overloaded' }))
        return
      }
      const nowMs = clock.nowMs()
      const atMs = arrivedAtMs ?? nowMs
      const parts = { auctionId, command, prepare, requestKey, arrivedAtMs: atMs, inFlight, resolve, reject }
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
        busySinceMs: nowMs,
        pauses: 0,
      }
      lanes[auctionId] = lane
      void serve(lane)
    })
  }

  async function serve(lane: Lane): Promise<void> {
    while (lane.waiting.length > 0) await serveRound(context, lane)
    // In the same step as the check that no command waits, so that no command is added to a lane that has stopped.
    const { auctionId, cached, contention } = lane
    delete lanes[auctionId]
    if (cached !== undefined || contention !== undefined) cache.set(auctionId, { cached, contention })
    else cache.delete(auctionId)
  }

  return {
    // The casts: `decide` returns an event or a refusal of the kind of the command.
    submit: ((auctionId, command, requestKey, arrivedAtMs, prepare) =>
      submit(auctionId, command, { requestKey, arrivedAtMs, prepare })) as Lanes['submit'],
    close: (terms, command) => submit(terms.id, command, { terms }) as Recorded<'close'>,
    remember: (terms) => void cache.set(terms.id, { cached: cachedAt(terms, undefined), contention: undefined }),
    backlog() {
      const all = Object.values(lanes)
      const longestLane = all.reduce((longest, { waiting }) => Math.max(longest, waiting.length), 0)
      return { commands: inFlight.commands, lanes: all.length, longestLane }
    },
  }
}
