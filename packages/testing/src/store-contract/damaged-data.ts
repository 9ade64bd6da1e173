import { isUnreadableStored } from '@auction/domain/errors'
import { type AuctionQuery, agendaStages, type Store } from '@auction/domain/store'
import { sampleAuction, sampleEntries, sampleEntry, sampleKey } from '../samples.ts'
import {
  agendaOf,
  auctionIdOf,
  auctionIdsOf,
  creationKey,
  due,
  entryIdsOf,
  findByIds,
  findByKey,
  idsOf,
  inOrderOfIds,
  keyedAuction,
  ledgerOf,
  pagesOf,
} from './helpers.ts'
import { laterRegister } from './other-ledgers.ts'
import { secretsOfReads } from './secrets.ts'
import type { Damage, Suite } from './suite.ts'

const damages: Readonly<Record<Damage, string>> = {
  'another version': 'stored under another version',
  'an invalid field': 'stored with an invalid field',
  'text that is not JSON': 'stored as text that is not JSON',
}

/** Unreadable data is not treated as missing. */
export function damagedData(suite: Suite): void {
  suite.needing('damage', () => {
    for (const [damage, which] of Object.entries(damages) as readonly (readonly [Damage, string])[]) {
      auctions(suite, damage, which)
      entries(suite, damage, which)
      secretsOfReads(suite, damage, which)
    }
    laterRegister(suite)
  })
}

/** The kind of the unreadable data that makes a call fail. */
async function unreadable(call: Promise<unknown>): Promise<unknown> {
  try {
    return { returned: await call }
  } catch (error) {
    return isUnreadableStored(error) ? error.kind : error
  }
}

/** The ids of all pages, and how often the pages report an unreadable auction. */
async function walkOver(store: Store, query: AuctionQuery) {
  const ids: number[] = []
  let leftOut = 0
  for await (const { items, unreadable = [] } of pagesOf(store, query)) {
    ids.push(...idsOf(items.map(({ auction }) => auction)))
    leftOut += unreadable.filter((error) => isUnreadableStored(error) && error.kind === 'auction').length
  }
  return { ids, leftOut }
}

function auctions({ test, expect }: Suite, damage: Damage, which: string): void {
  test(`fails for an auction that is ${which}, and omits it from lists`, async (subject) => {
    const { store } = subject
    for (const id of [1, 2, 3, 4]) {
      await store.insertAuction(keyedAuction({ id, createdAtMs: id }, creationKey(`key-${id}`)))
    }
    await subject.damage?.('auction', 2, damage)
    expect(await unreadable(store.findAuction(auctionIdOf(2)))).toBe('auction')
    expect(await unreadable(findByKey(store, creationKey('key-2')))).toBe('auction')
    expect(await store.findAuction(auctionIdOf(3))).toStrictEqual(sampleAuction({ id: 3, createdAtMs: 3 }))
    expect(await unreadable(findByIds(store, auctionIdsOf([1, 2, 3])))).toBe('auction')
    expect(idsOf(inOrderOfIds(await findByIds(store, auctionIdsOf([4, 1]))))).toEqual([1, 4])
    for (const limit of [1, 2, 10]) {
      expect(await walkOver(store, { order: 'newest', limit })).toEqual({ ids: [4, 3, 1], leftOut: 1 })
      expect(await walkOver(store, { order: 'newest', stages: agendaStages, limit })).toEqual({
        ids: [4, 3, 1],
        leftOut: 1,
      })
      expect(await walkOver(store, { order: 'agenda', limit })).toEqual({ ids: [1, 3, 4], leftOut: 1 })
    }
    expect(await store.insertAuction(sampleAuction({ id: 2 }))).toBe('taken')
    expect(await store.insertAuction(keyedAuction({ id: 9 }, creationKey('key-2')))).toBe('taken')
    const { epochMs } = sampleAuction().endTime
    await store.updateAgenda([due(2, epochMs + 5), due(1, epochMs + 9)])
    expect((await agendaOf(store)).map(([id]) => id)).toEqual([3, 4, 1])
  })
}

function entries({ test, expect }: Suite, damage: Damage, which: string): void {
  test(`fails for an entry that is ${which}, and reads the other entries`, async (subject) => {
    const { store } = subject
    const ledger = sampleEntries(3).map((entry) => ({ ...entry, requestKey: sampleKey(`key-${entry.sequence}`) }))
    const other = sampleEntry({ id: 9, auctionId: 2 })
    await store.append(ledger)
    await store.append([other])
    await subject.damage?.('entry', 3, damage)
    const calls = [
      store.findHeads(auctionIdsOf([1, 2])),
      store.findEntries(entryIdsOf([2, 3])),
      store.findEntriesByKey([sampleKey('key-3')]),
      store.listEntries(auctionIdOf(1), { limit: 2 }),
      ...(store.listBidderEntries ? [store.listBidderEntries(other.event.bidderId, { limit: 4 })] : []),
    ]
    expect(await Promise.all(calls.map(unreadable))).toEqual(calls.map(() => 'entry'))
    expect(await store.findHeads(auctionIdsOf([2]))).toStrictEqual([other])
    expect(await store.findEntries(entryIdsOf([2]))).toStrictEqual(ledger.slice(1, 2))
    expect(await store.findEntriesByKey([sampleKey('key-1')])).toStrictEqual(ledger.slice(0, 1))
    expect(await store.listEntries(auctionIdOf(1), { limit: 2, before: 3 })).toStrictEqual(
      ledger.slice(0, 2).toReversed(),
    )
    expect(await store.append([sampleEntry({ id: 10, sequence: 3 })])).toBe(0)
    expect(await store.append([sampleEntry({ id: 10, auctionId: 3, requestKey: 'key-3' })])).toBe(0)
    expect(await ledgerOf(store, 3)).toStrictEqual([])
  })
}
