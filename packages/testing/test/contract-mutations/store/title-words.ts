import { wordsOf } from '@auction/domain/auction'
import type { AuctionQuery, CompleteStore } from '@auction/domain/store'
import {
  lackingOperation,
  type Plant,
  type StoreMutation,
  wrongCall,
  wrongCalls,
  wrongHandles,
  wrongOnFailure,
  wrongReopened,
  wrongStep,
  wrongSteps,
} from '../planted.ts'
import { pause } from '../prove-contract.ts'
import { rightSteps } from '../store-of-steps.ts'
import { away, type Power } from '../subjects.ts'
import { remembering } from './remembering.ts'

const allWords = 'finds the auctions with all words of a search, the newest first, in any order of the words'
const anyTitle = 'finds each title by each of its words, whatever their language and length'
const merged = 'distinguishes words that collations of languages merge, within a title and between titles'
const oneMs = 'skips and repeats no auction of one millisecond in a search'
const filters = 'filters a search by every stage, owner and product, alone and together, page by page'
const added = 'adds words of a corrected title to those of an auction, once, and keeps its terms'
const addedAtOnce = 'adds words of several titles at once, in any order of the words'
const notStored = 'adds no words of an auction that is not stored'
const searchedAtOnce = 'finds an auction by its words as soon as it finds it by its id'
const visible = 'shows words at once, after earlier searches for them'
const short = 'fills each page of a query that has a short list, so that clients need few requests'
const bounded = 'examines a bounded number of auctions for a page, and lists all matches page by page'

/** A store that keeps other words of each title. */
const indexing: Plant<(title: string) => readonly string[]> = (bug, caughtBy, words) =>
  wrongStep(bug, caughtBy, 'firstWords', ({ title }) => words(title ?? ''))

/** A store that reads a changed query for each search. */
const searching: Plant<(query: AuctionQuery) => AuctionQuery> = (bug, caughtBy, change) =>
  wrongCall(bug, caughtBy, 'listAuctions', (right, query) =>
    right.listAuctions(query.words === undefined ? query : change(query)),
  )

/** A store that compares the words of an auction with those of a search in another way. */
const comparing: Plant<(own: readonly string[], wanted: readonly string[]) => boolean> = (bug, caughtBy, isFound) =>
  wrongSteps(bug, caughtBy, {
    chosenList: () => -1,
    matches: (placed, { words, ...query }) =>
      rightSteps.matches(placed, query) && (words === undefined || isFound(placed.words, words)),
  })

const finding: readonly StoreMutation[] = [
  indexing('indexes the title as one word', [allWords, anyTitle], (title) => [title.toLowerCase()]),
  indexing('does not fold titles', [allWords, anyTitle], (title) => title.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []),
  indexing('finds words of ASCII only', anyTitle, (title) => title.toLowerCase().match(/[a-z0-9]+/g) ?? []),
  indexing('keeps eight words of a title', anyTitle, (title) => wordsOf(title).slice(0, 8)),
  indexing('cuts words', anyTitle, (title) => wordsOf(title).map((word) => word.slice(0, 50))),
  indexing('cuts titles at a NUL', anyTitle, (title) => wordsOf(title.split('\0')[0] ?? '')),
  wrongStep('indexes a missing title as text', allWords, 'firstWords', ({ title }) => wordsOf(`${title}`)),
  wrongStep('indexes a missing title as null', allWords, 'firstWords', ({ title = null }) => wordsOf(`${title}`)),
  wrongStep('searches in descriptions', allWords, 'firstWords', ({ title = '', description = '' }) =>
    wordsOf(`${title} ${description}`),
  ),
  comparing('finds prefixes', allWords, (own, wanted) =>
    wanted.every((word) => own.some((each) => each.startsWith(word))),
  ),
  comparing('finds any of the words', [allWords, oneMs], (own, wanted) => wanted.some((word) => own.includes(word))),
  comparing('finds the longest word only', [allWords, added], (own, wanted) => own.includes(longest(wanted))),
  searching('finds words only in their order', allWords, ({ words = [], ...query }) => ({
    ...query,
    words: words.slice(-1),
  })),
  wrongCall('lists the oldest first in a search', [allWords, anyTitle], 'listAuctions', async (right, query) => {
    const page = await right.listAuctions(query)
    return query.words === undefined ? page : { ...page, items: page.items.toReversed() }
  }),
]

