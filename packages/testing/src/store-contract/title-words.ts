import { wordsOf } from '@auction/domain/auction'
import type { AuctionQuery, Store } from '@auction/domain/store'
import { type AuctionSample, sampleAuction, strangeTexts } from '../samples.ts'
import { filteredSearches } from './auction-filters.ts'
import {
  auctionIdOf,
  auctionIdsOf,
  creationKey,
  findByIds,
  idsOf,
  insertAll,
  keyedAuction,
  listed,
  range,
  walk,
  whileInFlight,
} from './helpers.ts'
import { otherHandle, type Suite } from './suite.ts'
import { showing } from './visibility.ts'

const find = async (store: Store, text: string, query: Partial<AuctionQuery> = {}): Promise<readonly number[]> =>
  idsOf(await listed(store, { ...query, words: wordsOf(text) }))

/** Times of creation that rise with the ids, several in each millisecond. */
const titled = (id: number, title: string): AuctionSample => ({ id, createdAtMs: Math.floor(id / 4), title })

/** Auctions are found by the words of their titles. */
export function titleWords(suite: Suite): void {
  suite.needing('search', () => {
    titleSearches(suite)
    exactSearches(suite)
    filteredSearches(suite)
    searchesDuringInserts(suite)
    addedWords(suite)
    wordsAtOnce(suite)
  })
}

function titleSearches({ test, expect }: Suite): void {
  test('finds the auctions with all words of a search, the newest first, in any order of the words', async ({
    store,
  }) => {
    await insertAll(store, [
      titled(1, 'Walnut desk'),
      titled(9, 'Desk of walnut, with a lamp'),
      titled(5, 'Walnuts and a desktop'),
      titled(4, 'A desk, a desk, a desk'),
      { id: 7, description: 'A walnut desk' },
      { id: 8, title: '' },
    ])
    for (const [text, ids] of [
      ['desk', [9, 4, 1]],
      ['walnut desk', [9, 1]],
      ['desk walnut', [9, 1]],
      ['lamp desk a', [9]],
      ['of', [9]],
      ['walnuts', [5]],
      ['des', []],
      ['walnut desktop', []],
      ['walnut desk chair', []],
      ['undefined', []],
      ['null', []],
    ] as const) {
      expect([text, await find(store, text)]).toEqual([text, ids])
    }
  })

  test('finds each title by each of its words, whatever their language and length', async ({ store }) => {
    const titles = [
      ...strangeTexts,
      'STRASSE straße Übergröße',
      'İstanbul ıŞIK ὈΔΥΣΣΕΎΣ οδυσσευς',
      '東京の花瓶 กิน ガラス',
      'a\u0000b NUL',
      `${'𒀀'.repeat(70)} ${'x'.repeat(70)} ${'é'.repeat(58)}`,
      range(1, 60).join(' '),
    ]
    await insertAll(
      store,
      titles.map((title, index) => titled(index + 1, title)),
    )
    const searches = [
      ...new Set(titles.flatMap((title) => [...wordsOf(title).slice(0, 3), ...wordsOf(title).slice(-1)])),
    ]
    for (const word of searches) {
      const having = titles.flatMap((title, index) => (wordsOf(title).includes(word) ? [index + 1] : []))
      expect([word, await find(store, word)]).toEqual([word, having.toReversed()])
    }
  })
}

function exactSearches({ test, expect }: Suite): void {
  test('distinguishes words that collations of languages merge, within a title and between titles', async ({
    store,
  }) => {
    const pairs = [
      ['ひ', 'ヒ'],
      ['7', '٧'],
      ['œuf', 'oeuf'],
      // Lesser collations treat all characters beyond U+FFFF as equal, and ignore points.
      ['𐎀', '𐎁'],
      ['שלום', 'שָלוֹם'],
    ] as const
    for (const [index, [one, other]] of pairs.entries()) {
      const [both, single] = [10 * index + 1, 10 * index + 2]
      expect(await store.insertAuction(sampleAuction({ id: both, title: `${one} ${other}` }))).toBe('inserted')
      expect(await store.insertAuction(sampleAuction({ id: single, title: one }))).toBe('inserted')
      // An index of older titles may have words that `wordsOf` no longer returns.
      await store.addTitleWords?.(auctionIdOf(both), [one, other])
      await store.addTitleWords?.(auctionIdOf(single), [one])
      const found = async (word: string) => idsOf(await listed(store, { words: [word] }))
      const isFolded = wordsOf(one)[0] === wordsOf(other)[0]
      expect([one, await found(one)]).toEqual([one, [single, both]])
      expect([other, await found(other)]).toEqual([other, isFolded ? [single, both] : [both]])
    }
  })

  test('skips and repeats no auction of one millisecond in a search', async ({ store }) => {
    const most = Number.MAX_SAFE_INTEGER
    const ids = [1, 2, 3, 4, 5, 6, 7, 10, 100, most - 1, most]
    const titles = ids.map((id) => ({ id, createdAtMs: 5, title: id % 3 === 0 ? 'desk' : 'old desk' }))
    await insertAll(store, titles)
    const old = ids.filter((id) => id % 3 !== 0).toReversed()
    for (const limit of [1, 3]) {
      expect(await walk(store, { order: 'newest', limit, words: ['desk'] })).toEqual(ids.toReversed())
      expect(await walk(store, { order: 'newest', limit, words: ['old', 'desk'] })).toEqual(old)
    }
  })
}

