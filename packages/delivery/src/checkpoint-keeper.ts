import type { Clock } from '@auction/domain'
import { createBatcher } from '@auction/domain/batching'
import { StoreUnavailableError } from '@auction/domain/errors'
import { inGroups, type TimeLimit, withinTime } from '@auction/domain/extension'
import type { AuctionId } from '@auction/domain/ids'
import type { Checkpoint, CheckpointKey, Checkpoints } from './checkpoints.ts'

/** How far subscribers have received the events of auctions, saved soon after. A lost checkpoint means repeated events. */
export type CheckpointKeeper = {
  /**
   * The position of a subscriber in the ledger of an auction; -1 without any. It is read unless the last one of this process is not before
   * `least`: others may have delivered events after its own. A `least` of -1 is for a new auction, which has no position.
   */
  read(key: CheckpointKey, least: number): Promise<number>
  /** Saves a position within about a second, or soon while other processes wait for positions. */
  note(checkpoint: Checkpoint): void
  /** Other processes store entries of the same auctions: they wait for the positions of this one, as it does for theirs. */
  noteShared(): void
  /** Makes sure that the checkpoints of all these subscribers exist. */
  ensure(auctionIds: readonly AuctionId[], names: Iterable<string>): Promise<void>
  /** Saves all positions now. It never fails. */
  flush(): Promise<void>
  /** Saves all positions now. A failed save is not repeated. */
  close(): Promise<void>
}

const saveMs = 1_000
const saveSharedMs = 10
/** How long positions are saved soon after the last event of another process. */
const sharedMs = 60_000
const maxUnsaved = 20_000
/** The number of own positions in memory. */
const maxNoted = 20_000
const maxPerSave = 500
const maxPerFind = 100

export const textOf = ({ auctionId, name }: CheckpointKey): string => `${auctionId}/${name}`

export function createCheckpointKeeper(checkpoints: Checkpoints, clock: Clock): CheckpointKeeper {
  const unsaved = new Map<string, Checkpoint>()
  /** The last positions of this process. A saved one after that is another process's. */
  const noted = new Map<string, number>()
  let sharedUntilMs = Number.NEGATIVE_INFINITY
  let cancelSave: (() => void) | undefined
  let cancelSoon: (() => void) | undefined
  let saving = 0
  /** Whether others wait for a position that was noted since the last save began. */
  let isSharedNoted = false
  let isClosed = false
  const reads = createBatcher<AuctionId, readonly Checkpoint[]>({
    async run(auctionIds) {
      const found = Map.groupBy(await checkpoints.find([...new Set(auctionIds)]), ({ auctionId }) => auctionId)
      return auctionIds.map((id) => found.get(id) ?? [])
    },
    maxCalls: 2,
    maxWeight: maxPerFind,
  })

  /** Not during a save, which would then be repeated again and again while the store is slow. */
  function scheduleSave(): void {
    if (unsaved.size === 0 || isClosed || saving > 0) return
    cancelSave ??= clock.after(saveMs, () => void flush())
    if (isSharedNoted) cancelSoon ??= clock.after(saveSharedMs, () => void flush())
  }

  async function flush(): Promise<void> {
    cancelSave?.()
    cancelSave = undefined
    cancelSoon?.()
    cancelSoon = undefined
    const updates = [...unsaved]
    isSharedNoted = false
    saving += 1
    try {
      await saveAll(updates.map(([, checkpoint]) => checkpoint))
      for (const [key, checkpoint] of updates) if (unsaved.get(key) === checkpoint) unsaved.delete(key)
    } catch {
      // They are saved a second later.
    }
    saving -= 1
    scheduleSave()
  }

  async function saveAll(all: readonly Checkpoint[]): Promise<void> {
    for (const some of inGroups(all, maxPerSave)) await checkpoints.save(some)
  }

  function remember(checkpoint: Checkpoint): void {
    const key = textOf(checkpoint)
    noted.delete(key)
    noted.set(key, checkpoint.sequence)
    const [oldest] = noted.keys()
    if (oldest !== undefined && noted.size > maxNoted) noted.delete(oldest)
  }

  function saveLater({ auctionId, name, sequence }: Checkpoint): void {
    const [oldest] = unsaved.keys()
    // If saves fail for long, while reads do not.
    if (oldest !== undefined && unsaved.size >= maxUnsaved) unsaved.delete(oldest)
    unsaved.set(textOf({ auctionId, name }), { auctionId, name, sequence })
    scheduleSave()
  }

  function noteShared(): void {
    isSharedNoted ||= clock.nowMs() >= sharedUntilMs
    sharedUntilMs = clock.nowMs() + sharedMs
    scheduleSave()
  }

  return {
    async read(key, least) {
      const known = noted.get(textOf(key)) ?? -1
      if (known >= least) return known
      const saved = (await reads.add(key.auctionId)).find(({ name }) => name === key.name)?.sequence ?? -1
      // Read again, because it may have been delivered in the meantime.
      const own = noted.get(textOf(key))
      if (own === undefined) return saved
      if (saved > own) noteShared()
      // The store has lost it, or the read was before its save.
      if (saved < own && !unsaved.has(textOf(key))) saveLater({ ...key, sequence: own })
      return Math.max(saved, own)
    },
    note(checkpoint) {
      remember(checkpoint)
      if (clock.nowMs() < sharedUntilMs) isSharedNoted = true
      saveLater(checkpoint)
    },
    noteShared,
    ensure(auctionIds, names) {
      const keys = [...names].flatMap((name) => auctionIds.map((auctionId) => ({ auctionId, name })))
      return saveAll(keys.map((key) => ({ ...key, sequence: unsaved.get(textOf(key))?.sequence ?? -1 })))
    },
    flush,
    close() {
      isClosed = true
      return flush()
    },
  }
}

/** The checkpoints, with a time limit for each call. */
export function guardCheckpoints(checkpoints: Checkpoints, limit: TimeLimit): Checkpoints {
  const lateError = () => new StoreUnavailableError('the store did not respond in time')
  const guarded =
    <Values extends readonly unknown[], Value>(call: (...values: Values) => Promise<Value>) =>
    (...values: Values) =>
      withinTime(limit, () => call(...values), lateError)
  return {
    save: guarded(checkpoints.save.bind(checkpoints)),
    find: guarded(checkpoints.find.bind(checkpoints)),
    list: guarded(checkpoints.list.bind(checkpoints)),
    remove: guarded(checkpoints.remove.bind(checkpoints)),
  }
}
