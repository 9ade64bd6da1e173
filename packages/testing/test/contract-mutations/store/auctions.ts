import type { Auction } from '@auction/domain/auction'
import type { AuctionId } from '@auction/domain/ids'
import type { RequestKey } from '@auction/domain/request-key'
import type { FoundAuction, Store } from '@auction/domain/store'
import { sampleAuction } from '../../../src/samples.ts'
import { type Plant, type StoreMutation, wrongCall, wrongCalls, wrongStep } from '../planted.ts'
import { pause, to15Digits } from '../prove-contract.ts'

const one = 'stores an auction, finds it, and lists it without its description'
const unknown = 'does not find an auction that was not inserted'
const many = 'finds the auctions of many ids that exist, without their descriptions'
const takenId = 'returns taken for a stored auction’s id, and keeps the stored auction'
const byKey = 'finds an auction by the key of its request, and does not return the key elsewhere'
const manyKeys = 'finds the auctions of many keys that exist, and returns the key of each, if it has one'
const takenKey = 'returns taken for the key of another auction, and keeps the stored auction'
const free = 'stores no key of an auction that it does not store'
const keyless = 'stores any number of auctions without a key, and auctions with a key'
const idRace = 'lets exactly one of many concurrent inserts of an auction’s id win, and lets all callers find it'
const keyRace =
  'lets exactly one of many concurrent inserts of auctions under one key win, and lets all callers find it'

const inserting: readonly StoreMutation[] = [
  {
    bug: 'cannot be made',
    makeSubject: () => {
      throw new Error('connect ECONNREFUSED 127.0.0.1:5432')
    },
    caughtBy: 'makes a subject whose store is empty, and stores an auction and an entry',
  },
  wrongCalls('forgets auctions', [one, takenId], () => ({ insertAuction: async () => 'inserted' })),
  wrongCall('does not list the newest auction yet', one, 'listAuctions', async (right, query) => {
    const { items, next } = await right.listAuctions({ ...query, limit: query.limit + 1 })
    return { items: items.slice(1), next }
  }),
  wrongCall('lists an auction in only one order', one, 'listAuctions', async (right, query) =>
    query.order === 'newest' ? right.listAuctions(query) : { items: [], next: undefined },
  ),
  wrongCall(
    'returns null for an auction that it does not have',
    unknown,
    'findAuction',
    // The cast: a caller in JavaScript would not notice.
    async (right, id) => (await right.findAuction(id)) ?? (null as unknown as undefined),
  ),
  wrongCall(
    'finds auctions by a prefix of an id',
    unknown,
    'findAuction',
    async (right, id) =>
      (await right.listAuctions({ order: 'newest', limit: 100 })).items.find(({ auction }) =>
        `${auction.id}`.startsWith(`${id}`),
      )?.auction,
  ),
  wrongCall('returns a next page for an empty list', unknown, 'listAuctions', async (right, query) => {
    const page = await right.listAuctions(query)
    return page.items.length > 0
      ? page
      : { ...page, next: { order: 'newest' as const, timeMs: 0, id: sampleAuction().id } }
  }),
  wrongStep('takes an auction’s id twice', [takenId, takenKey], 'isTakenAuction', () => false),
  wrongStep('returns inserted for a taken auction', takenId, 'isTakenAuction', ({ requestKey }, stored) =>
    stored.some((each) => requestKey !== undefined && each.requestKey === requestKey),
  ),
  wrongCalls('replaces the auction with the id', [takenId, takenKey], (right) => {
    const latest = new Map<number, Auction>()
    return {
      insertAuction: ({ requestKey, ...auction }) => {
        latest.set(auction.id, structuredClone(auction))
        return right.insertAuction({ ...auction, ...(requestKey && { requestKey }) })
      },
      findAuction: async (id) => structuredClone(latest.get(id)),
    }
  }),
  wrongStep('checks whether an auction is taken, and inserts later', [idRace, keyRace], 'beforeInsert', pause),
]

/** A store that returns found auctions wrongly. */
const ofKeys: Plant<(found: FoundAuction) => FoundAuction> = (bug, caughtBy, change) =>
  wrongCall(bug, caughtBy, 'findAuctions', async (right, wanted) => (await right.findAuctions(wanted)).map(change))

