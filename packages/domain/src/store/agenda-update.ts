import type { AuctionId } from '../values/ids.ts'
import type { EndStage, StageTime } from './stages.ts'

/**
 * A change of the agenda: the auction is due at `dueMs`, or ended at `endedMs` and leaves the agenda. All
 * updates that end an auction have the same `endedMs` and `outcome`. Or a check of the auction comes forward.
 */
export type AgendaUpdate = StageUpdate | AgendaCheck

/**
 * The auction may be due at `checkMs`: if its time is later, it moves there, in its stage and with its number of
 * changes. A correction or an early end makes this update before it is recorded, so that a crash between the two
 * delays no end.
 */
export type AgendaCheck = { readonly auctionId: AuctionId; readonly checkMs: number }

export type StageUpdate = { readonly auctionId: AuctionId } & (
  | {
      readonly dueMs: number
      /** Whether it starts then, and so is pending until then. Otherwise it is open. */
      readonly isPending?: boolean
      /** How often the auction was corrected or repaired until it was due then. Default: 0. */
      readonly changeCount?: number
    }
  | { readonly endedMs: number; readonly outcome: EndStage }
)

/** The two kinds of updates. Those of one call are made in any order, but checks last. */
export function byKind(updates: readonly AgendaUpdate[]): {
  readonly stageUpdates: readonly StageUpdate[]
  readonly checks: readonly AgendaCheck[]
} {
  return { stageUpdates: updates.filter(isStageUpdate), checks: updates.filter(isCheck) }
}

const isCheck = (update: AgendaUpdate): update is AgendaCheck => 'checkMs' in update
const isStageUpdate = (update: AgendaUpdate): update is StageUpdate => !isCheck(update)

/** The stage to which an update brings an auction. */
export function stageAfter(update: StageUpdate): StageTime {
  if ('endedMs' in update) return { stage: update.outcome, timeMs: update.endedMs }
  return { stage: update.isPending === true ? 'pending' : 'open', timeMs: update.dueMs }
}

/** The number of corrections and repairs before an update of the agenda. An end replaces all positions. */
export const changeCountAfter = (update: StageUpdate): number =>
  'endedMs' in update ? Number.MAX_SAFE_INTEGER : (update.changeCount ?? 0)