const collator = new Intl.Collator('und', { sensitivity: 'base' })
const isMerged = (words: readonly string[]) =>
  words.some((word, index) => words.slice(0, index).some((other) => collator.compare(word, other) === 0))

const merging: readonly StoreMutation[] = [
  comparing('compares words by a collation', merged, (own, wanted) =>
    wanted.every((word) => own.some((each) => collator.compare(each, word) === 0)),
  ),
  wrongCall(
    'reports an auction as taken whose words a unique index merges',
    merged,
    'insertAuction',
    (right, auction) =>
      isMerged(wordsOf(auction.title ?? '')) ? Promise.resolve('taken') : right.insertAuction(auction),
  ),
  wrongCall(
    'reports an auction as taken whose words beyond U+FFFF a unique index merges',
    merged,
    'insertAuction',
    (right, auction) =>
      isMergedBeyond(wordsOf(auction.title ?? '')) ? Promise.resolve('taken') : right.insertAuction(auction),
  ),
]

const beyond = /^[\u{10000}-\u{10FFFF}]$/u
const isMergedBeyond = (words: readonly string[]) => words.filter((word) => beyond.test(word)).length > 1

const longest = (words: readonly string[]) => words.toSorted((a, b) => b.length - a.length)[0] ?? ''

const paging: readonly StoreMutation[] = [
  wrongStep(
    'continues a search at the next millisecond',
    oneMs,
    'comesAfter',
    ({ timeMs }, { timeMs: afterMs }) => timeMs < afterMs,
  ),
  searching('begins each page of a search again', [oneMs, filters], ({ after: _, ...query }) => query),
  searching('ignores the owner in a search', filters, ({ ownerId: _, ...query }) => query),
  searching('ignores the product in a search', [filters, short], ({ productId: _, ...query }) => query),
  searching('ignores the stages in a search', [filters, short], ({ stages: _, ...query }) => query),
  searching('ignores a single stage in a search', filters, ({ stages = [], ...query }) =>
    stages.length === 1 ? query : { ...query, ...(stages.length > 0 && { stages }) },
  ),
  wrongCall('examines all auctions of a word', bounded, 'listAuctions', async (right, query) => {
    let page = await right.listAuctions(query)
    while (query.words !== undefined && page.items.length < query.limit && page.next !== undefined) {
      const { items } = page
      page = await right.listAuctions({ ...query, limit: query.limit - items.length, after: page.next })
      page = { ...page, items: [...items, ...page.items] }
    }
    return page
  }),
]

/** A store with another `addTitleWords`. */
const adding: Plant<(right: CompleteStore) => CompleteStore['addTitleWords']> = (bug, caughtBy, add) =>
  wrongCalls(bug, caughtBy, (right) => ({ addTitleWords: add(right) }))

/** A store that lists an auction once for each time that a word was added. */
function listingTwice(right: CompleteStore): Partial<CompleteStore> {
  const times = new Map<string, number>()
  return {
    addTitleWords: async (id, words) => {
      for (const word of words) times.set(`${id} ${word}`, (times.get(`${id} ${word}`) ?? 0) + 1)
      await right.addTitleWords(id, words)
    },
    listAuctions: async (query) => {
      const { items, next } = await right.listAuctions(query)
      const timesOf = (id: number) => times.get(`${id} ${query.words?.[0]}`) ?? 1
      return { items: items.flatMap((item) => Array.from({ length: timesOf(item.auction.id) }, () => item)), next }
    },
  }
}

