import type { Entry } from '../../../../src/ledger/entry.ts'
import { sampleAuction, sampleEntry } from '../../../../src/testing/samples.ts'
import { replaced, type StoreMutation, swapped } from '../planted.ts'
import { to15Digits } from '../prove-contract.ts'

const unknown = 'knows nothing of unknown auctions, entries and keys'
const nothing = 'finds nothing when nothing is asked for'
const manyIds = 'finds those of many ids that are stored'
const manyKeys = 'finds those of many keys that made an entry'
const manyHeads = 'finds the heads of many auctions at once, of those that have entries'
const highest = 'returns the highest sequence as the head, by number, whatever the ids, amounts and times'
const apart = 'keeps auctions apart'
const twice = 'finds what is asked for twice, once or twice'

/** A store whose head is another entry than the last. */
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
    'leaves holes where an auction has no head',
    (right) => ({
      findHeads: async (ids) => {
        const heads = await Promise.all(ids.map((id) => right.findHeads([id])))
        return heads.map(([head]) => head) as readonly Entry[] // The holes are what is wrong here.
      },
    }),
    unknown,
    manyHeads,
  ),
  replaced(
    'leaves holes where an entry is not found',
    (right) => ({
      findEntries: async (ids) => {
        const found = await Promise.all(ids.map((id) => right.findEntries([id])))
        return found.map(([entry]) => entry) as readonly Entry[] // The holes are what is wrong here.
      },
    }),
    unknown,
    manyIds,
  ),
  replaced(
    'leaves holes where a key made no entry',
    (right) => ({
      findEntriesByKey: async (keys) => {
        const found = await Promise.all(keys.map((key) => right.findEntriesByKey([key])))
        return found.map(([entry]) => entry) as readonly Entry[] // The holes are what is wrong here.
      },
    }),
    unknown,
    manyKeys,
  ),
  replaced(
    'takes no auctions for all',
    (right) => ({ findHeads: (ids) => right.findHeads(ids.length > 0 ? ids : auctionIds) }),
    nothing,
  ),
  replaced(
    'takes no ids for all',
    (right) => ({ findEntries: (ids) => right.findEntries(ids.length > 0 ? ids : entryIds) }),
    nothing,
  ),
  replaced(
    'takes no keys for the absence of a key',
    (right) => ({
      findEntriesByKey: async (keys) => {
        if (keys.length > 0) return right.findEntriesByKey(keys)
        return (await right.findEntries(entryIds)).filter(({ requestKey }) => requestKey === undefined)
      },
    }),
    nothing,
  ),
  replaced(
    'finds the first entry only',
    (right) => ({ findEntries: async (ids) => (await right.findEntries(ids)).slice(0, 1) }),
    manyIds,
  ),
  replaced(
    'finds the first key’s entry only',
    (right) => ({ findEntriesByKey: async (keys) => (await right.findEntriesByKey(keys)).slice(0, 1) }),
    manyKeys,
  ),
  replaced(
    'finds keys without regard to their case',
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
    'finds 100 heads at the most',
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
    'knows auctions by the beginning of their ids',
    { isOfAuction: (entry, auctionId) => `${entry.auctionId}`.startsWith(`${auctionId}`) },
    apart,
    unknown,
  ),
  swapped(
    'knows auctions by their bucket',
    { isOfAuction: (entry, auctionId) => entry.auctionId % 10 === auctionId % 10 },
    apart,
  ),
  swapped(
    'knows auctions to 15 digits',
    { isOfAuction: (entry, auctionId) => to15Digits(entry.auctionId) === to15Digits(auctionId) },
    apart,
  ),
]

const newest = 'lists entries newest first, by number, and keeps to the limit'
const before = 'lists the entries before a sequence'
const beforeFirst = 'lists no entries before the first sequence, and before what is none'
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
  swapped(
    'lists 10 entries at the most',
    { cut: (found, limit) => found.slice(0, Math.min(10, limit)) },
    newest,
    before,
  ),
  swapped(
    'lists the place itself again among entries',
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
    'takes 0 for no place',
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
    'lists by how many entries have been seen',
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
