import type { AuctionId } from '../ids.ts'
import type { Store } from '../store.ts'
import { isStoreUnavailable } from '../store-unavailable.ts'
import type { Entry } from './entry.ts'

export type HeadReader = {
  /** The auction's last entry, as it is at some moment after the call. */
  read(auctionId: AuctionId): Promise<Entry | undefined>
}

type Reading = {
  readonly auctionId: AuctionId
  readonly resolve: (head: Entry | undefined) => void
  readonly reject: (error: unknown) => void
}

/** How many heads are read at once. */
const maxHeads = 100

/**
 * Reads heads as the group writer appends: while one read is under way, others gather for the next. So lanes that look again and
 * again what other processes have done take no more connections than one of them would, and leave the rest to those who write.
 */
export function createHeadReader(store: Pick<Store, 'findHeads'>): HeadReader {
  const gathered: Reading[] = []
  let isReading = false

  async function readAll(): Promise<void> {
    isReading = true
    while (gathered.length > 0) await readGroup(gathered.splice(0, maxHeads))
    isReading = false
  }

  async function readGroup(group: readonly Reading[]): Promise<void> {
    try {
      const heads = await store.findHeads(group.map(({ auctionId }) => auctionId))
      const headOf = new Map(heads.map((head) => [head.auctionId, head]))
      for (const { auctionId, resolve } of group) resolve(headOf.get(auctionId))
    } catch (error) {
      // Where the store answers, one of the heads is at fault, and is so for its own auction only.
      if (group.length > 1 && !isStoreUnavailable(error)) for (const reading of group) await readGroup([reading])
      else for (const { reject } of group) reject(error)
    }
  }

  return {
    read: (auctionId) =>
      new Promise((resolve, reject) => {
        gathered.push({ auctionId, resolve, reject })
        if (!isReading) void readAll()
      }),
  }
}
