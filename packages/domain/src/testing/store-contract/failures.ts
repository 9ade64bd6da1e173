import type { Entry } from '../../ledger/entry.ts'
import type { Store, StoredAuction } from '../../store.ts'
import { isStoreUnavailable } from '../../store-unavailable.ts'
import { sampleAuction, sampleEntries, sampleEntry, sampleKey } from '../samples.ts'
import {
  auctionIdOf,
  auctionIdsOf,
  auctionsOfOnePartition,
  creationKey,
  entryIdsOf,
  headOf,
  idsOf,
  keyedAuction,
  ledgerOf,
  listed,
  range,
  sequencesOf,
} from './helpers.ts'
import { otherHandle, type StoreSubject, type Suite } from './suite.ts'

/** Every operation, on what nobody has asked for or stored before. */
const operations: Readonly<
  Record<Exclude<keyof Store, 'partitions' | 'partitionOf'>, (store: Store) => Promise<unknown>>
> = {
  insertAuction: (store) => store.insertAuction(keyedAuction({ id: 91 }, creationKey('new'))),
  findAuction: (store) => store.findAuction(auctionIdOf(92)),
  findAuctionByKey: (store) => store.findAuctionByKey(creationKey('other')),
  listAuctions: (store) => store.listAuctions({ order: 'newest', limit: 3 }),
  append: (store) => store.append([sampleEntry({ id: 91, auctionId: 91 })]),
  findHeads: (store) => store.findHeads(auctionIdsOf([92])),
  findEntries: (store) => store.findEntries(entryIdsOf([92])),
  findEntriesByKey: (store) => store.findEntriesByKey([sampleKey('other')]),
  listEntries: (store) => store.listEntries(auctionIdOf(92), { limit: 3 }),
  claimIdBlock: (store) => store.claimIdBlock('entries', 91),
  highestIdBlock: (store) => store.highestIdBlock('auctions'),
}

/** What each operation throws while the store is broken; the operations that return something are listed apart. */
async function errorsOf({ store, breakStore }: StoreSubject) {
  const repair = await breakStore?.()
  const returned: string[] = []
  const errors: (readonly [operation: string, error: unknown])[] = []
  await Promise.all(
    Object.entries(operations).map(async ([name, call]) => {
      try {
        await call(store)
        returned.push(name)
      } catch (error) {
        errors.push([name, error])
      }
    }),
  )
  await repair?.()
  return { returned, errors }
}

// A write that failed may arrive in a moment, so whoever sends it again may find it taken by itself.
const maxSends = 10

/** Does what the domain does after a failure: looks for the entries by their ids, and sends those again that are not found. */
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

/** A store that can't be asked says so, and is none the worse for it afterwards. */
export function failures(suite: Suite): void {
  suite.needing('breakStore', () => {
    errors(suite)
    aftermath(suite)
  })
}

function errors({ test, expect }: Suite): void {
  test('fails with the code store-unavailable when it can’t be asked, whatever the operation', async (subject) => {
    const { returned, errors } = await errorsOf(subject)
    expect(returned).toEqual([])
    const others = errors.filter(([, error]) => !isStoreUnavailable(error))
    expect(others.map(([operation, error]) => `${operation}: ${String(error)}`)).toEqual([])
  })

  test('claims for no failure that nothing has changed, since others may know more', async (subject) => {
    const { errors } = await errorsOf(subject)
    expect(errors.length > 0).toBe(true)
    const outcomes = errors.map(([, error]) =>
      typeof error === 'object' && error !== null && 'outcome' in error ? error.outcome : 'unknown',
    )
    expect(new Set(outcomes)).toEqual(new Set(['unknown']))
  })
}

