import type { Entry } from '@auction/domain/store'
import type { Suite } from './suite.ts'

/** Declares tests of what every read returns of entries, each of a separate auction, from the first sequence on. */
export const keepingEntries =
  ({ test, expect }: Suite) =>
  (name: string, entries: readonly Entry[]): void =>
    test(name, async ({ store }) => {
      for (const entry of entries) {
        expect(await store.append([entry])).toBe(1)
        expect(await store.findHeads([entry.auctionId])).toStrictEqual([entry])
        expect(await store.findEntries([entry.id])).toStrictEqual([entry])
        expect(await store.listEntries(entry.auctionId, { limit: 1 })).toStrictEqual([entry])
        const { requestKey } = entry
        if (requestKey !== undefined) expect(await store.findEntriesByKey([requestKey])).toStrictEqual([entry])
      }
    })
