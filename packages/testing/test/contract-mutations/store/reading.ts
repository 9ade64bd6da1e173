import type { Entry } from '@auction/domain/store'
import { sampleAuction, sampleEntry } from '../../../src/samples.ts'
import { type StoreMutation, wrongCall, wrongCalls, wrongStep } from '../planted.ts'
import { to15Digits } from '../prove-contract.ts'

const nothing = 'finds nothing for an empty query'
const manyIds = 'finds the stored entries of many ids'
const manyKeys = 'finds the stored entries of many keys'
const named = 'finds entries in the auctions that a query names'
const takenKey = 'finds the entry that has taken a key from another auction'
const manyHeads = 'finds the heads of many auctions at once, if they have entries'
const highest = 'returns the entry of the highest sequence as the head, by number, regardless of ids, amounts and times'
const apart = 'keeps the ledgers of auctions separate'
const twice = 'returns an entry that a query names twice once or twice'

/** A store that returns an entry other than the last as the head. */
const wrongHead = (bug: string, isBetter: (a: Entry, b: Entry) => boolean): StoreMutation =>
  wrongCall(bug, highest, 'findHeads', async (right, auctionIds) => {
    const ledgers = await Promise.all(auctionIds.map((id) => right.listEntries(id, { limit: 1_000 })))
    return ledgers.flatMap((entries) => {
      const [first] = entries
      return first === undefined ? [] : [entries.reduce((best, entry) => (isBetter(entry, best) ? entry : best), first)]
    })
  })

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
  wrongCall('returns undefined for an auction without a head', manyHeads, 'findHeads', async (right, ids) => {
    const heads = await Promise.all(ids.map((id) => right.findHeads([id])))
    return heads.map(([head]) => head) as readonly Entry[] // The holes are the bug.
  }),
  wrongCall('returns undefined for a missing entry', manyIds, 'findEntries', async (right, ids) => {
    const found = await Promise.all(ids.map((id) => right.findEntries([id])))
    return found.map(([entry]) => entry) as readonly Entry[] // The holes are the bug.
  }),
  wrongCall('returns undefined for an unused key', manyKeys, 'findEntriesByKey', async (right, keys) => {
    const found = await Promise.all(keys.map((key) => right.findEntriesByKey([key])))
    return found.map(([entry]) => entry) as readonly Entry[] // The holes are the bug.
  }),
  wrongCall('treats an empty list of auctions as all', nothing, 'findHeads', (right, ids) =>
    right.findHeads(ids.length > 0 ? ids : auctionIds),
  ),
  wrongCall('treats an empty list of ids as all', nothing, 'findEntries', (right, ids) =>
    right.findEntries(ids.length > 0 ? ids : entryIds),
  ),
  wrongCall(
    'treats an empty list of keys as the absence of a key',
    nothing,
    'findEntriesByKey',
    async (right, keys) => {
      if (keys.length > 0) return right.findEntriesByKey(keys)
      return (await right.findEntries(entryIds)).filter(({ requestKey }) => requestKey === undefined)
    },
  ),
  wrongCall('finds only the first entry', manyIds, 'findEntries', async (right, ids) =>
    (await right.findEntries(ids)).slice(0, 1),
  ),
  wrongCall('finds only the entry of the first key', manyKeys, 'findEntriesByKey', async (right, keys) =>
    (await right.findEntriesByKey(keys)).slice(0, 1),
  ),
  wrongCall('ignores the case of keys', manyKeys, 'findEntriesByKey', async (right, keys) => {
    const wanted = keys.map((key) => key.toLowerCase())
    return (await right.findEntries(entryIds)).filter(({ requestKey = '' }) =>
      wanted.includes(requestKey.toLowerCase()),
    )
  }),
  wrongCall('finds entries only in the first auction', named, 'findEntries', async (right, ids, lookup) => {
    const [auctionId] = lookup?.auctionIds ?? []
    return (await right.findEntries(ids)).filter((entry) => auctionId === undefined || entry.auctionId === auctionId)
  }),
  wrongCall(
    'finds keys only in the first auction',
    [named, takenKey],
    'findEntriesByKey',
    async (right, keys, lookup) => {
      const [first] = lookup?.auctionIds ?? []
      return (await right.findEntriesByKey(keys)).filter((entry) => first === undefined || entry.auctionId === first)
    },
  ),
  wrongCall('finds keys only in the named auctions', takenKey, 'findEntriesByKey', async (right, keys, lookup) => {
    const auctionIds = lookup?.auctionIds
    return (await right.findEntriesByKey(keys)).filter(({ auctionId }) => auctionIds?.includes(auctionId) ?? true)
  }),
  wrongCall('finds at most 100 heads', manyHeads, 'findHeads', async (right, ids) =>
    (await right.findHeads(ids)).slice(0, 100),
  ),
  wrongCall('finds the head that was stored last, of all auctions', manyHeads, 'findHeads', async (right, ids) =>
    (await right.findHeads(ids)).toSorted((a, b) => b.id - a.id).slice(0, 1),
  ),
  wrongHead('returns the first entry as the head', (entry, best) => entry.sequence < best.sequence),
  wrongHead('returns the highest id as the head', (entry, best) => entry.id > best.id),
  wrongHead('returns the highest amount as the head', (entry, best) => amountOf(entry) > amountOf(best)),
  wrongHead('orders heads as texts', (entry, best) => `${entry.sequence}` > `${best.sequence}`),
  wrongHead('returns the latest time as the head', (entry, best) => entry.atMs >= best.atMs),
  wrongCalls('throws for a key that is named twice', twice, (right) => ({
    findEntriesByKey: throwingForTwins(right.findEntriesByKey),
  })),
  wrongCalls('throws for an id that is named twice', twice, (right) => ({
    findEntries: throwingForTwins(right.findEntries),
  })),
  wrongCall('finds no head of an auction that is named twice', twice, 'findHeads', (right, ids) =>
    right.findHeads(ids.filter((id) => ids.indexOf(id) === ids.lastIndexOf(id))),
  ),
  wrongStep('finds auctions by a prefix of their ids', apart, 'isOfAuction', (entry, auctionId) =>
    `${entry.auctionId}`.startsWith(`${auctionId}`),
  ),
  wrongStep(
    'finds auctions by their bucket',
    apart,
    'isOfAuction',
    (entry, auctionId) => entry.auctionId % 10 === auctionId % 10,
  ),
  wrongStep(
    'finds auctions by 15 digits',
    apart,
    'isOfAuction',
    (entry, auctionId) => to15Digits(entry.auctionId) === to15Digits(auctionId),
  ),
]

