import { createSharedRuns } from '../shared-runs.ts'
import { createBatcher } from '../store/batching.ts'
import { StoreUnavailableError } from '../store/errors.ts'
import type { Store } from '../store/store.ts'
import type { AuctionId } from '../values/ids.ts'
import type { LedgerEntry } from './entry.ts'

/** What is folded from the entries of one ledger. It changes as entries are added, because copies would take long. */
export type Fold<Entry> = {
  /** The sequence of the last entry that was added; 0 without one. */
  readonly sequence: number
  /** The number of items in memory. */
  readonly size: number
  /** Adds the next entry. @throws Error if it does not follow */
  add(entry: Entry): void
}

/** The folds of ledgers of one kind that a process keeps. */
export type FoldedLedgers<Id, Entry, Folded> = {
  /**
   * The fold as of a read of the store that begins after this call; undefined if the ledger does not exist. Calls of
   * the time share one read, and resolve in their order.
   */
  current(id: Id): Promise<Folded | undefined>
  /** The fold through exactly this entry, if it is known. */
  knownAt(id: Id, sequence: number): Folded | undefined
  /** Reads what is missing of the fold through this entry. */
  readTo(id: Id, sequence: number): Promise<void>
  /** Adds entries that this process has stored, if they follow. */
  note(entries: readonly Entry[]): void
}

type Slot<Folded> = { readonly id: AuctionId; readonly fold: Folded }

type Parts<Entry extends LedgerEntry, Folded> = {
  readonly store: Pick<Store<Entry>, 'findHeads' | 'listEntries'>
  readonly kind: string
  readonly createFold: () => Folded
  /** The items in memory, of some 200 bytes each. */
  readonly maxSize: number
}

/** An entry has up to 100 items, so that a page takes up to 3 MB. */
const entriesPerPage = 250
/** The number of pages in memory, of all ledgers. */
const maxPages = 2
/** What a fold without items counts. */
const emptySize = 20

/** Keeps folds of ledgers up to a size in memory, the last used ones. */
export function createFoldedLedgers<Id extends number, Entry extends LedgerEntry, Folded extends Fold<Entry>>({
  store,
  kind,
  createFold,
  maxSize,
}: Parts<Entry, Folded>): FoldedLedgers<Id, Entry, Folded> {
  /** The least recently used one is first. */
  const slots = new Map<number, Slot<Folded>>()
  const pages = createBatcher<readonly [slot: Slot<Folded>, through: number], void>({
    maxCalls: maxPages,
    maxWeight: 1,
    run: (items) => Promise.all(items.map(([slot, through]) => readPage(slot, through))),
  })

  function slotOf(id: number): Slot<Folded> {
    const slot: Slot<Folded> = slots.get(id) ?? { id: id as AuctionId, fold: createFold() } // That of the ledger.
    slots.delete(id)
    slots.set(id, slot)
    return slot
  }

  function dropOld(): void {
    let total = 0
    for (const { fold } of slots.values()) total += emptySize + fold.size
    for (const [id, { fold }] of slots) {
      if (total <= maxSize || slots.size === 1) return
      slots.delete(id)
      total -= emptySize + fold.size
    }
  }

  async function readPage({ id, fold }: Slot<Folded>, through: number): Promise<void> {
    const after = fold.sequence
    const last = Math.min(after + entriesPerPage, through)
    const limit = last - after
    if (limit <= 0) return
    const entries = await store.listEntries(id, { before: last + 1, limit })
    // What this process has stored may have been added in the meantime.
    const missing = entries.filter(({ sequence }) => sequence > fold.sequence).toReversed()
    if (missing.length < last - fold.sequence)
      throw new StoreUnavailableError(`the store did not list all entries of ${kind} ${id} until ${last}`)
    for (const entry of missing) fold.add(entry)
  }

  async function readAll(slot: Slot<Folded>, through: number): Promise<void> {
    while (slot.fold.sequence < through) await pages.add([slot, through])
  }

  const refresh = createSharedRuns(async (id: Id): Promise<Folded | undefined> => {
    const slot = slotOf(id)
    try {
      const [head] = await store.findHeads([slot.id])
      // The id of an auction has entries of another kind.
      if (head?.kind === kind) await readAll(slot, head.sequence)
    } finally {
      // Slots of failed reads count, too.
      dropOld()
    }
    if (slot.fold.sequence > 0) return slot.fold
    slots.delete(slot.id)
    return undefined
  })

  return {
    current: refresh,
    knownAt(id, sequence) {
      const fold = slots.get(id)?.fold
      return fold?.sequence === sequence ? fold : undefined
    },
    async readTo(id, sequence) {
      await readAll(slotOf(id), sequence)
      dropOld()
    },
    note(entries) {
      for (const entry of entries) {
        const fold = slots.get(entry.auctionId)?.fold
        if (fold?.sequence === entry.sequence - 1) fold.add(entry)
      }
    },
  }
}
