import type { AuctionId } from '../values/ids.ts'
import type { EndStage, StagePlace } from './stages.ts'

/**
 * A change of the agenda: the auction is due at `dueMs`, or ended at `endedMs` and leaves the agenda. All
 * updates that end an auction have the same `endedMs` and `outcome`.
 */
export type AgendaUpdate = { readonly auctionId: AuctionId } & (
  | {
      readonly dueMs: number
      /** Whether it starts then, and so is pending until then. Otherwise it is open. */
      readonly isPending?: boolean
      /** How often the auction was corrected until it was due then. Default: 0. */
      readonly corrections?: number
    }
  | { readonly endedMs: number; readonly outcome: EndStage }
)

/** The stage to which an update brings an auction. */
export function stageAfter(update: AgendaUpdate): StagePlace {
  if ('endedMs' in update) return { stage: update.outcome, timeMs: update.endedMs }
  return { stage: update.isPending === true ? 'pending' : 'open', timeMs: update.dueMs }
}

/** The number of corrections of an update of the agenda. An end replaces all positions. */
export const correctionsOf = (update: AgendaUpdate): number =>
  'endedMs' in update ? Number.MAX_SAFE_INTEGER : (update.corrections ?? 0)
