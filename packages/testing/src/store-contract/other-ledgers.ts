import { isUnreadableStored } from '@auction/domain/errors'
import type { AuctionEntry } from '@auction/domain/store'
import { sampleEntries, sampleEntry, sampleKey } from '../samples.ts'
import { auctionIdOf, auctionIdsOf, due, entryIdsOf, headOf, ledgerOf, listed } from './helpers.ts'
import type { Suite } from './suite.ts'

/** The reserved ids of ledgers of other kinds are the largest ones. */
const largestIds = [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER - 1]

/** Ledgers need no auction: those of other kinds have none. */
export function otherLedgers({ test, expect }: Suite): void {
  for (const id of [5, ...largestIds]) {
    test(`stores and reads a ledger with the id ${id} and no auction, and shows no auction for it`, async ({
      store,
    }) => {
      const ledger = sampleEntries(3, { auctionId: id }).map((entry) => ({
        ...entry,
        requestKey: sampleKey(`key-${entry.sequence}`),
      }))
      expect(await store.append(ledger.slice(0, 2))).toBe(2)
      expect(await store.append(ledger.slice(2))).toBe(1)
      expect(await store.append([sampleEntry({ id: 9, auctionId: id, sequence: 3 })])).toBe(0)
      expect(await ledgerOf(store, id)).toStrictEqual(ledger)
      expect(await headOf(store, id)).toStrictEqual(ledger[2])
      expect(await store.findEntries(entryIdsOf([2]))).toStrictEqual(ledger.slice(1, 2))
      expect(await store.findEntriesByKey([sampleKey('key-1')])).toStrictEqual(ledger.slice(0, 1))
      await store.updateAgenda([due(id, 1)])
      await store.addTitleWords?.(auctionIdOf(id), ['desk'])
      expect(await store.findAuction(auctionIdOf(id))).toBe(undefined)
      expect(await store.findAuctions({ ids: auctionIdsOf([id]) })).toStrictEqual([])
      for (const order of ['newest', 'agenda', 'ended'] as const) expect(await listed(store, { order })).toEqual([])
    })
  }

  test('returns an entry of an unknown kind of ledger as it was stored, or fails, and keeps its keys', async ({
    store,
  }) => {
    // The cast: the types have only the kinds of this version, and a later one has written it.
    const { state: _, ...fields } = sampleEntry({ id: 2, auctionId: 2, requestKey: 'a' })
    const unknown = { ...fields, event: { type: 'bought', buyerId: 2 }, kind: 'unknown' } as unknown as AuctionEntry
    await store.append([sampleEntry()])
    expect(await store.append([unknown])).toBe(1)
    const reads = [
      store.findHeads(auctionIdsOf([2])),
      store.findEntries(entryIdsOf([2])),
      store.findEntriesByKey([sampleKey('a')]),
      store.listEntries(auctionIdOf(2), { limit: 1 }),
    ]
    for (const read of reads) {
      const found = await read.catch((error: unknown) => error)
      if (!isUnreadableStored(found)) expect(found).toStrictEqual([unknown])
    }
    // User 2 has bought in the one, and bid in the other.
    const own = [sampleEntry()]
    expect((await store.listBidderEntries?.(sampleEntry().event.bidderId, { limit: 2 })) ?? own).toStrictEqual(own)
    expect(await headOf(store)).toStrictEqual(sampleEntry())
    expect(await store.append([sampleEntry({ id: 3, auctionId: 2 })])).toBe(0)
    expect(await store.append([sampleEntry({ id: 3, auctionId: 3, requestKey: 'a' })])).toBe(0)
  })
}
