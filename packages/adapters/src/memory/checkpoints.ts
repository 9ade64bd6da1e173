import type { AuctionId } from '@auction/domain/ids'
import type { Checkpoint, CheckpointKey, Checkpoints } from '@auction/domain/store'
import { SortedList } from './sorted-list.ts'

const inOrder = (a: CheckpointKey, b: CheckpointKey): number =>
  a.auctionId - b.auctionId || Number(a.name > b.name) - Number(a.name < b.name)

/** The sequences by auction and name, and all keys in their order. */
export function createMemoryCheckpoints(): Checkpoints {
  const byAuction = new Map<AuctionId, Map<string, number>>()
  const keys = new SortedList<CheckpointKey>(inOrder)
  const ofAuction = (auctionId: AuctionId): readonly Checkpoint[] =>
    [...(byAuction.get(auctionId) ?? [])].map(([name, sequence]) => ({ auctionId, name, sequence }))

  return {
    async save(checkpoints) {
      for (const { auctionId, name, sequence } of checkpoints) {
        const sequences = byAuction.get(auctionId) ?? new Map<string, number>()
        byAuction.set(auctionId, sequences)
        const saved = sequences.get(name)
        if (saved === undefined) keys.insert({ auctionId, name })
        sequences.set(name, Math.max(sequence, saved ?? sequence))
      }
    },
    find: async (auctionIds) => [...new Set(auctionIds)].flatMap(ofAuction),
    async list({ after, limit }) {
      const found: Checkpoint[] = []
      for (const { auctionId, name } of keys.after(after)) {
        const sequence = byAuction.get(auctionId)?.get(name)
        if (sequence !== undefined) found.push({ auctionId, name, sequence })
        if (found.length === limit) break
      }
      return found
    },
    async remove(removed) {
      for (const { auctionId, name } of removed) {
        keys.remove({ auctionId, name })
        const sequences = byAuction.get(auctionId)
        sequences?.delete(name)
        if (sequences?.size === 0) byAuction.delete(auctionId)
      }
    },
  }
}
