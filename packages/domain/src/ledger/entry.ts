import * as v from 'valibot'
import { StoredAuctionId, StoredEntryId } from '../values/ids.ts'
import { StoredInteger } from '../values/primitives.ts'
import { StoredRequestKey } from '../values/request-key.ts'

/** What the entries of all kinds of ledgers have, whatever they record. */
export const ledgerEntryFields = {
  /** Unique across all ledgers. For a bid it is the bid's id. */
  id: StoredEntryId,
  /** The id of the ledger: that of the auction, or an id of the same blocks for a ledger of another kind. */
  auctionId: StoredAuctionId,
  /** Counts the entries of the ledger from 1, without gaps. */
  sequence: v.pipe(StoredInteger, v.minValue(1)),
  atMs: StoredInteger,
  /** The key of the request, if any. */
  requestKey: v.exactOptional(StoredRequestKey),
}

const LedgerEntryFields = v.object(ledgerEntryFields)

/** The common part of the entries of all kinds of ledgers. */
export type LedgerEntry = Readonly<v.InferOutput<typeof LedgerEntryFields>> & {
  /** The kind of the ledger. Absent for an auction. */
  readonly kind?: string
}
