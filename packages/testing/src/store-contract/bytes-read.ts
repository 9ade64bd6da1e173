import type { Store } from '@auction/domain/store'
import { sampleAuction } from '../samples.ts'
import { auctionIdOf, auctionIdsOf, canSearch, insertAll, range } from './helpers.ts'
import type { Suite } from './suite.ts'

const ids = range(1, 20)
const descriptionLength = 10_000

/** Lists do not read what they do not return. */
export function bytesRead(suite: Suite): void {
  suite.needing('bytesRead', () => declare(suite))
}

const calls: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  'the newest': (store) => store.listAuctions({ order: 'newest', limit: 20 }),
  'the agenda': (store) => store.listAuctions({ order: 'agenda', limit: 20 }),
  'those of a word, if titles can be searched': (store) =>
    store.listAuctions({ order: 'newest', limit: 20, ...(canSearch(store) && { words: ['desk'] }) }),
  'those of ids': (store) => store.findAuctions({ ids: auctionIdsOf(ids) }),
}

function declare({ test, expect }: Suite): void {
  test('reads no descriptions for lists', async ({ store, bytesRead: countBytes }) => {
    // Texts that do not repeat, which no compression shortens to a tenth.
    const descriptionOf = (id: number) =>
      range(1, 2_500)
        .map((index) => ((index * index * id) % 7_919) + 1_000)
        .join('')
    await insertAll(
      store,
      ids.map((id) => ({ id, title: 'A desk', description: descriptionOf(id).slice(0, descriptionLength) })),
    )
    const bytesOf = async (call: () => Promise<unknown>) => {
      const before = (await countBytes?.()) ?? 0
      await call()
      return ((await countBytes?.()) ?? 0) - before
    }
    const single = await bytesOf(() => store.findAuction(auctionIdOf(1)))
    expect(single >= descriptionLength / 4 ? 'counted' : single).toBe('counted')
    for (const [list, call] of Object.entries(calls)) {
      const bytes = await bytesOf(() => call(store))
      expect([list, bytes < (ids.length * descriptionLength) / 4 ? 'few' : bytes]).toEqual([list, 'few'])
    }
    expect((await store.findAuction(auctionIdOf(1)))?.ownerId).toBe(sampleAuction().ownerId)
  })
}
