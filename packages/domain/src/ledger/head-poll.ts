import type { Clock } from '../clock.ts'
import { createBatcher } from '../store/batching.ts'
import type { Store } from '../store/store.ts'
import type { AuctionId } from '../values/ids.ts'
import type { PaceKeeper } from './contention.ts'
import type { LedgerEntry } from './entry.ts'

/** Reads the last entry of a ledger, in a moment. A lane that waits until it has changed reads it again and again. */
export type HeadPoll<Entry extends LedgerEntry> = (auctionId: AuctionId) => Promise<Entry | undefined>

/** Bids wait for polls, which cost each process and the store time. */
const pollsPerHandover = 4
export const msPerPoll = (handoverMs: number): number => Math.max(1, handoverMs / pollsPerHandover)
const maxHeadsPerPoll = 500

/** The lanes that wait share the polls, one at a time. */
export function createHeadPoll<Entry extends LedgerEntry>(
  store: Pick<Store<Entry>, 'findHeads'>,
  clock: Clock,
  handoverMs: PaceKeeper['handoverMs'],
): HeadPoll<Entry> {
  let startedAtMs = Number.NEGATIVE_INFINITY
  const { add } = createBatcher<AuctionId, Entry | undefined>({
    maxCalls: 1,
    maxWeight: maxHeadsPerPoll,
    defer(start) {
      // A clock that was set back must not delay it.
      const leftMs = msPerPoll(handoverMs()) - Math.max(0, clock.nowMs() - startedAtMs)
      if (leftMs > 0) clock.after(leftMs, start)
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
