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
    const handles = [store, await otherHandle(subject)]
    const [a, b] = auctionsOfOnePartition(store)
    const ledgers = [sampleEntries(12, { auctionId: a }), sampleEntries(12, { auctionId: b, afterId: 100 })]
    /** What each handle has shown of each ledger, one read after the other. */
    const shown = handles.flatMap((handle) => ledgers.map((ledger) => ({ handle, ledger, reads: [] as Shown[] })))

    for (const from of [0, 3, 6, 9]) {
      let isOver = false
      const append = store.append(ledgers.flatMap((ledger) => ledger.slice(from, from + 3))).finally(() => {
        isOver = true
      })
      // A store that reads from memory lets nobody else go first, so this is bounded.
      for (let round = 0; !isOver && round < 50; round++) {
        for (const { handle, ledger, reads } of shown) {
          const auctionId = ledger === ledgers[0] ? a : b
          reads.push({ entries: await ledgerOf(handle, auctionId), head: await headOf(handle, auctionId) })
        }
      }
      expect(await append).toEqual({ stored: 6 })
    }

    for (const { ledger, reads } of shown) {
      let least = 0
      for (const { entries, head } of reads) {
        expect(entries).toStrictEqual(ledger.slice(0, entries.length))
        expect(head).toStrictEqual(head && ledger[head.sequence - 1])
        const headSequence = head?.sequence ?? 0
        expect([entries.length >= least, headSequence >= entries.length]).toEqual([true, true])
        least = headSequence
      }
    }
  })
}

type Shown = { readonly entries: readonly Entry[]; readonly head: Entry | undefined }

const sharesKey = (a: Entry, b: Entry): boolean =>
  a.id === b.id || a.auctionId === b.auctionId || a.requestKey === b.requestKey

const keyKinds = ['id', 'auctionId', 'key'] as const
type Keys = Readonly<Record<(typeof keyKinds)[number], number>>

const ownKeys = (number: number): Keys => ({ id: number, auctionId: number, key: number })
const entryOf = ({ key, ...rest }: Keys): Entry => sampleEntry({ ...rest, requestKey: `key-${key}` })

/**
 * Three entries each, of which the second shares one kind of key with the first and another with the third. If the second is
 * stopped by the third, it must not have stopped the first. In each way to choose the kinds, begun from either end.
 */
const chains: readonly (readonly Entry[])[] = keyKinds
  .flatMap((ofFirst) => keyKinds.filter((ofThird) => ofThird !== ofFirst).map((ofThird) => [ofFirst, ofThird] as const))
  .flatMap(([ofFirst, ofThird], index) =>
    [20 * index, 20 * index + 10].map((base) => {
      const [first, second, third] = [ownKeys(base + 1), ownKeys(base + 2), ownKeys(base + 3)]
      const chain = [first, { ...second, [ofFirst]: base + 1 }, { ...third, [ofThird]: base + 2 }].map(entryOf)
      return base % 20 === 0 ? chain : chain.toReversed()
    }),
  )

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

  test('calls a key taken only where something has it in the end, though many take what others need', async (subject) => {
    const handles = [subject.store, await otherHandle(subject)]
    const entries = chains.flat()
    const appended = await Promise.all(entries.map((entry, index) => handles[index % 2]?.append([entry])))
    const stored = new Set(entries.filter((_, index) => appended[index]?.stored === 1))
    for (const chain of chains) {
      const winners = chain.filter((entry) => stored.has(entry))
      const forNothing = chain.filter((entry) => !winners.some((winner) => sharesKey(entry, winner)))
      expect([forNothing, winners.length > 0]).toEqual([[], true])
      const found = await subject.store.findEntries([...new Set(chain.map(({ id }) => id))])
      expect(inOrderOfIds(found)).toStrictEqual(inOrderOfIds(winners))
    }
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