function searchesDuringInserts({ test, expect }: Suite): void {
  test('finds an auction by its words as soon as it finds it by its id', async (subject) => {
    const handles = [subject.store, await otherHandle(subject)]
    const ids = range(1, 20)
    const inserts = insertAll(
      subject.store,
      ids.map((id) => titled(id, 'A desk')),
    )
    await whileInFlight(inserts, async () => {
      for (const handle of handles) {
        const auctions = await findByIds(handle, auctionIdsOf(ids))
        const searched = await find(handle, 'desk')
        expect(idsOf(auctions).filter((id) => !searched.includes(id))).toEqual([])
      }
    })
    expect(await find(subject.store, 'desk')).toEqual(ids.toReversed())
  })
}

function wordsAtOnce(suite: Suite): void {
  showing(suite)('shows words at once, after earlier searches for them', {
    turns: 4,
    begin: (store) => Promise.all([1, 2].map((id) => store.insertAuction(sampleAuction({ id })))),
    write: async (writer, id) =>
      id <= 2
        ? writer.addTitleWords?.(auctionIdOf(id), ['desk'])
        : writer.insertAuction(sampleAuction({ id, title: 'A desk' })),
    read: async (handle) => (await find(handle, 'desk')).toSorted(),
    expected: (written) => range(1, written),
  })
}

function addedWords({ test, expect }: Suite): void {
  test('adds words of a corrected title to those of an auction, once, and keeps its terms', async ({ store }) => {
    await insertAll(store, [titled(1, 'A dsek'), titled(2, 'A desk'), { id: 3, createdAtMs: 9 }])
    for (const _ of ['once', 'twice']) {
      await store.addTitleWords?.(auctionIdOf(1), ['a', 'desk', 'old'])
      await store.addTitleWords?.(auctionIdOf(3), ['desk'])
      await store.addTitleWords?.(auctionIdOf(3), [])
      expect(await find(store, 'desk')).toEqual([3, 2, 1])
      expect(await find(store, 'a desk')).toEqual([2, 1])
      expect(await find(store, 'dsek old')).toEqual([1])
      expect(await walk(store, { order: 'newest', limit: 1, words: ['desk'] })).toEqual([3, 2, 1])
    }
    expect(await store.findAuction(auctionIdOf(1))).toStrictEqual(sampleAuction(titled(1, 'A dsek')))
    expect(await listed(store, { words: ['dsek'] })).toStrictEqual([sampleAuction(titled(1, 'A dsek'))])
  })

  test('adds words of several titles at once, in any order of the words', async ({ store }) => {
    await insertAll(store, [titled(1, 'A desk'), titled(2, 'A desk')])
    // A title has at most this many.
    const words = range(1, 32).map((number) => `word${number}`)
    await Promise.all(
      range(1, 10).map((call) =>
        store.addTitleWords?.(auctionIdOf(1 + (call % 2)), call % 4 < 2 ? words : words.toReversed()),
      ),
    )
    for (const word of words) expect(await find(store, word)).toEqual([2, 1])
  })

  test('adds no words of an auction that is not stored', async ({ store }) => {
    await store.insertAuction(keyedAuction(titled(1, 'A desk'), creationKey('a')))
    expect(await store.insertAuction(sampleAuction(titled(1, 'A lamp')))).toBe('taken')
    expect(await store.insertAuction(keyedAuction(titled(2, 'A chair'), creationKey('a')))).toBe('taken')
    await store.addTitleWords?.(auctionIdOf(2), ['chair'])
    for (const text of ['lamp', 'chair']) expect(await find(store, text)).toEqual([])
    expect(await store.insertAuction(sampleAuction(titled(2, 'A table')))).toBe('inserted')
    for (const text of ['lamp', 'chair']) expect(await find(store, text)).toEqual([])
    expect(await find(store, 'a')).toEqual([2, 1])
  })
}
