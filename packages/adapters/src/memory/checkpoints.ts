import type { Checkpoint, CheckpointKey, Checkpoints } from '@auction/delivery/checkpoints'
import type { AuctionId } from '@auction/domain/ids'

const inOrder = (a: CheckpointKey, b: CheckpointKey): number =>
  a.auctionId - b.auctionId || Number(a.name > b.name) - Number(a.name < b.name)

/** Checkpoints by auction and name. Lists sort them, since only the start of a service reads lists. */
export function createMemoryCheckpoints(): Checkpoints {
  const byAuction = new Map<AuctionId, Map<string, Checkpoint>>()
  const ofAuction = (auctionId: AuctionId) => [...(byAuction.get(auctionId)?.values() ?? [])]

  return {
    async save(checkpoints) {
      for (const { auctionId, name, sequence } of checkpoints) {
        const byName = byAuction.get(auctionId) ?? new Map<string, Checkpoint>()
        byAuction.set(auctionId, byName)
        if (sequence > (byName.get(name)?.sequence ?? -2))
          byName.set(name, Object.freeze({ auctionId, name, sequence }))
      }
    },
    find: async (auctionIds) => [...new Set(auctionIds)].flatMap(ofAuction),
    list: async ({ after, limit }) =>
      [...byAuction.keys()]
        .flatMap(ofAuction)
        .filter((checkpoint) => after === undefined || inOrder(checkpoint, after) > 0)
        .sort(inOrder)
        .slice(0, limit),
    async remove(keys) {
      for (const { auctionId, name } of keys) {
        const byName = byAuction.get(auctionId)
        byName?.delete(name)
        if (byName?.size === 0) byAuction.delete(auctionId)
      }
    },
  }
}