const keys: readonly StoreMutation[] = [
  wrongCalls('returns an auction with its key', byKey, (right) => {
    const keyOf = new Map<number, object>()
    return {
      insertAuction: (auction) => {
        const { requestKey } = auction
        if (requestKey !== undefined) keyOf.set(auction.id, { requestKey })
        return right.insertAuction(auction)
      },
      findAuction: async (id) => {
        const auction = await right.findAuction(id)
        return auction && { ...auction, ...keyOf.get(id) }
      },
    }
  }),
  wrongCalls('does not find auctions by their keys', [byKey, manyKeys], (right) => ({
    findAuctions: async (wanted) => ('ids' in wanted ? right.findAuctions(wanted) : []),
  })),
  ofKeys('returns auctions without their keys', [byKey, manyKeys], ({ auction }) => ({ auction })),
  ofKeys('returns undefined as the key of an auction without one', manyKeys, ({ auction, requestKey }) => ({
    auction,
    requestKey: requestKey as RequestKey, // Or undefined, which is the bug.
  })),
  wrongCall('finds the auction of the first key only', manyKeys, 'findAuctions', (right, wanted, signal) =>
    right.findAuctions('ids' in wanted ? wanted : { keys: wanted.keys.slice(0, 1) }, signal),
  ),
  wrongCall('finds any auction by any key', [byKey, keyless], 'findAuctions', async (right, wanted) =>
    'ids' in wanted ? right.findAuctions(wanted) : (await right.listAuctions({ order: 'newest', limit: 1 })).items,
  ),
  wrongStep('accepts the key of an auction twice', [takenKey, keyRace], 'isTakenAuction', ({ id }, stored) =>
    stored.some((each) => each.id === id),
  ),
  wrongStep(
    'requires unique keys of auctions only within an owner',
    takenKey,
    'isTakenAuction',
    ({ id, ownerId, requestKey }, stored) =>
      stored.some(
        (each) =>
          each.id === id || (requestKey !== undefined && each.requestKey === requestKey && each.ownerId === ownerId),
      ),
  ),
  wrongStep(
    'requires unique keys of auctions only within a bucket of ids',
    takenKey,
    'isTakenAuction',
    ({ id, requestKey }, stored) =>
      stored.some(
        (each) =>
          each.id === id || (requestKey !== undefined && each.requestKey === requestKey && each.id % 4 === id % 4),
      ),
  ),
  wrongCalls('keeps the key of a refused auction as taken', free, (right) => {
    const noted = new Map<unknown, number>()
    return {
      insertAuction: async (auction) => {
        const { id, requestKey } = auction
        if (requestKey !== undefined && (noted.get(requestKey) ?? id) !== id) return 'taken'
        noted.set(requestKey, id)
        return right.insertAuction(auction)
      },
    }
  }),
  wrongStep('treats auctions without a key as duplicates', keyless, 'isTakenAuction', ({ id, requestKey }, stored) =>
    stored.some((each) => each.id === id || each.requestKey === requestKey),
  ),
  wrongStep(
    'treats an owner’s auctions without a key as duplicates',
    keyless,
    'isTakenAuction',
    ({ id, ownerId, requestKey }, stored) =>
      stored.some(
        (each) =>
          each.id === id || (each.requestKey === requestKey && (requestKey !== undefined || each.ownerId === ownerId)),
      ),
  ),
]

type FindByIds = (ids: readonly AuctionId[]) => Promise<readonly FoundAuction[]>

/** A store with a wrong search for many ids. */
const ofIds: Plant<(find: FindByIds, ids: readonly AuctionId[], right: Store) => ReturnType<FindByIds>> = (
  bug,
  caughtBy,
  search,
) =>
  wrongCall(bug, caughtBy, 'findAuctions', (right, wanted) =>
    'ids' in wanted ? search((ids) => right.findAuctions({ ids }), wanted.ids, right) : right.findAuctions(wanted),
  )

const finding: readonly StoreMutation[] = [
  ofIds('finds no auctions of many ids', many, async () => []),
  ofIds('returns undefined for a missing auction of many', many, async (find, ids) => {
    const found = await Promise.all(ids.map((id) => find([id])))
    return found.map(([auction]) => auction) as readonly FoundAuction[] // The holes are the bug.
  }),
  ofIds('returns the descriptions of the auctions of many ids', many, async (_, ids, right) => {
    const found = await Promise.all(ids.map((id) => right.findAuction(id)))
    return found.filter((auction) => auction !== undefined).map((auction) => ({ auction }))
  }),
  ofIds('treats no ids of auctions as all', many, (find, ids) => find(ids.length > 0 ? ids : [sampleAuction().id])),
  ofIds('finds at most 3 auctions of many ids', many, async (find, ids) => (await find(ids)).slice(0, 3)),
  ofIds('looks for at most 2 ids', many, (find, ids) => find(ids.slice(0, 2))),
  ofIds('finds the auctions of ids by 15 digits', many, async (find, ids) =>
    (await find(ids)).filter(({ auction: { id } }) => to15Digits(id) === id),
  ),
  ofIds('fails for an id that is named twice', many, async (find, ids) => {
    if (new Set(ids).size < ids.length) throw new RangeError('the list of ids contains duplicates')
    return find(ids)
  }),
]

export const auctionMutations: readonly StoreMutation[] = [...inserting, ...keys, ...finding]
