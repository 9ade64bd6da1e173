import type { Entry } from '../../ledger/entry.ts'
import { requestKeyOf } from '../../request-key.ts'
import { sampleAuction, sampleCancelled, sampleEntry } from '../samples.ts'
import { auctionIdsOf, auctionsOfOnePartition, idsOf, inBatches, inOrderOfIds, range } from './helpers.ts'
import type { Suite } from './suite.ts'

/** How many entries, heads or keys the domain names at once, at the most, unless a host raises `maxEntriesPerAppend`. */
const most = 500

/** Ends of so many auctions, as long as entries get: each says why it was cancelled. */
const longest = (auctionIds: readonly number[]): readonly Entry[] =>
  auctionIds.map((auctionId, index) => {
    const id = Number.MAX_SAFE_INTEGER - most + index
    const bid = { bidderId: Number.MAX_SAFE_INTEGER, amountMinor: 1e15 - 2, maximumMinor: 1e15 - 1 }
    const extendedEndMs = 253_402_300_799_999
    const entry = sampleCancelled({ id, auctionId, sequence: 2, ...bid, extendedEndMs }, '🏺'.repeat(500))
    const key = `${'~'.repeat(250)}${10_000 + index}`
    return { ...entry, sequence: 1, requestKey: requestKeyOf('place-bid', { caller: '🏺'.repeat(100), key }) }
  })

/** The largest that the domain asks for. */
export function sizes({ test, expect }: Suite): void {
  test('takes the largest append, and finds all of it at once', async ({ store }) => {
    const auctionIds = auctionsOfOnePartition(store, most)
    const entries = longest(auctionIds)
    expect(await store.append(entries)).toEqual({ stored: most })
    expect(inOrderOfIds(await store.findEntries(entries.map(({ id }) => id)))).toStrictEqual(entries)
    const keys = entries.flatMap(({ requestKey }) => requestKey ?? [])
    expect(inOrderOfIds(await store.findEntriesByKey(keys))).toStrictEqual(entries)
  })

  test('finds the heads of as many auctions as are named at once', async ({ store }) => {
    const withEntries = range(1, most / 25).map((index) => index * 25)
    const heads = withEntries.map((id) => sampleEntry({ id, auctionId: id }))
    for (const head of heads) expect(await store.append([head])).toEqual({ stored: 1 })
    expect(inOrderOfIds(await store.findHeads(auctionIdsOf(range(1, most))))).toStrictEqual(heads)
  })

  test('lists as many auctions by their ends as closing asks for at once', async ({ store }) => {
    const ids = range(1, most + 1)
    const inserted = await inBatches(ids, (id) => store.insertAuction(sampleAuction({ id })))
    expect(new Set(inserted)).toEqual(new Set(['inserted']))
    const { auctions, next } = await store.listAuctions({ order: 'endTime', limit: 2 * most })
    expect(idsOf(auctions)).toEqual(ids)
    expect(next).toBe(undefined)
  })
}
