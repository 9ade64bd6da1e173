import { requestKeyOf } from '@auction/domain/request-key'
import type { Entry } from '@auction/domain/store'
import { sampleAuction, sampleEntry, sampleKey } from '@auction/testing/samples'
import { expect, onTestFinished, test } from 'vitest'
import { describePostgresql, execute } from '../../../../tools/vitest/postgresql.ts'
import { isLong } from '../../../../tools/vitest/size.ts'
import { connectPostgresqlStore, type PostgresqlStore } from '../../src/postgresql/postgresql-store.ts'
import { dropSchema } from './support.ts'

/** The number of deadlocks that the server has resolved by ending a statement. */
async function deadlocksIn(uri: string): Promise<number> {
  const [row] = await execute(uri, 'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()')
  return Number(row?.['deadlocks'])
}

describePostgresql('appends', (database) => {
  /** Stores on one database, as two processes have them. */
  async function twoStores() {
    const uri = await database()
    const stores = await Promise.all([connectPostgresqlStore(uri), connectPostgresqlStore(uri)])
    onTestFinished(async () => {
      await Promise.all(stores.map((store) => store.close()))
      await dropSchema(uri)
    })
    return stores
  }

  const rounds = isLong ? 20 : 5
  const auctions = 500
  let nextId = 1
  const entriesOf = (sequence: number, keyOf: (auctionId: number) => string | undefined = () => undefined) =>
    Array.from({ length: auctions }, (_, index): Entry => {
      const entry = sampleEntry({ id: nextId++, auctionId: index + 1, sequence })
      const key = keyOf(index + 1)
      return key === undefined ? entry : { ...entry, requestKey: sampleKey(key) }
    })

  test('of many auctions in opposite orders do not deadlock', async () => {
    const [one, other] = await twoStores()
    for (let round = 1; round <= rounds; round++) {
      const [mine, theirs] = [entriesOf(round), entriesOf(round).toReversed()]
      const stored = await Promise.all([
        ...mine.map((entry) => one.append([entry])),
        ...theirs.map((entry) => other.append([entry])),
      ])
      expect(stored.reduce((sum, count) => sum + count)).toBe(auctions)
    }
    expect(await deadlocksIn(await database())).toBe(0)
  })

  test('with the same keys for auctions in opposite orders do not fail, and store each key once', async () => {
    const [one, other] = await twoStores()
    for (let round = 1; round <= rounds && (await deadlocksIn(await database())) === 0; round++) {
      const mine = entriesOf(2 * round, (auctionId) => `${round} ${auctionId}`)
      const theirs = entriesOf(2 * round + 1, (auctionId) => `${round} ${auctions + 1 - auctionId}`)
      const stored = await Promise.all([
        ...mine.map((entry) => one.append([entry])),
        ...theirs.map((entry) => other.append([entry])),
      ])
      expect(stored.reduce((sum, count) => sum + count)).toBe(auctions)
    }
  })

  test('of contended auctions store a prefix of each list, without gaps, while another process appends to them', async () => {
    const [one, other] = await twoStores()
    const ids = Array.from({ length: 40 }, (_, index) => sampleAuction({ id: index + 1 }).id)
    for (let round = 0; round < rounds; round++) {
      const heads = await one.findHeads(ids)
      const sequenceOf = new Map(heads.map(({ auctionId, sequence }) => [auctionId, sequence]))
      // One to three entries, so that a list of one process often reaches further than that of the other.
      const listsOf = (process: number) =>
        ids.map((auctionId) =>
          Array.from({ length: 1 + ((auctionId + round + process) % 3) }, (_, position) =>
            sampleEntry({ id: nextId++, auctionId, sequence: (sequenceOf.get(auctionId) ?? 0) + position + 1 }),
          ),
        )
      const [mine, theirs] = [listsOf(0), listsOf(1)]
      const append = (store: PostgresqlStore, lists: readonly (readonly Entry[])[]) =>
        Promise.all(lists.map((list) => store.append(list, { isContended: true })))
      const counts = await Promise.all([append(one, mine), append(other, theirs)])
      const stored = [mine, theirs].flatMap((lists, process) =>
        lists.flatMap((list, index) => list.slice(0, counts[process]?.[index])),
      )
      for (const auctionId of ids) {
        const sequence = sequenceOf.get(auctionId) ?? 0
        const added = (await one.listEntries(auctionId, { limit: 10 })).filter((entry) => entry.sequence > sequence)
        const expected = stored.filter((entry) => entry.auctionId === auctionId)
        expect(added.toReversed()).toEqual(expected)
        expect(expected.map((entry) => entry.sequence)).toEqual(expected.map((_, index) => sequence + index + 1))
        expect(expected.length).toBeGreaterThan(0)
      }
    }
  })

  test('keep a nul in the caller of a key', async () => {
    const [one, other] = await twoStores()
    const requestKey = requestKeyOf('place-bid', { caller: 'a\0b', key: 'c' })
    const entry = { ...sampleEntry({ id: nextId++ }), requestKey }
    expect(await one.append([entry])).toBe(1)
    expect(await other.findEntriesByKey([requestKey])).toEqual([entry])
  })
})

describePostgresql('updates of the agenda', (database) => {
  test('of many auctions in opposite orders do not deadlock', async () => {
    const uri = await database()
    const stores = await Promise.all([connectPostgresqlStore(uri), connectPostgresqlStore(uri)])
    onTestFinished(async () => Promise.all(stores.map((store) => store.close())).then(() => undefined))
    const ids = Array.from({ length: 300 }, (_, index) => sampleAuction({ id: index + 1 }).id)
    await Promise.all(ids.map((id) => stores[0].insertAuction(sampleAuction({ id }))))
    const dueMs = sampleAuction().endTime.epochMs
    for (let round = 1; round <= 20; round++) {
      const updates = ids.map((auctionId) => ({ auctionId, dueMs: dueMs + round }))
      await Promise.all([stores[0].updateAgenda(updates), stores[1].updateAgenda(updates.toReversed())])
    }
    const { items } = await stores[0].listAuctions({ order: 'agenda', limit: 1_000 })
    expect(new Set(items.map(({ position }) => position.timeMs))).toEqual(new Set([dueMs + 20]))
  })
})
