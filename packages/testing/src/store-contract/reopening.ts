import type { Store } from '@auction/domain/store'
import {
  type AuctionSample,
  sampleAuction,
  sampleClosed,
  sampleEntries,
  sampleEntry,
  sampleKey,
  strangeTexts,
} from '../samples.ts'
import { appendedSinceReopening } from './appended-since.ts'
import {
  agendaOf,
  auctionIdOf,
  auctionIdsOf,
  canSearch,
  creationKey,
  ended,
  entryIdsOf,
  findByKey,
  inOrderOfIds,
  keyedAuction,
  ledgerOf,
  listed,
} from './helpers.ts'
import type { Suite } from './suite.ts'

const samples: readonly AuctionSample[] = [
  { id: 3, createdAtMs: 2, ownerId: 5 },
  { id: Number.MAX_SAFE_INTEGER, createdAtMs: 1, description: '', currency: 'JPY', currencyExponent: 3 },
  ...strangeTexts.map((text, index) => ({ id: 10 + index, createdAtMs: 3, title: text, description: text })),
  { id: 4, createdAtMs: 0, startTime: '0001-01-01T00:00:00Z', endTime: '2030-01-31T12:00:00.123456789Z' },
]
const auctions = samples.map((sample) => keyedAuction(sample, creationKey(`key-${sample.id}`)))
const keyless = sampleAuction({ id: 9, createdAtMs: 2 })
const entries = [
  ...sampleEntries(3),
  sampleClosed({ id: 4, sequence: 4 }),
  sampleEntry({ id: Number.MAX_SAFE_INTEGER, auctionId: 2, requestKey: 'a', currency: 'DEM', currencyExponent: 2 }),
  sampleClosed({ id: 6, auctionId: 3, requestKey: 'b' }),
]

async function writeAll(store: Store): Promise<void> {
  for (const auction of [...auctions, keyless]) await store.insertAuction(auction)
  for (const entry of entries) await store.append([entry])
  for (const kind of ['entries', 'entries', 'auctions'] as const) await store.claimNextIdBlock(kind)
  await store.addTitleWords?.(keyless.id, ['vase', 'new'])
  await store.updateAgenda([ended(keyless.id, 5)])
}

/** The results of all reads, after `writeAll`. */
const readAll = async (store: Store) => ({
  auctions: await Promise.all(auctions.map(({ id }) => store.findAuction(id))),
  byKey: await Promise.all(auctions.map(({ requestKey }) => findByKey(store, requestKey))),
  newest: await listed(store),
  agenda: await agendaOf(store),
  ended: await listed(store, { order: 'ended' }),
  ofWord: canSearch(store) ? await listed(store, { words: ['vase'] }) : undefined,
  ofOwner: await listed(store, { ownerId: sampleAuction({ ownerId: 5 }).ownerId }),
  heads: inOrderOfIds(await store.findHeads(auctionIdsOf([1, 2, 3, 4]))),
  ledgers: [await ledgerOf(store, 1), await ledgerOf(store, 2), await ledgerOf(store, 3)],
  ofBidder: await store.listBidderEntries?.(sampleEntry().event.bidderId, { limit: 10 }),
  entries: inOrderOfIds(await store.findEntries(entries.map(({ id }) => id))),
  entriesByKey: inOrderOfIds(await store.findEntriesByKey(['a', 'b', 'c'].map(sampleKey))),
})

/** Stored data outlives the process that stored it. */
export function reopening(suite: Suite): void {
  suite.needing('reopen', () => {
    declare(suite)
    appendedSinceReopening(suite)
  })
}

function declare({ test, expect }: Suite): void {
  test('returns the same data after it is reopened', async ({ store, reopen }) => {
    await writeAll(store)
    const before = await readAll(store)
    expect(before.entries).toStrictEqual(inOrderOfIds(entries))
    expect([before.ended.length, before.ofWord?.length ?? 2]).toEqual([1, 2])
    for (const _ of ['once', 'twice']) expect(await readAll((await reopen?.()) ?? store)).toStrictEqual(before)
  })

  test('reports all keys as taken after it is reopened', async ({ store, reopen }) => {
    await writeAll(store)
    const later = (await reopen?.()) ?? store
    for (const auction of auctions) {
      expect(await later.insertAuction(sampleAuction({ id: auction.id }))).toBe('taken')
      expect(await later.insertAuction({ ...auction, id: auctionIdOf(99) })).toBe('taken')
    }
    for (const entry of entries) {
      expect(await later.append([sampleEntry({ id: 99, auctionId: entry.auctionId, sequence: entry.sequence })])).toBe(
        0,
      )
      expect(await later.append([{ ...entry, auctionId: auctionIdOf(99), sequence: 1 }])).toBe(0)
    }
    for (const key of ['a', 'b']) {
      expect(await later.append([sampleEntry({ id: 99, auctionId: 99, requestKey: key })])).toBe(0)
    }
    expect(await later.claimNextIdBlock('entries')).toBe(3)
    expect(await later.claimNextIdBlock('auctions')).toBe(2)
    expect(await later.findAuction(auctionIdOf(99))).toBe(undefined)
    expect(await later.findEntries(entryIdsOf([99]))).toStrictEqual([])
  })

  test('continues from its data each time it is reopened', async ({ store, reopen }) => {
    let current = store
    for (const turn of [1, 2, 3, 4]) {
      expect(await current.insertAuction(keyedAuction({ id: turn }, creationKey(`key-${turn}`)))).toBe('inserted')
      expect(await current.append([sampleEntry({ id: turn, sequence: turn, requestKey: `key-${turn}` })])).toBe(1)
      expect(await current.claimNextIdBlock('entries')).toBe(turn)
      current = (await reopen?.()) ?? store
      const ids = [1, 2, 3, 4].slice(0, turn)
      expect((await listed(current)).map(({ id }) => Number(id))).toEqual(ids.toReversed())
      expect((await ledgerOf(current)).map(({ id }) => Number(id))).toEqual(ids)
    }
  })
}
