import type { Entry, Store } from '@auction/domain/store'
import { sampleAuction, sampleEntry, sampleKey } from '../samples.ts'
import { creationKey, entryIdsOf, idsOf, inOrderOfIds, keyedAuction, listed, range } from './helpers.ts'
import { otherHandle, type Suite } from './suite.ts'

const sharesKey = (a: Entry, b: Entry): boolean =>
  a.id === b.id || a.auctionId === b.auctionId || a.requestKey === b.requestKey

const keyKinds = ['id', 'auctionId', 'key'] as const
type Keys = Readonly<Record<(typeof keyKinds)[number], number>>

const ownKeys = (number: number): Keys => ({ id: number, auctionId: number, key: number })
const entryOf = ({ key, ...rest }: Keys): Entry => sampleEntry({ ...rest, requestKey: `key-${key}` })

/**
 * Three entries each. The second shares one kind of key with the first and another kind with the third. If the third stops
 * the second, the second must not stop the first. For each choice of the kinds, started from either end.
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

/** When many writes use one key, `taken` is true: a caller that looks for what has the key finds it. */
export function competing({ test, expect }: Suite): void {
  test('finds what has a key of an entry after a write returns that it is taken', async (subject) => {
    const handles = [subject.store, await otherHandle(subject)]
    const looks = range(1, 8).map(async (id) => {
      const store = handles[id % 2] ?? subject.store
      const entry = sampleEntry({ id, requestKey: 'a' })
      const stored = await store.append([entry])
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

  test('returns taken only for a key that something keeps, when many writes share keys', async (subject) => {
    const handles = [subject.store, await otherHandle(subject)]
    const entries = chains.flat()
    const appended = await Promise.all(entries.map((entry, index) => handles[index % 2]?.append([entry])))
    const stored = new Set(entries.filter((_, index) => appended[index] === 1))
    for (const chain of chains) {
      const winners = chain.filter((entry) => stored.has(entry))
      const forNothing = chain.filter((entry) => !winners.some((winner) => sharesKey(entry, winner)))
      expect([forNothing, winners.length > 0]).toEqual([[], true])
      const found = await subject.store.findEntries([...new Set(chain.map(({ id }) => id))])
      expect(inOrderOfIds(found)).toStrictEqual(inOrderOfIds(winners))
    }
  })

  test('never shows an auction or entry that loses the competition for a key', async (subject) => {
    const { store } = subject
    const handles = [store, await otherHandle(subject)]
    const ids = range(1, 8)
    const entriesOf = async (handle: Store) => idsOf(await handle.findEntries(entryIdsOf(ids)))
    const auctionsOf = async (handle: Store) => idsOf(await listed(handle))
    let isOver = false
    const competing = Promise.all(
      ids.flatMap((id) => [
        handles[id % 2]?.append([sampleEntry({ id, auctionId: id, requestKey: 'a' })]),
        handles[id % 2]?.insertAuction(keyedAuction({ id }, creationKey('a'))),
      ]),
    ).finally(() => {
      isOver = true
    })
    const seen = { entries: new Set<number>(), auctions: new Set<number>() }
    for (let round = 0; !isOver && round < 50; round++) {
      for (const handle of handles) {
        for (const id of await entriesOf(handle)) seen.entries.add(id)
        for (const id of await auctionsOf(handle)) seen.auctions.add(id)
      }
    }
    await competing
    const [entries, auctions] = [await entriesOf(store), await auctionsOf(store)]
    expect([entries.length, auctions.length]).toEqual([1, 1])
    expect([...seen.entries].filter((id) => !entries.includes(id))).toEqual([])
    expect([...seen.auctions].filter((id) => !auctions.includes(id))).toEqual([])
  })

  test('finds what has a key of an auction after an insert returns taken', async (subject) => {
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
