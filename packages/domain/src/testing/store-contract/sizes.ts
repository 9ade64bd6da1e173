import type { Entry } from '../../ledger/entry.ts'
import { requestKeyOf } from '../../request-key.ts'
import { sampleAuction, sampleCancelled, sampleEntries, sampleEntry } from '../samples.ts'
import { agendaOf, auctionIdsOf, due, ended, idsOf, inBatches, inOrderOfIds, ledgerOf, range } from './helpers.ts'
import type { Suite } from './suite.ts'

/** How many entries, heads, keys or updates the domain names at once, at the most, unless a host raises `maxEntriesPerAppend`. */
const most = 500

const extendedEndMs = 253_402_300_799_999

/** Entries as long as they get: each says why its auction was cancelled. */
const longest: readonly Entry[] = range(1, most).map((sequence) => {
  const id = Number.MAX_SAFE_INTEGER - most + sequence
  const bid = { bidderId: Number.MAX_SAFE_INTEGER, amountMinor: 1e15 - 2, maximumMinor: 1e15 - 1 }
  const entry = sampleCancelled({ id, sequence: 2, ...bid, extendedEndMs }, '🏺'.repeat(500))
  const key = `${'~'.repeat(250)}${10_000 + sequence}`
  return { ...entry, sequence, requestKey: requestKeyOf('place-bid', { caller: '🏺'.repeat(100), key }) }
})

/** The largest that the domain asks for. */
export function sizes({ test, expect }: Suite): void {
  test('takes the largest append, and finds all of it at once', async ({ store }) => {
    expect(await store.append(longest)).toBe(most)
    expect(inOrderOfIds(await store.findEntries(longest.map(({ id }) => id)))).toStrictEqual(longest)
    const keys = longest.flatMap(({ requestKey }) => requestKey ?? [])
    expect(inOrderOfIds(await store.findEntriesByKey(keys))).toStrictEqual(longest)
  })

  test('takes several of the longest appends at once', async ({ store }) => {
    const ledgers = range(1, 5).map((auctionId) => sampleEntries(most, { auctionId, afterId: auctionId * 1_000 }))
    const appended = await Promise.all(ledgers.map((ledger) => store.append(ledger)))
    expect(appended).toEqual([most, most, most, most, most])
    for (const [index, ledger] of ledgers.entries()) expect(await ledgerOf(store, index + 1)).toStrictEqual(ledger)
  })

  test('finds the heads of as many auctions as are named at once', async ({ store }) => {
    const withEntries = range(1, most / 25).map((index) => index * 25)
    const heads = withEntries.map((id) => sampleEntry({ id, auctionId: id }))
    for (const head of heads) expect(await store.append([head])).toBe(1)
    expect(inOrderOfIds(await store.findHeads(auctionIdsOf(range(1, most))))).toStrictEqual(heads)
  })

  test('lists as much of the agenda as closing asks for at once, and updates it at once', async ({ store }) => {
    const ids = range(1, most + 1)
    const inserted = await inBatches(ids, (id) => store.insertAuction(sampleAuction({ id })))
    expect(new Set(inserted)).toEqual(new Set(['inserted']))
    const { items, next } = await store.listAuctions({ order: 'agenda', limit: 2 * most })
    expect([idsOf(items.map(({ auction }) => auction)), next]).toEqual([ids, undefined])
    await store.updateAgenda(ids.map((id) => (id % 2 === 0 ? ended(id, 5) : due(id, extendedEndMs - id))))
    const odd = ids.filter((id) => id % 2 === 1).toReversed()
    expect(await agendaOf(store)).toEqual(odd.map((id) => [id, extendedEndMs - id]))
  })
}
