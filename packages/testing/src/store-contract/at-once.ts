import type { Entry, Store } from '@auction/domain/store'
import { sampleAuction, sampleEntries, sampleEntry } from '../samples.ts'
import {
  auctionIdOf,
  creationKey,
  findByKey,
  headOf,
  idsOf,
  inOrderOfIds,
  keyedAuction,
  ledgerOf,
  listed,
  range,
  whileInFlight,
} from './helpers.ts'
import { otherHandle, type Suite } from './suite.ts'

/** Any operations may run at once, on one handle or on several. */
export function atOnce(suite: Suite): void {
  mixedOperations(suite)
  growingLedgers(suite)
}

function mixedOperations({ test, expect }: Suite): void {
  test('runs a hundred operations of all kinds at once, each as if it were alone', async (subject) => {
    const { store } = subject
    const handles = [store, await otherHandle(subject)]
    const first = 999
    await store.append([sampleEntry({ id: 1_000, auctionId: first })])
    await store.insertAuction(sampleAuction({ id: 1_000 }))
    const auctions = range(1, 20).map((id) => keyedAuction({ id, createdAtMs: id }, creationKey(`key-${id}`)))
    const entries = range(1, 20).map((id) => sampleEntry({ id, auctionId: 100 + id, requestKey: `key-${id}` }))
    /** Has a taken sequence after its first entry. */
    const conflicting = (index: number) => [
      sampleEntry({ id: 500 + index, auctionId: first, sequence: 2 }),
      sampleEntry({ id: 600 + index, auctionId: first, sequence: 1 }),
    ]
    const ofHandle = async (handle: Store, index: number) => {
      const [auction, entry] = [auctions[index], entries[index]]
      return Promise.all([
        handle.append(conflicting(index)),
        auction && handle.insertAuction(auction),
        handle.insertAuction(sampleAuction({ id: 1_000 })),
        entry && handle.append([entry]),
        handle.claimNextIdBlock('entries'),
        handle.listAuctions({ order: 'newest', limit: 3 }),
        handle.findHeads([auctionIdOf(first)]),
      ])
    }
    const results = await Promise.all(range(0, 19).map((index) => ofHandle(handles[index % 2] ?? store, index)))
    const outcomes = results.map((result) => result.slice(0, 4))
    const isFirst = outcomes.map(([conflict]) => conflict === 1)
    expect(isFirst.filter(Boolean)).toEqual([true])
    expect(outcomes).toEqual(isFirst.map((isStored) => [isStored ? 1 : 0, 'inserted', 'taken', 1]))
    expect(new Set(results.map((result) => result[4]))).toEqual(new Set(range(1, 20)))

    for (const handle of handles) {
      expect(idsOf(await listed(handle))).toEqual([1_000, ...range(1, 20).toReversed()])
      expect(inOrderOfIds(await handle.findEntries(entries.map(({ id }) => id)))).toStrictEqual(entries)
      expect(idsOf(await ledgerOf(handle, first))).toEqual([1_000, 500 + isFirst.indexOf(true)])
      for (const { requestKey, ...auction } of auctions) {
        expect(await findByKey(handle, requestKey)).toStrictEqual(auction)
      }
    }
  })
}

function growingLedgers({ test, expect }: Suite): void {
  test('shows the first entries of a growing ledger at any moment, and never fewer than before', async (subject) => {
    const { store } = subject
    const handles = [store, await otherHandle(subject)]
    const [a, b] = [1, 2]
    const ledgers = [sampleEntries(12, { auctionId: a }), sampleEntries(12, { auctionId: b, afterId: 100 })]
    /** What each handle has returned of each ledger, read by read. */
    const shown = handles.flatMap((handle) => ledgers.map((ledger) => ({ handle, ledger, reads: [] as Shown[] })))

    for (const from of [0, 3, 6, 9]) {
      const appends = Promise.all(ledgers.map((ledger) => store.append(ledger.slice(from, from + 3))))
      const appended = await whileInFlight(appends, async () => {
        for (const { handle, ledger, reads } of shown) {
          const auctionId = ledger === ledgers[0] ? a : b
          reads.push({ entries: await ledgerOf(handle, auctionId), head: await headOf(handle, auctionId) })
        }
      })
      expect(appended).toEqual([3, 3])
    }

    for (const { ledger, reads } of shown) {
      let least = 0
      for (const { entries, head } of reads) {
        expect(entries).toStrictEqual(ledger.slice(0, entries.length))
        expect(head).toStrictEqual(head && ledger[head.sequence - 1])
        const headSequence = head?.sequence ?? 0
        const counts = [least, entries.length, headSequence]
        expect(counts).toEqual(counts.toSorted((a, b) => a - b))
        least = headSequence
      }
    }
  })
}

type Shown = { readonly entries: readonly Entry[]; readonly head: Entry | undefined }
