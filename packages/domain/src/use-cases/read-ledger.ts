import type { LedgerEntry } from '../ledger/entry.ts'
import type { Store } from '../store/store.ts'
import type { AuctionId } from '../values/ids.ts'

/** The maximum number of entries in memory. */
const entriesPerPage = 200

/**
 * The entries of a ledger after a sequence, up to another one, oldest first. They are read a page at a time, so that any
 * ledger can be read. An entry that the store lacks is left out.
 */
export async function* readLedger<Entry extends LedgerEntry>(
  store: Pick<Store<Entry>, 'listEntries'>,
  auctionId: AuctionId,
  through: number,
  after = 0,
): AsyncGenerator<Entry, void, void> {
  for (let read = after; read < through; ) {
    const last = Math.min(read + entriesPerPage, through)
    const page = await store.listEntries(auctionId, { before: last + 1, limit: last - read })
    for (const entry of page.toReversed()) if (entry.sequence > read) yield entry
    read = last
  }
}
