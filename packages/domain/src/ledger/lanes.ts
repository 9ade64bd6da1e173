import { LRUCache } from 'lru-cache'
import type { Terms } from '../auction/auction.ts'
import type { BuyNow, Cancel, Close, Command, PlaceBid } from '../auction/commands.ts'
import { decide } from '../auction/decide.ts'
import type { Bought, Cancelled, Closed } from '../auction/events.ts'
import type { BuyNowRefusal, CancelRefusal, CloseRefusal, PlaceBidRefusal } from '../auction/refusals.ts'
import { initialState } from '../auction/state.ts'
import type { Clock } from '../clock.ts'
import type { AuctionId } from '../ids.ts'
import type { EntryIdSource } from '../ids-from-blocks.ts'
import type { Limits } from '../limits.ts'
import type { Backlog, SafeObserver } from '../observer.ts'
import type { KeyReused, RequestKey } from '../request-key.ts'
import { type Result, refused } from '../result.ts'
import type { Store } from '../store.ts'
import { createDeadlines } from './deadlines.ts'
import type { BidEntry, Entry } from './entry.ts'
import { createGroupWriter } from './group-writer.ts'
import { createHeadReader } from './head-reader.ts'
import { bytesOf, type Lane, type LaneContext, type LaneMemory, serveRound } from './lane.ts'
import { createPaceKeeper } from './pace.ts'
import type { AuctionNotFound, CommandResult, Load, Overloaded, PendingCommand } from './pending-command.ts'

export type LaneParts = {
  /** A checked one: lanes believe what it reports. */
  readonly store: Store
  readonly clock: Clock
  readonly ids: EntryIdSource
  readonly limits: Limits
  readonly observer?: SafeObserver | undefined
  /** The rules, unless a test puts others in their place. */
  readonly decide?: typeof decide
  readonly createWriter?: typeof createGroupWriter
}

type Never = AuctionNotFound | KeyReused | Overloaded

export type Lanes = {
  /**
   * Takes a command to its auction's lane. What is returned is stored.
   * @throws StoreUnavailableError whose `outcome` tells whether the command may be stored
   */
  submit(auctionId: AuctionId, command: PlaceBid, key?: RequestKey): Promise<Result<BidEntry, PlaceBidRefusal | Never>>
  submit(auctionId: AuctionId, command: BuyNow, key?: RequestKey): Promise<Result<Entry<Bought>, BuyNowRefusal | Never>>
  submit(
    auctionId: AuctionId,
    command: Cancel,
    key?: RequestKey,
  ): Promise<Result<Entry<Cancelled>, CancelRefusal | Never>>
  /** Closes an auction whose terms are at hand. It is taken for one without entries until the ledger says otherwise. */
  close(terms: Terms, command: Close): Promise<Result<Entry<Closed>, CloseRefusal | Never>>
  /** What waits now. */
  backlog(): Pick<Backlog, 'commands' | 'lanes' | 'longestLane'>
}

/**
 * A lane for each auction that is being served. While a lane's entries are on their way into the ledger, other commands queue
 * behind them; then all that queued is decided in order. What all lanes of a partition propose goes through one group writer.
 */
export function createLanes({
  store: untimed,
  clock,
  ids,
  limits,
  observer,
  decide: rules = decide,
  createWriter = createGroupWriter,
}: LaneParts): Lanes {
  const { store, pace } = createPaceKeeper(untimed, clock, limits.deadlineMs)
  const lanes = new Map<AuctionId, Lane>()
  const cache = new LRUCache<AuctionId, LaneMemory>({ maxSize: limits.maxCachedBytes, sizeCalculation: bytesOf })
  const partitions = Array.from({ length: store.partitions }, () => {
    return { writer: createWriter(store, limits, observer), headReader: createHeadReader(store) }
  })
  const partitionOf = (auctionId: AuctionId) => {
    const partition = partitions[store.partitionOf(auctionId)]
    if (partition === undefined) throw new RangeError(`the store has no partition ${store.partitionOf(auctionId)}`)
    return partition
  }
  const context: LaneContext = { store, clock, ids, limits, decide: rules, partitionOf, pace, observer }
  const deadlines = createDeadlines(clock, limits.deadlineMs, () => allPending(lanes), observer)
  const load: Load = { commands: 0 }

  function submit(
    auctionId: AuctionId,
    command: Command,
    requestKey?: RequestKey,
    terms?: Terms,
  ): Promise<CommandResult> {
    return new Promise((resolve, reject) => {
      let lane = lanes.get(auctionId)
      if (load.commands >= limits.maxWaiting || (lane && lane.waiting.length >= limits.maxWaitingPerAuction)) {
        resolve(refused({ code: 'overloaded' }))
        return
      }
      load.commands += 1
      const pending: PendingCommand = {
        auctionId,
        command,
        requestKey,
        arrivedInTick: deadlines.startOne(),
        load,
        resolve,
        reject,
        conflicts: 0,
        batch: undefined,
        isTwin: false,
        isSettled: false,
      }
      if (lane !== undefined) {
        lane.waiting.push(pending)
        return
      }
      lane = { auctionId, waiting: [pending], round: [], ...remembered(auctionId, terms) }
      lanes.set(auctionId, lane)
      void serve(lane)
    })
  }

  const remembered = (auctionId: AuctionId, terms: Terms | undefined): LaneMemory =>
    cache.get(auctionId) ?? { cached: terms && { terms, sequence: 0, state: initialState }, contention: undefined }

  async function serve(lane: Lane): Promise<void> {
    while (lane.waiting.length > 0) await serveRound(context, lane)
    // In one step with finding that nothing waits, so that nobody queues where nobody serves.
    const { auctionId, cached, contention } = lane
    lanes.delete(auctionId)
    // A map that makes a new table leaves the old one behind, with lanes in it: what they hold would live until the next full
    // garbage collection.
    lane.round = []
    lane.cached = undefined
    lane.contention = undefined
    if (cached !== undefined || contention !== undefined) cache.set(auctionId, { cached, contention })
    else cache.delete(auctionId)
  }

  return {
    // The casts: `decide` makes an event of the command's own kind, or one of its own refusals.
    submit: ((auctionId, command, key) => submit(auctionId, command, key)) as Lanes['submit'],
    close: (terms, command) => submit(terms.id, command, undefined, terms) as ReturnType<Lanes['close']>,
    backlog() {
      let longestLane = 0
      for (const { waiting } of lanes.values()) longestLane = Math.max(longestLane, waiting.length)
      return { commands: load.commands, lanes: lanes.size, longestLane }
    },
  }
}

function* allPending(lanes: ReadonlyMap<AuctionId, Lane>): Iterable<PendingCommand> {
  for (const { round, waiting } of lanes.values()) {
    yield* round
    yield* waiting
  }
}
