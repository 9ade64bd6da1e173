import type { Checkpoint, CheckpointKey, Checkpoints } from '@auction/delivery/checkpoints'
import type { AuctionId } from '@auction/domain/ids'
import { countWhile } from './count-while.ts'

const inOrder = (a: CheckpointKey, b: CheckpointKey): number =>
  a.auctionId - b.auctionId || Number(a.name > b.name) - Number(a.name < b.name)

/** Checkpoints by auction and name. Deliveries read a page of the list at a time, so a page must not sort all of them. */
export function createMemoryCheckpoints(): Checkpoints {
  const byAuction = new Map<AuctionId, Map<string, Checkpoint>>()
  /** The auctions with checkpoints, in order. */
  const auctionIds: AuctionId[] = []
  const ofAuction = (auctionId: AuctionId) => [...(byAuction.get(auctionId)?.values() ?? [])]

  /** The number of auctions before this one. */
  const countBefore = (auctionId: AuctionId): number => countWhile(auctionIds, (other) => other < auctionId)

  function addAuction(auctionId: AuctionId): Map<string, Checkpoint> {
    const byName = new Map<string, Checkpoint>()
    byAuction.set(auctionId, byName)
    auctionIds.splice(countBefore(auctionId), 0, auctionId)
    return byName
  }

  return {
    async save(checkpoints) {
      for (const { auctionId, name, sequence } of checkpoints) {
        const byName = byAuction.get(auctionId) ?? addAuction(auctionId)
        if (sequence > (byName.get(name)?.sequence ?? -2))
          byName.set(name, Object.freeze({ auctionId, name, sequence }))
      }
    },
    find: async (ids) => [...new Set(ids)].flatMap(ofAuction),
    async list({ after, limit }) {
      const listed: Checkpoint[] = []
      for (let index = after === undefined ? 0 : countBefore(after.auctionId); listed.length < limit; index++) {
        const auctionId = auctionIds[index]
        if (auctionId === undefined) break
        const following = ofAuction(auctionId).filter((each) => after === undefined || inOrder(each, after) > 0)
        listed.push(...following.sort(inOrder))
      }
      return listed.slice(0, limit)
    },
    async remove(keys) {
      for (const { auctionId, name } of keys) {
        const byName = byAuction.get(auctionId)
        byName?.delete(name)
        if (byName?.size !== 0) continue
        byAuction.delete(auctionId)
        auctionIds.splice(countBefore(auctionId), 1)
      }
    },
  }
}