function aftermath({ test, expect }: Suite): void {
  test('works again when it can be asked again, and has kept what it had', async (subject) => {
    const { store } = subject
    await store.insertAuction(keyedAuction({ id: 1 }, creationKey('a')))
    await store.append(sampleEntries(3))
    await store.claimIdBlock('auctions', 5)
    await errorsOf(subject)

    expect(await store.findAuction(auctionIdOf(1))).toStrictEqual(sampleAuction({ id: 1 }))
    expect(await store.findAuctionByKey(creationKey('a'))).toStrictEqual(sampleAuction({ id: 1 }))
    expect(await ledgerOf(store)).toStrictEqual(sampleEntries(3))
    expect(await store.highestIdBlock('auctions')).toBe(5)
    expect(await store.insertAuction(sampleAuction({ id: 2 }))).toBe('inserted')
    expect(await store.append(sampleEntries(4).slice(3))).toEqual({ stored: 1 })
    expect(await headOf(store)).toStrictEqual(sampleEntries(4)[3])
    expect(await store.claimIdBlock('auctions', 6)).toBe('claimed')
    const other = await otherHandle(subject)
    expect(await other.findAuction(auctionIdOf(2))).toStrictEqual(sampleAuction({ id: 2 }))
    expect(await headOf(other)).toStrictEqual(sampleEntries(4)[3])
  })

  test('leaves no part of an auction behind whose insert failed', async ({ store, breakStore }) => {
    const auction = keyedAuction({ id: 1 }, creationKey('a'))
    const repair = await breakStore?.()
    await store.insertAuction(auction).catch(() => undefined)
    await repair?.()
    await insertUntilStored(store, auction)
    const shown = sampleAuction({ id: 1 })
    expect(await store.findAuction(auction.id)).toStrictEqual(shown)
    expect(await store.findAuctionByKey(creationKey('a'))).toStrictEqual(shown)
    expect(await listed(store)).toStrictEqual([shown])
    expect(await listed(store, { order: 'endTime' })).toStrictEqual([shown])
  })

  test('leaves no part of an entry behind whose append failed', async ({ store, breakStore }) => {
    const [a, b] = auctionsOfOnePartition(store)
    const entries = [
      sampleEntry({ id: 1, auctionId: a, requestKey: 'a' }),
      sampleEntry({ id: 2, auctionId: b, requestKey: 'b' }),
      sampleEntry({ id: 3, auctionId: a, sequence: 2, requestKey: 'c' }),
    ]
    const repair = await breakStore?.()
    await store.append(entries).catch(() => undefined)
    await repair?.()
    for (const auctionId of [a, b]) {
      const sequences = sequencesOf(await ledgerOf(store, auctionId))
      expect(sequences).toEqual(range(1, sequences.length))
    }
    await sendUntilStored(store, entries)
    expect([...(await ledgerOf(store, a)), ...(await ledgerOf(store, b))]).toStrictEqual(
      [0, 2, 1].flatMap((index) => entries.slice(index, index + 1)),
    )
    for (const key of ['a', 'b', 'c']) expect((await store.findEntriesByKey([sampleKey(key)])).length).toBe(1)
    expect(await headOf(store, a)).toStrictEqual(entries[2])
  })

  test('leaves a block of ids claimed or not, when its claim failed', async ({ store, breakStore }) => {
    const repair = await breakStore?.()
    await store.claimIdBlock('entries', 1).catch(() => undefined)
    await repair?.()
    await store.claimIdBlock('entries', 1)
    expect(await store.highestIdBlock('entries')).toBe(1)
    expect(await store.claimIdBlock('entries', 1)).toBe('taken')
  })

  test('has what it says that it has stored, though it fails at that moment', async ({ store, breakStore }) => {
    const ledgers = range(1, 20).map((auctionId) => sampleEntries(3, { auctionId, afterId: auctionId * 10 }))
    const underWay = ledgers.map((ledger) => store.append(ledger).catch(() => undefined))
    const repair = await breakStore?.()
    const appended = await Promise.all(underWay)
    await repair?.()
    for (const [index, ledger] of ledgers.entries()) {
      if (appended[index] !== undefined) expect(appended[index]).toEqual({ stored: 3 })
      else await sendUntilStored(store, ledger)
      expect(await ledgerOf(store, index + 1)).toStrictEqual(ledger)
    }
  })
}
