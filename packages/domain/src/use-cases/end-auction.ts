import type { Auction } from '../auction/auction.ts'
import type { AuctionState } from '../auction/state.ts'
import { endOf } from '../auction/status.ts'
import { type AuctionView, viewOf } from '../auction/view.ts'
import type { Clock } from '../clock.ts'
import type { Lanes } from '../ledger/lanes.ts'
import { StoreUnavailableError } from '../store/errors.ts'
import type { Store } from '../store/store.ts'
import { type TimeLimit, withinTime } from '../time-limit.ts'
import type { AuctionId } from '../values/ids.ts'
import type { UpdateAgenda } from './agenda.ts'
import { describedAuction } from './read-auction.ts'

export type EndAuctionParts = {
  readonly lanes: Pick<Lanes, 'submit'>
  readonly store: Pick<Store, 'findAuction' | 'findEntries'>
  readonly updateAgenda: UpdateAgenda
  readonly clock: Pick<Clock, 'nowMs'>
  /** How long an end waits for the agenda: less than half of the deadline. */
  readonly agendaLimit: TimeLimit
}

/**
 * Reads an auction while it is being ended, so that this takes no longer than the end itself.
 * @returns what removes it from the agenda, if it has just ended, and makes the view of it, as it is after the end
 */
export function readWhileEnding(
  { store, updateAgenda, clock, agendaLimit }: Omit<EndAuctionParts, 'lanes'>,
  id: AuctionId,
): (state: AuctionState, isEnd: boolean) => Promise<AuctionView> {
  const startMs = clock.nowMs()
  const reading = store.findAuction(id)
  // The reader of the view receives the error. If the end is refused, the view has no reader.
  reading.catch(() => undefined)
  return async (state, isEnd) => {
    const auction = await read(reading)
    const end = isEnd && state.phase === 'closed' ? endOf(auction, state) : undefined
    const update = end && (() => updateAgenda({ auctionId: id, ...end }))
    const updated = update && withinTime(agendaLimit, update, lateError).catch(() => undefined)
    // The list of ended auctions has it when the caller knows of the end, unless the response might be late.
    const hasTime = clock.nowMs() - startMs <= agendaLimit.ms
    const described = await read(describedAuction(store, auction, state))
    if (hasTime) await updated
    return viewOf(described, state, state.atMs)
  }
}

const lateError = () => new Error('the agenda was not updated in time')

/** @throws StoreUnavailableError with an unknown outcome if the end is stored but the view cannot be read */
async function read(reading: Promise<Auction | undefined>): Promise<Auction> {
  let cause: unknown
  try {
    const auction = await reading
    if (auction !== undefined) return auction
  } catch (error) {
    cause = error
  }
  throw new StoreUnavailableError('the auction could not be read', { cause, outcome: 'unknown' })
}
