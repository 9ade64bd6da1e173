import { createBatcher } from '../store/batching.ts'
import { StoreUnavailableError } from '../store/errors.ts'
import type { Store } from '../store/store.ts'
import { ledgerIdOf, type RegisterId } from '../values/ids.ts'
import { type BidderList, createBidderList } from './bidder-list.ts'
import type { RegisterEntry } from './events.ts'

type RegisterStore = Pick<Store<RegisterEntry>, 'findHeads' | 'listEntries'>

/** The lists of the bidders of registers that a process keeps, folded from their ledgers. */
export type BidderLists = {
  /**
   * The list as of a read of the store that begins after this call; undefined if the register does not exist. Calls of the
   * time share one read, and resolve in their order.
   */
  current(registerId: RegisterId): Promise<BidderList | undefined>
  /** The list through exactly this entry, if it is known. */
  knownAt(registerId: RegisterId, sequence: number): BidderList | undefined
  /** Reads what is missing of the list through this entry. */
  readTo(registerId: RegisterId, sequence: number): Promise<void>
  /** Adds entries that this process has stored, if they follow. */
  note(entries: readonly RegisterEntry[]): void
}

type Slot = { readonly id: RegisterId; readonly list: BidderList; reading: Promise<unknown>; next: Next | undefined }
type Next = Promise<BidderList | undefined>

/** An entry has up to 100 bidders. */
const entriesPerPage = 250
/** The number of pages in memory, of all registers, of up to 3 MB each. */
const maxPages = 2
/** The bidders and paddles in memory, of some 200 bytes each. */
const maxSize = 200_000
/** What a list without bidders counts. */
const emptySize = 20

export function createBidderLists(store: RegisterStore): BidderLists {
  /** The least recently used one is first. */
  const slots = new Map<RegisterId, Slot>()
  const pages = createBatcher<readonly [slot: Slot, through: number], void>({
    maxCalls: maxPages,
    maxWeight: 1,
    run: (items) => Promise.all(items.map(([slot, through]) => readPage(slot, through))),
  })

  function slotOf(id: RegisterId): Slot {
    const slot = slots.get(id) ?? { id, list: createBidderList(), reading: Promise.resolve(), next: undefined }
    slots.delete(id)
    slots.set(id, slot)
    return slot
  }

  function dropOld(): void {
    let total = 0
    for (const slot of slots.values()) total += sizeOf(slot)
    for (const [id, slot] of slots) {
      if (total <= maxSize || slots.size === 1) return
      slots.delete(id)
      total -= sizeOf(slot)
    }
  }

  async function readPage({ id, list }: Slot, through: number): Promise<void> {
    const after = list.sequence
    const last = Math.min(after + entriesPerPage, through)
    const limit = last - after
    if (limit <= 0) return
    const entries = await store.listEntries(ledgerIdOf(id), { before: last + 1, limit })
    // What this process has stored may have been added in the meantime.
    const missing = entries.filter(({ sequence }) => sequence > list.sequence).toReversed()
    if (missing.length < last - list.sequence)
      throw new StoreUnavailableError(`the store did not list all entries of register ${id} until ${last}`)
    for (const entry of missing) list.add(entry)
  }

  async function readAll(slot: Slot, through: number): Promise<void> {
    while (slot.list.sequence < through) await pages.add([slot, through])
  }

  async function refresh(slot: Slot): Promise<BidderList | undefined> {
    slot.next = undefined
    const [head] = await store.findHeads([ledgerIdOf(slot.id)])
    // The id of an auction has entries of another kind.
    if (head?.kind === 'register') await readAll(slot, head.sequence)
    dropOld()
    if (slot.list.register !== undefined) return slot.list
    slots.delete(slot.id)
    return undefined
  }

  return {
    current(id) {
      const slot = slotOf(id)
      // The read in progress began before this call, so it may miss what was returned since.
      if (slot.next === undefined) {
        slot.next = slot.reading.then(() => refresh(slot))
        slot.reading = slot.next.catch(() => undefined)
      }
      return slot.next
    },
    knownAt(id, sequence) {
      const list = slots.get(id)?.list
      return list?.sequence === sequence ? list : undefined
    },
    async readTo(id, sequence) {
      await readAll(slotOf(id), sequence)
      dropOld()
    },
    note(entries) {
      for (const entry of entries) {
        const list = slots.get(entry.auctionId as number as RegisterId)?.list // An id of a register.
        if (list?.sequence === entry.sequence - 1) list.add(entry)
      }
    },
  }
}

const sizeOf = ({ list }: Slot): number => emptySize + list.size