const newest = 'lists entries newest first, by number, up to the limit'
const before = 'lists the entries before a sequence'
const beforeFirst = 'lists no entries before the first sequence or a lower number'
const walking = 'skips and repeats no entries from page to page while others append'

const paging: readonly StoreMutation[] = [
  wrongStep(
    'lists entries oldest first',
    [newest, before, walking],
    'newestEntryFirst',
    (a, b) => a.sequence - b.sequence,
  ),
  wrongStep('orders entries as texts', [newest, before], 'newestEntryFirst', (a, b) =>
    `${b.sequence}`.localeCompare(`${a.sequence}`),
  ),
  wrongStep('lists entries by their ids', [newest, before], 'newestEntryFirst', (a, b) => b.id - a.id),
  wrongStep('lists entries by their times', [newest, before], 'newestEntryFirst', (a, b) => b.atMs - a.atMs),
  wrongStep('takes a place for an id', before, 'isBefore', (entry, place) => entry.id < place),
  wrongStep('does not know of the limit of entries', [newest, before], 'cut', (found) => found),
  wrongStep('lists one entry too many', [newest, before], 'cut', (found, limit) => found.slice(0, limit + 1)),
  wrongStep('lists at most 10 entries', [newest, before], 'cut', (found, limit) => found.slice(0, Math.min(10, limit))),
  wrongStep(
    'lists the entry at the place again',
    [before, walking],
    'isBefore',
    (entry, sequence) => entry.sequence <= sequence,
  ),
  wrongStep(
    'skips an entry between pages',
    [before, walking],
    'isBefore',
    (entry, sequence) => entry.sequence < sequence - 1,
  ),
  wrongStep('does not know of places among entries', [before, beforeFirst, walking], 'isBefore', () => true),
  wrongStep(
    'treats 0 as no place',
    beforeFirst,
    'isBefore',
    (entry, sequence) => sequence === 0 || entry.sequence < sequence,
  ),
  wrongCall(
    'counts a place from the end',
    beforeFirst,
    'listEntries',
    async (right, auctionId, { limit, before: place }) => {
      const oldestFirst = (await right.listEntries(auctionId, { limit: 1_000 })).toReversed()
      return oldestFirst
        .slice(0, place && place - 1)
        .slice(-limit)
        .toReversed()
    },
  ),
  wrongCalls('pages entries by offset', walking, (right) => {
    const seen = new Map<number, number>()
    return {
      listEntries: async (auctionId, { limit, before: place }) => {
        const offset = place === undefined ? 0 : (seen.get(place) ?? 0)
        const page = (await right.listEntries(auctionId, { limit: 1_000 })).slice(offset, offset + limit)
        for (const [index, { sequence }] of page.entries()) seen.set(sequence, offset + index + 1)
        return page
      },
    }
  }),
]

export const readingMutations: readonly StoreMutation[] = [...finding, ...paging]
