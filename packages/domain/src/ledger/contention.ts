import type { Clock } from '../clock.ts'
import type { StoreOperation } from '../observer.ts'
import type { EntryId } from '../values/ids.ts'

/** A process that stores entries of a ledger: this one, or another by the block of ids that its last entry is from. */
type Writer = number | 'own'

/**
 * The knowledge of a lane about other processes that serve its ledger; undefined if it knows of none. They do not talk
 * to each other, and the winner of a conflict would win again, because the losers must first read the head. So those
 * that bid at the same time take turns: each stores one batch, in the order of their last batches. The others learn of
 * it by the head, which they read again and again while they wait. A process that leaves its turn unused for a while
 * leaves the order until it stores again.
 */
export type Contention = {
  /**
   * The processes in the order of their turns. This one is in it once it has stored, because others know of it from
   * then on.
   */
  readonly turns: readonly Writer[]
  /** When the head was last seen to move. */
  readonly movedAtMs: number
  /** The number of batches of this process since the last entry of another one. */
  readonly batchesAlone: number
}

/** The number of batches without an entry of others after which a lane is alone again. */
const batchesToCalm = 5
/**
 * The time that a process has for its turn: enough for one three times as far from the store, which has just read the
 * head.
 */
const handoversPerTurn = 6
/** The time after which a busy lane lets in processes that it does not know, and how long it waits for them. */
const leastMsToPause = 1_000
const handoversToPause = 50
const handoversPerPause = 4
/** The number of processes that a lane remembers. */
const maxWriters = 64

/**
 * The writer of an entry is known by its id, because each process has its blocks. The next block of a process looks
 * like another one.
 */
export const writerOf = (id: EntryId, idsPerBlock: number): Writer => Math.floor((id - 1) / idsPerBlock)

/** Whether an append may conflict: others have stored a moment ago, and may do so again. */
export const isConflictLikely = (contention: Contention | undefined): boolean =>
  contention?.turns.some((writer) => writer !== 'own') === true

/**
 * How long a lane leaves the ledger to the processes whose turns come first. A handover is the time of a read of a head
 * and an append.
 */
export function msToTurn(contention: Contention | undefined, nowMs: number, handoverMs: number): number {
  if (contention === undefined) return 0
  const { turns, movedAtMs } = contention
  // A clock that was set back must not extend it.
  const passedMs = Math.max(0, nowMs - movedAtMs)
  return Math.max(0, turns.indexOf('own') * handoversPerTurn * handoverMs - passedMs)
}

/** Whether the others wait until this process has stored, so that the head is likely to be the last entry. */
export const isReserved = ({ turns, movedAtMs }: Contention, nowMs: number, handoverMs: number): boolean =>
  turns[0] === 'own' && turns.length > 1 && nowMs - movedAtMs < handoversPerTurn * handoverMs

/**
 * How long a lane pauses that was busy for a while: it can starve a slower process, without a conflict. 0 if it need
 * not.
 */
export function msToPause(contention: Contention | undefined, busyMs: number, handoverMs: number): number {
  const isNewcomer = contention?.turns.includes('own') === false
  if (isNewcomer || busyMs < Math.max(leastMsToPause, handoversToPause * handoverMs)) return 0
  return handoversPerPause * handoverMs
}

/**
 * Another process has stored, so the turns of those before it have passed. It joins the order if it bids at the same
 * time as this process: it was first although this one had just read the head, or stored while this one waited.
 */
export function afterMove(
  contention: Contention | undefined,
  writer: Writer,
  isConcurrent: boolean,
  nowMs: number,
  handoverMs: number,
): Contention {
  const turns = contention === undefined || isOver(contention, nowMs, handoverMs) ? [] : contention.turns
  const at = turns.indexOf(writer)
  const left = at < 0 ? turns : turns.filter((each, index) => index > at || each === 'own')
  const isPlaced = at >= 0 || isConcurrent
  return { turns: isPlaced ? [...left, writer].slice(-maxWriters) : left, movedAtMs: nowMs, batchesAlone: 0 }
}

/** Those before this process have left their turns unused, and leave the order. */
export const afterTurns = (contention: Contention): Contention => ({
  ...contention,
  turns: contention.turns.slice(Math.max(0, contention.turns.indexOf('own'))),
})

/** A batch of this process was stored. Returns undefined if it is alone again. */
export function afterStored(contention: Contention, nowMs: number, handoverMs: number): Contention | undefined {
  const { turns } = contention
  const batchesAlone = contention.batchesAlone + 1
  if (batchesAlone === batchesToCalm) return undefined
  const others = isOver(contention, nowMs, handoverMs) ? [] : turns.slice(turns.indexOf('own') + 1)
  return { turns: [...others, 'own'], movedAtMs: nowMs, batchesAlone }
}

/** No process has stored, so each has left its turn unused. */
const isOver = ({ turns, movedAtMs }: Contention, nowMs: number, handoverMs: number): boolean =>
  nowMs - movedAtMs > (turns.length + 1) * handoversPerTurn * handoverMs

export type PaceKeeper = {
  /** Starts to time a store call, if its time counts. Call the returned function at its end. */
  start(operation: StoreOperation): (() => void) | undefined
  /** The time of a read of a head and an append in this process. Others use the same store, and need about as long. */
  handoverMs(): number
}

/** The maximum part of a command's deadline that a handover may take, because others precede it. */
const handoversPerDeadline = 80

export function createPaceKeeper(clock: Pick<Clock, 'nowMs'>, deadlineMs: number): PaceKeeper {
  const longestMs = deadlineMs / handoversPerDeadline
  const reads = createTimer(clock, longestMs)
  const appends = createTimer(clock, longestMs)
  return {
    start(operation) {
      if (operation === 'append') return appends.start()
      return operation === 'findHeads' ? reads.start() : undefined
    },
    handoverMs: () => Math.min(Math.ceil(reads.averageMs() + appends.averageMs()), longestMs),
  }
}

// Small, so that a few slow calls do not make turns much longer than those of other processes.
const weightOfNew = 0.02

function createTimer(clock: Pick<Clock, 'nowMs'>, longestMs: number) {
  let averageMs = 1
  return {
    averageMs: () => averageMs,
    start() {
      const startMs = clock.nowMs()
      return () => {
        const tookMs = clock.nowMs() - startMs
        // Ignores a call during which the clock was set.
        if (tookMs >= 0 && tookMs <= longestMs) averageMs += (tookMs - averageMs) * weightOfNew
      }
    },
  }
}