function addingInTurn(right: CompleteStore): CompleteStore['addTitleWords'] {
  let isBusy = false
  return async (id, words) => {
    if (isBusy) throw new Error('deadlock detected')
    isBusy = true
    await pause()
    await right.addTitleWords(id, words)
    isBusy = false
  }
}

/** A store that keeps the words of an auction that it does not have. */
function keepingUnknown(right: CompleteStore): Partial<CompleteStore> {
  const kept = new Map<number, readonly string[]>()
  return {
    addTitleWords: async (id, words) => {
      kept.set(id, words)
      await right.addTitleWords(id, words)
    },
    insertAuction: async (auction) => {
      const inserted = await right.insertAuction(auction)
      await right.addTitleWords(auction.id, kept.get(auction.id) ?? [])
      return inserted
    },
  }
}

const addingWords: readonly StoreMutation[] = [
  adding('adds no words', [added, addedAtOnce, visible], () => async () => undefined),
  adding(
    'adds at most eight words',
    addedAtOnce,
    ({ addTitleWords }) =>
      (id, words) =>
        addTitleWords(id, words.slice(0, 8)),
  ),
  wrongStep('replaces the words of a title', added, 'nextWords', (_, words) => words),
  wrongStep('keeps the words that a title has', [added, addedAtOnce], 'nextWords', (words, more) =>
    words.length > 0 ? words : more,
  ),
  wrongCalls('lists an auction again for each word that was added again', [added, addedAtOnce], listingTwice),
  adding('adds words for one auction at a time', addedAtOnce, addingInTurn),
  wrongCalls('keeps words for an auction that it does not have', notStored, keepingUnknown),
  wrongCall(
    'indexes the title of an auction whose key is taken',
    notStored,
    'insertAuction',
    async (right, auction) => {
      const inserted = await right.insertAuction(auction)
      await right.addTitleWords(auction.id, wordsOf(auction.title ?? ''))
      return inserted
    },
  ),
  wrongHandles('remembers searches', visible, (shared) => {
    const search = remembering(shared.listAuctions)
    return { listAuctions: (query) => (query.words === undefined ? shared.listAuctions(query) : search(query)) }
  }),
]

/** A store that stores the words of an auction in a second request, which may fail. */
function wordsLater(right: CompleteStore, power: Power): Partial<CompleteStore> {
  const wordless = new Set<number>()
  return {
    async insertAuction(auction) {
      const isCut = power.fault === 'a cut connection'
      if (isCut) power.fault = undefined
      const inserted = await right.insertAuction(auction)
      if (inserted === 'taken') return inserted
      wordless.add(auction.id)
      await pause()
      if (isCut || power.isOff) throw away()
      wordless.delete(auction.id)
      return inserted
    },
    async listAuctions(query) {
      const { items, ...page } = await right.listAuctions(query)
      return { ...page, items: items.filter(({ auction }) => !query.words || !wordless.has(auction.id)) }
    },
  }
}

const withoutWords = (right: CompleteStore): Partial<CompleteStore> => ({
  listAuctions: async (query) =>
    query.words === undefined ? right.listAuctions(query) : { items: [], next: undefined },
})

const keeping: readonly StoreMutation[] = [
  wrongReopened('keeps words in memory only', 'returns the same data after it is reopened', withoutWords),
  wrongOnFailure(
    'stores the words of an auction in a second request',
    [
      searchedAtOnce,
      'keeps what it reports as stored when it fails at that moment',
      'stores an auction whose insert fails because of a cut connection for all handles or for none',
    ],
    wordsLater,
  ),
]

const missing = lackingOperation(
  'cannot search titles, and does not report that',
  'runs with searches of titles',
  'addTitleWords',
)

export const titleWordMutations: readonly StoreMutation[] = [
  missing,
  ...finding,
  ...merging,
  ...paging,
  ...addingWords,
  ...keeping,
]
