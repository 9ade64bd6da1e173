import type { AuctionEntry } from '../auction/entry.ts'
import type { Tally } from '../auction/formats/format.ts'
import { openedEntry } from '../auction/sealed-entry.ts'
import { type Clock, pause } from '../clock.ts'
import type { SafeObserver } from '../observer.ts'
import { isUnopened, type Sealer } from '../sealer.ts'
import { StoreUnavailableError } from '../store/errors.ts'
import type { CallSignal, Store } from '../store/store.ts'
import type { AuctionId } from '../values/ids.ts'

export type TallyParts = {
  readonly store: Pick<Store, 'listEntries'>
  readonly clock: Pick<Clock, 'after'>
  readonly sealer: Sealer
  readonly observer?: SafeObserver | undefined
}

/** The maximum number of entries in memory, which are opened without a pause. */
const entriesPerPage = 500

/**
 * Adds the next entries of a ledger to a tally, through a sequence. Between pages, other work has its turn.
 * @throws SealedError and KeyMissingError, if a bid cannot be opened
 */
export async function tallyTo(
  parts: TallyParts,
  auctionId: AuctionId,
  tally: Pick<Tally<AuctionEntry>, 'sequence' | 'add'>,
  through: number,
  signal?: CallSignal,
): Promise<void> {
  const { store, clock } = parts
  while (tally.sequence < through) {
    if (signal?.aborted) throw new StoreUnavailableError('the caller no longer waits for the bids')
    const last = Math.min(tally.sequence + entriesPerPage, through)
    const limit = last - tally.sequence
    const entries = await store.listEntries(auctionId, { before: last + 1, limit })
    if (entries.length !== limit)
      throw new StoreUnavailableError(`the store did not list all entries of auction ${auctionId} until ${last}`)
    for (const entry of entries.toReversed()) tally.add(opened(parts, entry))
    if (last < through) await pause(clock, 0)
  }
}

function opened({ sealer, observer }: TallyParts, entry: AuctionEntry): AuctionEntry {
  try {
    return openedEntry(entry, sealer)
  } catch (error) {
    if (isUnopened(error)) observer?.onBidsUnopened({ auctionId: entry.auctionId, error })
    throw error
  }
}
