import { type Auction, termsOf } from '../auction/auction.ts'
import type { AuctionLanes } from '../auction/auction-ledger.ts'
import type { AuctionEntry } from '../auction/entry.ts'
import { changeCountOf } from '../auction/life.ts'
import { type AuctionState, termsIn } from '../auction/state.ts'
import { effectiveEndMs, endOf, shownAtMs } from '../auction/status.ts'
import { type AuctionView, viewOf } from '../auction/view.ts'
import type { Clock } from '../clock.ts'
import { StoreUnavailableError } from '../store/errors.ts'
import type { AgendaUpdate, Store } from '../store/store.ts'
import type { TimeLimit } from '../time-limit.ts'
import type { AuctionId } from '../values/ids.ts'
import { type UpdateAgenda, updateInTime } from './agenda.ts'
import { describedAuction } from './read-auction.ts'

export type CommandParts = {
  readonly lanes: Pick<AuctionLanes, 'submit'>
  readonly store: Pick<Store, 'findAuction' | 'findEntries'>
  readonly updateAgenda: UpdateAgenda
  readonly clock: Pick<Clock, 'nowMs'>
  /** How long a command waits for the agenda: less than half of the deadline. */
  readonly agendaLimit: TimeLimit
}

/** The change of the agenda that a recorded command makes, if any. */
type UpdateOf = (auction: Auction, state: AuctionState) => AgendaUpdate | undefined

/** An auction that has just ended leaves the agenda. */
export const leaving: UpdateOf = (auction, state) =>
  state.phase === 'closed' ? { auctionId: auction.id, ...endOf(auction, state) } : undefined

/** An auction whose end was moved is due there, or at its start. */
export const moving =
  (nowMs: number): UpdateOf =>
  (auction, state) => {
    const { startTime, endTime } = termsIn(termsOf(auction), state)
    const isPending = nowMs < startTime.epochMs
    const dueMs = isPending ? startTime.epochMs : effectiveEndMs({ endTime }, state)
    return { auctionId: auction.id, dueMs, isPending, changeCount: changeCountOf(state) }
  }

/**
 * Reads an auction while a command is being recorded, so that this takes no longer than the recording itself.
 * @returns what updates the agenda, if necessary, and makes the view of the auction, as it is after the command
 */
export function readWhileRecording(
  { store, updateAgenda, clock, agendaLimit }: Omit<CommandParts, 'lanes'>,
  id: AuctionId,
): (state: AuctionState, updateOf?: UpdateOf) => Promise<AuctionView> {
  const startMs = clock.nowMs()
  const reading = store.findAuction(id)
  // The reader of the view receives the error. If the command is refused, the view has no reader.
  reading.catch(() => undefined)
  return async (state, updateOf) => {
    const auction = await read(reading, () => store.findAuction(id))
    const update = updateOf?.(auction, state)
    const updated = update && updateInTime(agendaLimit, updateAgenda, update)
    // Lists have it when the caller knows of the change, unless the response might be late.
    const hasTime = clock.nowMs() - startMs <= agendaLimit.ms
    const described = await read(describedAuction(store, auction, state))
    if (hasTime) await updated
    return viewOf(described, state, shownAtMs(termsOf(described), state))
  }
}

/**
 * @param readAgain reads an auction that was just being created when it was read first
 * @throws StoreUnavailableError with an unknown outcome if the entry is stored but the view cannot be read
 */
async function read(
  reading: Promise<Auction | undefined>,
  readAgain?: () => Promise<Auction | undefined>,
): Promise<Auction> {
  let cause: unknown
  try {
    const auction = (await reading) ?? (await readAgain?.())
    if (auction !== undefined) return auction
  } catch (error) {
    cause = error
  }
  throw new StoreUnavailableError('the auction could not be read', { cause, outcome: 'unknown' })
}

/**
 * The view of an auction, read before, after an entry.
 * @throws StoreUnavailableError with an unknown outcome if it cannot be read, because the entry is stored
 */
export async function viewAfter(
  store: Pick<Store, 'findEntries'>,
  auction: Auction | undefined,
  entry: AuctionEntry,
): Promise<AuctionView> {
  const { state } = entry
  const described = auction && describedAuction(store, auction, state, entry)
  const shown = await read(Promise.resolve(described))
  return viewOf(shown, state, shownAtMs(termsOf(shown), state))
}
