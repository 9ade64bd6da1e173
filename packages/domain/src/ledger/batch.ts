import type { AuctionId } from '../ids.ts'
import type { Entry } from './entry.ts'

/** How far a batch got into the ledger: `stored` counts its entries, from the first on. */
export type Written =
  | { readonly outcome: 'stored'; readonly stored: number }
  /** A key of the next entry belongs to another one. `head` is the auction's last entry as it was read after that. */
  | { readonly outcome: 'taken'; readonly stored: number; readonly head: Entry | undefined }
  /** Whether the others are stored, or will be, could not be found out. */
  | { readonly outcome: 'unknown'; readonly stored: number; readonly error: unknown }
  /** It was called back: before it was sent, or when nobody waited any more for what it was to store. */
  | { readonly outcome: 'withdrawn'; readonly stored: number }

/**
 * How a batch goes into the ledger: `alone` where no other process is known to serve its auction, `shared` where some do, but leave
 * the turn to this one, and `apart` where it is likely to stop an append, as others may have their turn, or as one has failed.
 */
export type Way = 'alone' | 'shared' | 'apart'

/** One lane's entries on their way into the ledger, in order. */
export type Batch = {
  readonly auctionId: AuctionId
  readonly entries: readonly Entry[]
  way: Way
  readonly resolve: (written: Written) => void
  stored: number
  failures: number
  isSent: boolean
  /** How many of its entries a caller still waits for. */
  awaited: number
  /** Whether it must not be sent any more. */
  isWithdrawn: boolean
  isResolved: boolean
}

export const createBatch = (
  auctionId: AuctionId,
  entries: readonly Entry[],
  way: Way,
  resolve: (written: Written) => void,
): Batch => ({
  auctionId,
  entries,
  way,
  resolve,
  stored: 0,
  failures: 0,
  isSent: false,
  awaited: entries.length,
  isWithdrawn: false,
  isResolved: false,
})

export const remaining = ({ entries, stored }: Batch): readonly Entry[] => entries.slice(stored)

export function resolveBatch(batch: Batch, written: Written): void {
  if (batch.isResolved) return
  batch.isResolved = true
  batch.resolve(written)
}

/** Counts entries as stored, and resolves the batch when they were its last. */
export function recordStored(batch: Batch, count: number): void {
  batch.stored += count
  if (batch.stored === batch.entries.length) resolveBatch(batch, { outcome: 'stored', stored: batch.stored })
}

/** Deals a stored prefix out to the group's batches, and returns those that it does not complete. */
export function dealOut(group: readonly Batch[], storedInAll: number): readonly Batch[] {
  let left = storedInAll
  const incomplete: Batch[] = []
  for (const batch of group) {
    const mine = Math.min(left, batch.entries.length - batch.stored)
    left -= mine
    recordStored(batch, mine)
    if (!batch.isResolved) incomplete.push(batch)
  }
  return incomplete
}

/** Whether two entries are one and the same: under one id, another process can't have stored another one. */
export const isSameEntry = (a: Entry, b: Entry | undefined): boolean =>
  b !== undefined && a.id === b.id && a.auctionId === b.auctionId && a.sequence === b.sequence && a.atMs === b.atMs
