import type { AuctionPosition, Entry, Store } from '@auction/domain/store'
import { sampleAuction, sampleClosed, sampleEntry, sampleKey, sampleMaximumRaised } from '../samples.ts'
import {
  auctionIdOf,
  auctionIdsOf,
  creationKey,
  due,
  ended,
  entryIdsOf,
  inOrderOfIds,
  keyedAuction,
  ledgerOf,
  tamper,
  withoutDescription,
} from './helpers.ts'
import type { Suite } from './suite.ts'

const softClose = { windowSeconds: 60, extensionSeconds: 60, latestEndTime: '2030-02-07T13:00:00Z' }
const incrementSteps = () => [{ fromPriceMinor: 200_00, incrementMinor: 10_00 }]
const auction = () =>
  keyedAuction(
    { title: 'A vase', description: 'It is old.', softClose, incrementSteps: incrementSteps() },
    creationKey('a'),
  )
const automatic = { bidderId: 3, amountMinor: 105_00 }
const bids = () => [
  sampleEntry({ requestKey: 'key-1' }),
  sampleMaximumRaised({ id: 2, sequence: 2, automatic, requestKey: 'key-2' }),
]
const closed = () => sampleClosed({ id: 4, sequence: 3, automatic, requestKey: 'key-3' })
const entries = () => [...bids(), closed()]

const queries = [{ order: 'newest' }, { order: 'agenda' }] as const
const keys = () => entries().flatMap(({ requestKey }) => requestKey ?? [])

const auctionReads = (store: Store): readonly (() => Promise<unknown>)[] => [
  () => store.findAuction(auctionIdOf(1)),
  () => store.findAuctions({ keys: [creationKey('a')] }),
  () => store.findAuctions({ ids: auctionIdsOf([1]) }),
  ...queries.map((query) => () => store.listAuctions({ ...query, limit: 10 })),
]

const entryReads = (store: Store): readonly (() => Promise<readonly Entry[]>)[] => [
  async () => (await store.listBidderEntries?.(sampleEntry().event.bidderId, { limit: 10 })) ?? [],
  () => store.findHeads(auctionIdsOf([1])),
  () => store.findEntries(entryIdsOf([1, 2, 4])),
  () => store.findEntriesByKey(keys()),
  () => store.listEntries(auctionIdOf(1), { limit: 10 }),
]

const readAll = <Value>(reads: readonly (() => Promise<Value>)[]) => Promise.all(reads.map((read) => read()))
const sorted = (results: readonly (readonly Entry[])[]) => structured(results.map(inOrderOfIds))

/** A change of an object does not change stored data, and the store does not change its arguments. */
export function isolation(suite: Suite): void {
  argumentsOfWrites(suite)
  returnedObjects(suite)
}

function argumentsOfWrites({ test, expect }: Suite): void {
  test('keeps a stored auction when its argument changes later', async ({ store }) => {
    const passed = auction()
    await store.insertAuction(passed)
    tamper(passed)
    const { requestKey, ...shown } = auction()
    const { id, createdAtMs, startTime } = shown
    const listed = (order: AuctionPosition['order'], timeMs: number) => ({
      items: [{ auction: withoutDescription(shown), position: { order, timeMs, id } }],
      next: undefined,
    })
    const lists = [listed('newest', createdAtMs), listed('agenda', startTime.epochMs)]
    const found = [{ auction: withoutDescription(shown), requestKey }]
    expect(await readAll(auctionReads(store))).toStrictEqual([shown, found, found, ...lists])
  })

  test('keeps stored entries when their arguments change later', async ({ store }) => {
    const passed = entries()
    await store.append(passed)
    tamper(passed)
    expect(await ledgerOf(store)).toStrictEqual(entries())
    expect(await store.findHeads(auctionIdsOf([1]))).toStrictEqual([closed()])
    expect(await store.findEntriesByKey([sampleKey('key-3')])).toStrictEqual([closed()])
  })
}

function returnedObjects({ test, expect }: Suite): void {
  test('keeps a stored auction when a returned auction changes', async ({ store }) => {
    await store.insertAuction(auction())
    const before = structured(await readAll(auctionReads(store)))
    for (const read of auctionReads(store)) {
      tamper(await read())
      expect(structured(await readAll(auctionReads(store)))).toEqual(before)
    }
    expect(await store.insertAuction(sampleAuction())).toBe('taken')
  })

  test('keeps stored entries when returned entries change', async ({ store }) => {
    await store.append(entries())
    const before = sorted(await readAll(entryReads(store)))
    for (const read of entryReads(store)) {
      tamper(await read())
      expect(sorted(await readAll(entryReads(store)))).toEqual(before)
    }
    expect(await store.append(entries().slice(2))).toBe(0)
  })

  test('does not change its arguments', async ({ store }) => {
    const passed = {
      auction: auction(),
      entries: entries(),
      auctionIds: [...auctionIdsOf([3, 1, 2])],
      entryIds: [...entryIdsOf([3, 1, 2])],
      keys: [...keys()],
      query: { order: 'newest', limit: 2 } as const,
      updates: [due(1, 9e12), ended(1, 5)],
    }
    const before = [structured(passed), freedom(passed)]
    await store.insertAuction(passed.auction)
    await store.append(passed.entries)
    await store.append(passed.entries)
    await store.findHeads(passed.auctionIds)
    await store.findEntries(passed.entryIds)
    await store.findEntriesByKey(passed.keys)
    await store.listAuctions(passed.query)
    await store.updateAgenda(passed.updates)
    expect([structured(passed), freedom(passed)]).toEqual(before)
  })
}

/** A copy to compare with later; all values here are JSON. */
const structured = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** The mutable objects, at every level. */
const freedom = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? [Object.isExtensible(value), Object.isFrozen(value), Object.values(value).map(freedom)]
    : undefined
