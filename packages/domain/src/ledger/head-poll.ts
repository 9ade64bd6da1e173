import type { Entry } from '../auction/entry.ts'
import type { Clock } from '../clock.ts'
import { createBatcher } from '../store/batching.ts'
import type { Store } from '../store/store.ts'
import type { AuctionId } from '../values/ids.ts'

/** Reads the last entry of an auction, in a moment. A lane that waits until it has changed reads it again and again. */
export type HeadPoll = (auctionId: AuctionId) => Promise<Entry | undefined>

/** The least time between the starts of two polls: bids wait for them, but they cost each process and the store time. */
export const msPerPoll = 1
const maxHeadsPerPoll = 500

/** The lanes that wait share the polls, one at a time. */
export function createHeadPoll(store: Pick<Store, 'findHeads'>, clock: Clock): HeadPoll {
  let startedAtMs = Number.NEGATIVE_INFINITY
  const { add } = createBatcher<AuctionId, Entry | undefined>({
    maxCalls: 1,
    maxWeight: maxHeadsPerPoll,
    defer(start) {
      // A clock that was set back must not delay it.
      const passedMs = Math.max(0, clock.nowMs() - startedAtMs)
      if (passedMs < msPerPoll) clock.after(msPerPoll - passedMs, start)
      else start()
    },
    async run(auctionIds) {
      startedAtMs = clock.nowMs()
      const heads = await store.findHeads(auctionIds)
      const headOf = new Map(heads.map((head) => [head.auctionId, head]))
      return auctionIds.map((auctionId) => headOf.get(auctionId))
    },
  })
  return (auctionId) => add(auctionId)
}
