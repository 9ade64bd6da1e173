import type { AuctionId } from '../ids.ts'
import type { CallSignal, Store } from '../store.ts'
import { isUnreadableStored, type UnreadableStoredError } from '../unreadable-stored.ts'
import type { Entry } from './entry.ts'

export type ReadableHeads = {
  readonly heads: readonly Entry[]
  /** The auctions whose last entry is stored and can't be read: no auction without one. */
  readonly unreadable: ReadonlyMap<AuctionId, UnreadableStoredError>
}

/** Finds the heads of auctions of which some may be unreadable. A read that fails because of one is halved until that one is alone. */
export async function findReadableHeads(
  store: Pick<Store, 'findHeads'>,
  auctionIds: readonly AuctionId[],
  signal?: CallSignal,
): Promise<ReadableHeads> {
  try {
    return { heads: await store.findHeads(auctionIds, signal), unreadable: new Map() }
  } catch (error) {
    if (!isUnreadableStored(error)) throw error
    const [id] = auctionIds
    if (auctionIds.length === 1 && id !== undefined) return { heads: [], unreadable: new Map([[id, error]]) }
    const half = Math.ceil(auctionIds.length / 2)
    const first = await findReadableHeads(store, auctionIds.slice(0, half), signal)
    const second = await findReadableHeads(store, auctionIds.slice(half), signal)
    return {
      heads: [...first.heads, ...second.heads],
      unreadable: new Map([...first.unreadable, ...second.unreadable]),
    }
  }
}
