import type { Entry } from '@auction/domain/store'
import { sampleAuction, sampleEntry } from '../../../src/samples.ts'
import { replaced, type StoreMutation, swapped } from '../planted.ts'
import { to15Digits } from '../prove-contract.ts'

const unknown = 'does not find unknown auctions, entries and keys'
const nothing = 'finds nothing for an empty query'
const manyIds = 'finds the stored entries of many ids'
const manyKeys = 'finds the stored entries of many keys'
const manyHeads = 'finds the heads of many auctions at once, if they have entries'
const highest = 'returns the entry of the highest sequence as the head, by number, regardless of ids, amounts and times'
const apart = 'keeps the ledgers of auctions separate'
const twice = 'returns an entry that a query names twice once or twice'

/** A store that returns an entry other than the last as the head. */
const wrongHead = (bug: string, isBetter: (a: Entry, b: Entry) => boolean): StoreMutation =>
  replaced(
    bug,
    (right) => ({
      findHeads: async (auctionIds) => {
        const ledgers = await Promise.all(auctionIds.map((id) => right.listEntries(id, { limit: 1_000 })))
        return ledgers.flatMap((entries) => {
          const [first] = entries
          return first === undefined
            ? []
            : [entries.reduce((best, entry) => (isBetter(entry, best) ? entry : best), first)]
        })
      },
    }),
    highest,
  )

const throwingForTwins =
  <Asked, Value>(find: (asked: readonly Asked[]) => Promise<Value>) =>
  async (asked: readonly Asked[]): Promise<Value> => {
    if (new Set(asked).size < asked.length) throw new RangeError('the list of keys contains duplicates')
    return find(asked)
  }

const amountOf = ({ state }: Entry) => state.leader?.amountMinor ?? 0
const entryIds = Array.from({ length: 20 }, (_, index) => sampleEntry({ id: index + 1 }).id)
const auctionIds = entryIds.map((id) => sampleAuction({ id }).id)

const finding: readonly StoreMutation[] = [
  replaced(
    'returns undefined for an auction without a head',
    (right) => ({
      findHeads: async (ids) => {
        const heads = await Promise.all(ids.map((id) => right.findHeads([id])))
        return heads.map(([head]) => head) as readonly Entry[] // The holes are the bug.
      },
    }),
    unknown,
    manyHeads,
  ),
  replaced(
    'returns undefined for a missing entry',
    (right) => ({
      findEntries: async (ids) => {
        const found = await Promise.all(ids.map((id) => right.findEntries([id])))
        return found.map(([entry]) => entry) as readonly Entry[] // The holes are the bug.
      },
    }),
    unknown,
    manyIds,
  ),
  replaced(
    'returns undefined for an unused key',
    (right) => ({
      findEntriesByKey: async (keys) => {
        const found = await Promise.all(keys.map((key) => right.findEntriesByKey([key])))
        return found.map(([entry]) => entry) as readonly Entry[] // The holes are the bug.
      },
    }),
    unknown,
    manyKeys,
  ),
  replaced(
    'treats an empty list of auctions as all',
    (right) => ({ findHeads: (ids) => right.findHeads(ids.length > 0 ? ids : auctionIds) }),
    nothing,
  ),
  replaced(
    'treats an empty list of ids as all',
    (right) => ({ findEntries: (ids) => right.findEntries(ids.length > 0 ? ids : entryIds) }),
    nothing,
  ),
  replaced(
    'treats an empty list of keys as the absence of a key',
    (right) => ({
      findEntriesByKey: async (keys) => {
        if (keys.length > 0) return right.findEntriesByKey(keys)
        return (await right.findEntries(entryIds)).filter(({ requestKey }) => requestKey === undefined)
      },
    }),
    nothing,
  ),
  replaced(
    'finds only the first entry',
    (right) => ({ findEntries: async (ids) => (await right.findEntries(ids)).slice(0, 1) }),
    manyIds,
  ),
  replaced(
    'finds only the entry of the first key',
    (right) => ({ findEntriesByKey: async (keys) => (await right.findEntriesByKey(keys)).slice(0, 1) }),
    manyKeys,
  ),
  replaced(
    'ignores the case of keys',
    (right) => ({
      findEntriesByKey: async (keys) => {
        const wanted = keys.map((key) => key.toLowerCase())
        return (await right.findEntries(entryIds)).filter(({ requestKey = '' }) =>
          wanted.includes(requestKey.toLowerCase()),
        )
      },
    }),
    manyKeys,
  ),
  replaced(
    'finds at most 100 heads',
    (right) => ({ findHeads: async (ids) => (await right.findHeads(ids)).slice(0, 100) }),
    manyHeads,
  ),
  replaced(
    'finds the head that was stored last, of all auctions',
    (right) => ({
      findHeads: async (ids) => (await right.findHeads(ids)).toSorted((a, b) => b.id - a.id).slice(0, 1),
    }),
    manyHeads,
  ),
  wrongHead('returns the first entry as the head', (entry, best) => entry.sequence < best.sequence),
  wrongHead('returns the highest id as the head', (entry, best) => entry.id > best.id),
  wrongHead('returns the highest amount as the head', (entry, best) => amountOf(entry) > amountOf(best)),
  wrongHead('orders heads as texts', (entry, best) => `${entry.sequence}` > `${best.sequence}`),
  wrongHead('returns the latest time as the head', (entry, best) => entry.atMs >= best.atMs),
  replaced(
    'throws for a key that is named twice',
    (right) => ({ findEntriesByKey: throwingForTwins(right.findEntriesByKey) }),
    twice,
  ),
  replaced(
    'throws for an id that is named twice',
    (right) => ({ findEntries: throwingForTwins(right.findEntries) }),
    twice,
  ),
  replaced(
    'finds no head of an auction that is named twice',
    (right) => ({ findHeads: (ids) => right.findHeads(ids.filter((id) => ids.indexOf(id) === ids.lastIndexOf(id))) }),
    twice,
  ),
  swapped(
    'finds auctions by a prefix of their ids',
    { isOfAuction: (entry, auctionId) => `${entry.auctionId}`.startsWith(`${auctionId}`) },
    apart,
    unknown,
  ),
  swapped(
    'finds auctions by their bucket',
    { isOfAuction: (entry, auctionId) => entry.auctionId % 10 === auctionId % 10 },
    apart,
  ),
  swapped(
    'finds auctions by 15 digits',
    { isOfAuction: (entry, auctionId) => to15Digits(entry.auctionId) === to15Digits(auctionId) },
    apart,
  ),
]

