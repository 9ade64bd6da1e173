import type { Entry, Store, StoredAuction } from '@auction/domain/store'
import { sampleAuction, sampleEntries, sampleEntry, sampleKey } from '../samples.ts'
import {
  auctionIdOf,
  creationKey,
  headOf,
  idsOf,
  keyedAuction,
  ledgerOf,
  listed,
  range,
  sequencesOf,
} from './helpers.ts'
import { fill, outcomeOfFault, outcomesOf, reads, rightReads, rightWrites, writes } from './operations.ts'
import { otherHandle, type Suite } from './suite.ts'

// A failed write may arrive later, so a repeated write may be taken by the first one.
const maxSends = 10

/** Does what the domain does after a failure: looks for the entries by their ids, and repeats those that are missing. */
async function sendUntilStored(store: Store, entries: readonly Entry[]): Promise<void> {
  for (let sends = 0; sends < maxSends; sends++) {
    const found = new Set(idsOf(await store.findEntries(entries.map(({ id }) => id))))
    const rest = entries.filter(({ id }) => !found.has(id))
    if (rest.length === 0) return
    await store.append(rest)
  }
}

async function insertUntilStored(store: Store, auction: StoredAuction): Promise<void> {
  for (let sends = 0; sends < maxSends; sends++) {
    if ((await store.findAuction(auction.id)) !== undefined) return
    await store.insertAuction(auction)
  }
}

/** An unavailable store reports that, and keeps working after it recovers. */
export function failures(suite: Suite): void {
  suite.needing('breakStore', () => {
    errors(suite)
    aftermath(suite)
  })
}

function errors({ test, expect }: Suite): void {
  test('fails every write with the code store-unavailable and a cause while it is unavailable', async ({
    store,
    breakStore,
  }) => {
    await fill(store)
    const repair = await breakStore?.()
    const outcomes = await outcomesOf(writes, store, { outcome: outcomeOfFault })
    await repair?.()
    expect(outcomes).toStrictEqual(rightWrites)
  })

  test('fails every read with the code store-unavailable and a cause while it is unavailable', async ({
    store,
    breakStore,
  }) => {
    await fill(store)
    const repair = await breakStore?.()
    const outcomes = await outcomesOf(reads, store, { outcome: outcomeOfFault })
    await repair?.()
    expect(outcomes).toStrictEqual(rightReads(outcomes))
  })
}

function aftermath({ test, expect }: Suite): void {
  test('works again after it recovers, and has kept its data', async (subject) => {
    const { store, breakStore } = subject
    await store.insertAuction(keyedAuction({ id: 1 }, creationKey('a')))
    await store.append(sampleEntries(3))
    await store.claimIdBlock('auctions', 5)
    const repair = await breakStore?.()
    await outcomesOf({ ...reads, ...writes }, store)
    await repair?.()

    expect(await store.findAuction(auctionIdOf(1))).toStrictEqual(sampleAuction({ id: 1 }))
    expect(await store.findAuctionByKey(creationKey('a'))).toStrictEqual(sampleAuction({ id: 1 }))
    expect(await ledgerOf(store)).toStrictEqual(sampleEntries(3))
    expect(await store.highestIdBlock('auctions')).toBe(5)
    expect(await store.insertAuction(sampleAuction({ id: 2 }))).toBe('inserted')
    expect(await store.append(sampleEntries(4).slice(3))).toBe(1)
    expect(await headOf(store)).toStrictEqual(sampleEntries(4)[3])
    expect(await store.claimIdBlock('auctions', 6)).toBe('claimed')
    const other = await otherHandle(subject)
    expect(await other.findAuction(auctionIdOf(2))).toStrictEqual(sampleAuction({ id: 2 }))
    expect(await headOf(other)).toStrictEqual(sampleEntries(4)[3])
  })

  test('stores no part of an auction whose insert failed', async ({ store, breakStore }) => {
    const auction = keyedAuction({ id: 1 }, creationKey('a'))
    const repair = await breakStore?.()
    await store.insertAuction(auction).catch(() => undefined)
    await repair?.()
    await insertUntilStored(store, auction)
    const shown = sampleAuction({ id: 1 })
    expect(await store.findAuction(auction.id)).toStrictEqual(shown)
    expect(await store.findAuctionByKey(creationKey('a'))).toStrictEqual(shown)
    expect(await listed(store)).toStrictEqual([shown])
    expect(await listed(store, { order: 'agenda' })).toStrictEqual([shown])
  })

  test('stores no part of an entry whose append failed', async ({ store, breakStore }) => {
    const keys = ['a', 'b', 'c']
    const entries = keys.map((requestKey, index) => sampleEntry({ id: index + 1, sequence: index + 1, requestKey }))
    const repair = await breakStore?.()
    await store.append(entries).catch(() => undefined)
    await repair?.()
    const sequences = sequencesOf(await ledgerOf(store))
    expect(sequences).toEqual(range(1, sequences.length))
    await sendUntilStored(store, entries)
    expect(await ledgerOf(store)).toStrictEqual(entries)
    for (const key of keys) expect((await store.findEntriesByKey([sampleKey(key)])).length).toBe(1)
    expect(await headOf(store)).toStrictEqual(entries[2])
  })

  test('stores a failed claim of a block of ids completely or not at all', async ({ store, breakStore }) => {
    const repair = await breakStore?.()
    await store.claimIdBlock('entries', 1).catch(() => undefined)
    await repair?.()
    await store.claimIdBlock('entries', 1)
    expect(await store.highestIdBlock('entries')).toBe(1)
    expect(await store.claimIdBlock('entries', 1)).toBe('taken')
  })

  test('keeps what it reports as stored when it fails at that moment', async ({ store, breakStore }) => {
    const ledgers = range(1, 20).map((auctionId) => sampleEntries(3, { auctionId, afterId: auctionId * 10 }))
    const underWay = ledgers.map((ledger) => store.append(ledger).catch(() => undefined))
    const repair = await breakStore?.()
    const appended = await Promise.all(underWay)
    await repair?.()
    for (const [index, ledger] of ledgers.entries()) {
      if (appended[index] !== undefined) expect(appended[index]).toBe(3)
      else await sendUntilStored(store, ledger)
      expect(await ledgerOf(store, index + 1)).toStrictEqual(ledger)
    }
  })
}
