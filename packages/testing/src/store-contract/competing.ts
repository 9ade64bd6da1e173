import type { Entry, Store } from '@auction/domain/store'
import { sampleEntry } from '../samples.ts'
import {
  auctionIdsOf,
  creationKey,
  entryIdsOf,
  findByKey,
  idsOf,
  inOrderOfIds,
  keyedAuction,
  ledgerOf,
  listed,
  range,
  whileInFlight,
} from './helpers.ts'
import { otherHandle, type Suite } from './suite.ts'

/** Exactly one of several writes with one key wins, and the callers of the others, which read it, find it. */
export function competing(suite: Suite): void {
  auctionRaces(suite)
  entryRaces(suite)
  sharedKeys(suite)
}

function auctionRaces({ test, expect }: Suite): void {
  const oneWins = (name: string, contenders: readonly ReturnType<typeof keyedAuction>[]): void =>
    test(name, async (subject) => {
      const handles = [subject.store, await otherHandle(subject)]
      const inserts = contenders.map(async (auction, index) => {
        const store = handles[index % 2] ?? subject.store
        const result = await store.insertAuction(auction)
        return { result, list: idsOf(await listed(store)), byKey: await findByKey(store, auction.requestKey) }
      })
      const inserted = await Promise.all(inserts)
      expect(inserted.map(({ result }) => result).toSorted()).toEqual(['inserted', ...range(2, 10).map(() => 'taken')])
      const winners = contenders.filter((_, index) => inserted[index]?.result === 'inserted')
      for (const [index, { list, byKey }] of inserted.entries()) {
        expect(list).toEqual(idsOf(winners))
        const [shown] = winners.filter(({ requestKey }) => requestKey === contenders[index]?.requestKey).map(withoutKey)
        expect(byKey).toStrictEqual(shown)
        if (shown !== undefined) expect(await subject.store.findAuction(shown.id)).toStrictEqual(shown)
      }
    })

  oneWins(
    'lets exactly one of many concurrent inserts of an auction’s id win, and lets all callers find it',
    range(1, 10).map((index) => keyedAuction({ title: `contender ${index}` }, creationKey(`key-${index}`))),
  )
  oneWins(
    'lets exactly one of many concurrent inserts of auctions under one key win, and lets all callers find it',
    range(1, 10).map((id) => keyedAuction({ id }, creationKey('a'))),
  )
}

function entryRaces({ test, expect }: Suite): void {
  const oneWins = (name: string, contenders: readonly Entry[]): void =>
    test(name, async (subject) => {
      const handles = [subject.store, await otherHandle(subject)]
      const auctionIds = auctionIdsOf([...new Set(contenders.map(({ auctionId }) => auctionId))])
      const ids = [...new Set(contenders.map(({ id }) => id))]
      const keys = contenders.flatMap(({ requestKey }) => requestKey ?? []).slice(0, 1)
      const appends = contenders.map(async (entry, index) => {
        const store = handles[index % 2] ?? subject.store
        const stored = await store.append([entry])
        const reads = [await store.findHeads(auctionIds), await store.findEntries(ids)]
        return { stored, reads: keys.length === 0 ? reads : [...reads, await store.findEntriesByKey(keys)] }
      })
      const appended = await Promise.all(appends)
      expect(appended.map(({ stored }) => stored).toSorted()).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
      const winners = contenders.filter((_, index) => appended[index]?.stored === 1)
      for (const { reads } of appended) expect(reads).toStrictEqual(reads.map(() => winners))
      expect((await Promise.all(auctionIds.map((id) => ledgerOf(subject.store, id)))).flat()).toStrictEqual(winners)
    })

  oneWins(
    'lets exactly one of many concurrent appends of a sequence win, and lets all callers find it',
    range(1, 10).map((id) => sampleEntry({ id, bidderId: id + 1 })),
  )
  oneWins(
    'lets exactly one of many concurrent appends of an id win, and lets all callers find it',
    range(1, 10).map((auctionId) => sampleEntry({ auctionId })),
  )
  oneWins(
    'lets exactly one of many concurrent appends of a request’s key win, and lets all callers find it',
    range(1, 10).map((id) => sampleEntry({ id, auctionId: id, requestKey: 'a' })),
  )
}

const withoutKey = ({ requestKey: _, ...auction }: ReturnType<typeof keyedAuction>) => auction

const sharesKey = (a: Entry, b: Entry): boolean =>
  a.id === b.id || a.auctionId === b.auctionId || a.requestKey === b.requestKey

const keyKinds = ['id', 'auctionId', 'key'] as const
type Keys = Readonly<Record<(typeof keyKinds)[number], number>>

const ownKeys = (number: number): Keys => ({ id: number, auctionId: number, key: number })
const entryOf = ({ key, ...rest }: Keys): Entry => sampleEntry({ ...rest, requestKey: `key-${key}` })

/**
 * Three entries each. The second shares one kind of key with the first and another kind with the third. If the third
 * stops the second, the second must not stop the first. For each choice of the kinds, started from either end.
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

function sharedKeys({ test, expect }: Suite): void {
  test('returns taken only for a key that something keeps, when many writes share keys', async (subject) => {
    const handles = [subject.store, await otherHandle(subject)]
    const entries = chains.flat()
    const appended = await Promise.all(entries.map((entry, index) => handles[index % 2]?.append([entry])))
    const stored = new Set(entries.filter((_, index) => appended[index] === 1))
    for (const chain of chains) {
      const winners = chain.filter((entry) => stored.has(entry))
      const forNothing = chain.filter((entry) => !winners.some((winner) => sharesKey(entry, winner)))
      expect(forNothing).toEqual([])
      expect(Math.max(winners.length, 1)).toBe(winners.length)
      const entries = await subject.store.findEntries([...new Set(chain.map(({ id }) => id))])
      expect(inOrderOfIds(entries)).toStrictEqual(inOrderOfIds(winners))
    }
  })

  test('never shows an auction or entry that loses the competition for a key', async (subject) => {
    const { store } = subject
    const handles = [store, await otherHandle(subject)]
    const ids = range(1, 8)
    const entriesOf = async (handle: Store) => idsOf(await handle.findEntries(entryIdsOf(ids)))
    const auctionsOf = async (handle: Store) => idsOf(await listed(handle))
    const competing = Promise.all(
      ids.flatMap((id) => [
        handles[id % 2]?.append([sampleEntry({ id, auctionId: id, requestKey: 'a' })]),
        handles[id % 2]?.insertAuction(keyedAuction({ id }, creationKey('a'))),
      ]),
    )
    const seen = { entries: new Set<number>(), auctions: new Set<number>() }
    await whileInFlight(competing, async () => {
      for (const handle of handles) {
        for (const id of await entriesOf(handle)) seen.entries.add(id)
        for (const id of await auctionsOf(handle)) seen.auctions.add(id)
      }
    })
    const [entries, auctions] = [await entriesOf(store), await auctionsOf(store)]
    expect([entries.length, auctions.length]).toEqual([1, 1])
    expect([...seen.entries].filter((id) => !entries.includes(id))).toEqual([])
    expect([...seen.auctions].filter((id) => !auctions.includes(id))).toEqual([])
  })
}