const newest = 'lists entries newest first, by number, up to the limit'
const before = 'lists the entries before a sequence'
const beforeFirst = 'lists no entries before the first sequence or a lower number'
const walking = 'skips and repeats no entries from page to page while others append'

const paging: readonly StoreMutation[] = [
  swapped(
    'lists entries oldest first',
    { newestEntryFirst: (a, b) => a.sequence - b.sequence },
    newest,
    before,
    walking,
  ),
  swapped(
    'orders entries as texts',
    { newestEntryFirst: (a, b) => `${b.sequence}`.localeCompare(`${a.sequence}`) },
    newest,
    before,
  ),
  swapped('lists entries by their ids', { newestEntryFirst: (a, b) => b.id - a.id }, newest, before),
  swapped('lists entries by their times', { newestEntryFirst: (a, b) => b.atMs - a.atMs }, newest, before),
  swapped('takes a place for an id', { isBefore: (entry, place) => entry.id < place }, before),
  swapped('does not know of the limit of entries', { cut: (found) => found }, newest, before),
  swapped('lists one entry too many', { cut: (found, limit) => found.slice(0, limit + 1) }, newest, before),
  swapped('lists at most 10 entries', { cut: (found, limit) => found.slice(0, Math.min(10, limit)) }, newest, before),
  swapped(
    'lists the entry at the place again',
    { isBefore: (entry, sequence) => entry.sequence <= sequence },
    before,
    walking,
  ),
  swapped(
    'skips an entry between pages',
    { isBefore: (entry, sequence) => entry.sequence < sequence - 1 },
    before,
    walking,
  ),
  swapped('does not know of places among entries', { isBefore: () => true }, before, beforeFirst, walking),
  swapped(
    'treats 0 as no place',
    { isBefore: (entry, sequence) => sequence === 0 || entry.sequence < sequence },
    beforeFirst,
  ),
  replaced(
    'counts a place from the end',
    (right) => ({
      listEntries: async (auctionId, { limit, before: place }) => {
        const oldestFirst = (await right.listEntries(auctionId, { limit: 1_000 })).toReversed()
        return oldestFirst
          .slice(0, place && place - 1)
          .slice(-limit)
          .toReversed()
      },
    }),
    beforeFirst,
  ),
  replaced(
    'pages entries by offset',
    (right) => {
      const seen = new Map<number, number>()
      return {
        listEntries: async (auctionId, { limit, before: place }) => {
          const offset = place === undefined ? 0 : (seen.get(place) ?? 0)
          const page = (await right.listEntries(auctionId, { limit: 1_000 })).slice(offset, offset + limit)
          for (const [index, { sequence }] of page.entries()) seen.set(sequence, offset + index + 1)
          return page
        },
      }
    },
    walking,
  ),
]

export const readingMutations: readonly StoreMutation[] = [...finding, ...paging]
