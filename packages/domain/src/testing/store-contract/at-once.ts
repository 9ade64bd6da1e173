import type { Entry } from '../../ledger/entry.ts'
import type { Store } from '../../store.ts'
import { sampleAuction, sampleEntries, sampleEntry, sampleKey } from '../samples.ts'
import {
  auctionIdOf,
  auctionsOfOnePartition,
  creationKey,
  headOf,
  idsOf,
  inOrderOfIds,
  keyedAuction,
  ledgerOf,
  listed,
  range,
} from './helpers.ts'
import { otherHandle, type Suite } from './suite.ts'

/** Any operations may be under way at once, on one handle as on several. */
export function atOnce(suite: Suite): void {
  mixedOperations(suite)
  growingLedgers(suite)
  takenKeysAreSeen(suite)
}

function mixedOperations({ test, expect }: Suite): void {
  test('does a hundred operations of all kinds at once, each as if it were alone', async (subject) => {
    const { store } = subject
    const handles = [store, await otherHandle(subject)]
    const [first] = auctionsOfOnePartition(store)
    await store.append([sampleEntry({ id: 1_000, auctionId: first })])
    await store.insertAuction(sampleAuction({ id: 1_000 }))
    const auctions = range(1, 20).map((id) => keyedAuction({ id, createdAtMs: id }, creationKey(`key-${id}`)))
    const entries = range(1, 20).map((id) => sampleEntry({ id, auctionId: 100 + id, requestKey: `key-${id}` }))
    /** Meets a taken sequence behind its first entry. */
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
        handle.claimIdBlock('entries', index + 1),
        handle.listAuctions({ order: 'newest', limit: 3 }),
        handle.findHeads([auctionIdOf(first)]),
      ])
    }
    const results = await Promise.all(range(0, 19).map((index) => ofHandle(handles[index % 2] ?? store, index)))
    const told = results.map(([conflict, inserted, taken, appended, claimed]) => [
      conflict,
      inserted,
      taken,
      appended,
      claimed,
    ])
    const isFirst = told.map(([conflict]) => JSON.stringify(conflict) === JSON.stringify({ stored: 1 }))
    expect(isFirst.filter(Boolean)).toEqual([true])
    expect(told).toEqual(
      isFirst.map((stored) => [{ stored: stored ? 1 : 0 }, 'inserted', 'taken', { stored: 1 }, 'claimed']),
    )

    for (const handle of handles) {
      expect(idsOf(await listed(handle))).toEqual([1_000, ...range(1, 20).toReversed()])
      expect(inOrderOfIds(await handle.findEntries(entries.map(({ id }) => id)))).toStrictEqual(entries)
      expect(await handle.highestIdBlock('entries')).toBe(20)
      expect(idsOf(await ledgerOf(handle, first))).toEqual([1_000, 500 + isFirst.indexOf(true)])
      for (const { requestKey, ...auction } of auctions) {
        expect(await handle.findAuctionByKey(requestKey)).toStrictEqual(auction)
      }
    }
  })
}

function growingLedgers({ test, expect }: Suite): void {
  test('shows of a ledger that grows its beginning, at any moment, and never less than before', async (subject) => {
    const { store } = subject
    const other = await otherHandle(subject)
    const [a, b] = auctionsOfOnePartition(store)
    const ledgers = [
      { auctionId: a, entries: sampleEntries(12, { auctionId: a }) },
      { auctionId: b, entries: sampleEntries(12, { auctionId: b, afterId: 100 }) },
    ]
    const seen: (readonly [auctionId: number, entries: readonly Entry[], head: Entry | undefined])[] = []
    for (const from of range(0, 3)) {
      let isOver = false
      const three = ledgers.flatMap(({ entries }) => entries.slice(from * 3, from * 3 + 3))
      const append = store.append(three).finally(() => {
        isOver = true
      })
      // A store that reads from memory lets nobody else go first, so this is bounded.
      for (let round = 0; !isOver && round < 50; round++) {
        for (const { auctionId } of ledgers) {
          seen.push([auctionId, await ledgerOf(other, auctionId), await headOf(other, auctionId)])
        }
      }
      expect(await append).toEqual({ stored: 6 })
    }
    for (const { auctionId, entries } of ledgers) {
      let shown = 0
      for (const [, ledger, head] of seen.filter(([of]) => of === auctionId)) {
        expect(ledger).toStrictEqual(entries.slice(0, ledger.length))
        expect(head).toStrictEqual(head && entries[head.sequence - 1])
        expect([ledger.length >= shown, (head?.sequence ?? 0) >= ledger.length]).toEqual([true, true])
        shown = head?.sequence ?? 0
      }
      expect(await ledgerOf(other, auctionId)).toStrictEqual(entries)
    }
  })
}

/** Whoever is told that a key is taken looks what has taken it, and must find it. */
function takenKeysAreSeen({ test, expect }: Suite): void {
  test('shows what took a key of an entry to whoever is told so', async (subject) => {
    const handles = [subject.store, await otherHandle(subject)]
    const looks = range(1, 8).map(async (id) => {
      const store = handles[id % 2] ?? subject.store
      const entry = sampleEntry({ id, requestKey: 'a' })
      const { stored } = await store.append([entry])
      const own = stored === 1 ? [entry] : []
      return {
        stored,
        own,
        byKey: await store.findEntriesByKey([sampleKey('a')]),
        heads: await store.findHeads([entry.auctionId]),
      }
    })
    const looked = await Promise.all(looks)
    const winner = looked.flatMap(({ own }) => own)
    expect(winner.length).toBe(1)
    for (const { byKey, heads } of looked) expect([byKey, heads]).toStrictEqual([winner, winner])
  })

  test('shows what took a key of an auction to whoever is told so', async (subject) => {
    const handles = [subject.store, await otherHandle(subject)]
    const looks = range(1, 8).map(async (id) => {
      const store = handles[id % 2] ?? subject.store
      const result = await store.insertAuction(keyedAuction({ id }, creationKey('a')))
      return { id, result, byKey: await store.findAuctionByKey(creationKey('a')), list: await listed(store) }
    })
    const looked = await Promise.all(looks)
    const winners = looked.filter(({ result }) => result === 'inserted').map(({ id }) => sampleAuction({ id }))
    expect(winners.length).toBe(1)
    for (const { byKey, list } of looked) expect([byKey, ...list]).toStrictEqual([...winners, ...winners])
  })
}
