import type { Store } from '@auction/domain/store'
import { sampleAuction, sampleEntry, sampleKey } from '../samples.ts'
import {
  agendaOf,
  auctionIdOf,
  auctionIdsOf,
  creationKey,
  due,
  entryIdsOf,
  idsOf,
  keyedAuction,
  ledgerOf,
  listed,
  range,
} from './helpers.ts'
import type { Suite } from './suite.ts'

const endMs = sampleAuction().endTime.epochMs

/** A client sees its writes after any earlier read: a cache does not return data that a write has changed. */
export function rereading({ test, expect }: Suite): void {
  test('finds stored data after earlier reads that did not find it', async ({ store }) => {
    for (const id of range(1, 3)) {
      const keys = [sampleKey(`key-${id}`)]
      const looks: Readonly<Record<string, () => Promise<unknown>>> = {
        auction: () => store.findAuction(auctionIdOf(id)),
        'auction by key': () => store.findAuctionByKey(creationKey(`key-${id}`)),
        head: () => store.findHeads(auctionIdsOf([id])),
        entry: () => store.findEntries(entryIdsOf([id])),
        'entry by key': () => store.findEntriesByKey(keys),
        entries: () => ledgerOf(store, id),
      }
      const found = async () => {
        const values: Record<string, unknown> = {}
        for (const [name, look] of Object.entries(looks)) values[name] = await look()
        return values
      }
      const nothing = { head: [], entry: [], 'entry by key': [], entries: [] }
      expect(await found()).toStrictEqual({ auction: undefined, 'auction by key': undefined, ...nothing })
      await store.insertAuction(keyedAuction({ id }, creationKey(`key-${id}`)))
      const auctions = { auction: sampleAuction({ id }), 'auction by key': sampleAuction({ id }) }
      expect(await found()).toStrictEqual({ ...auctions, ...nothing })
      const entry = sampleEntry({ id, auctionId: id, requestKey: `key-${id}` })
      await store.append([entry])
      const entries = { head: [entry], entry: [entry], 'entry by key': [entry], entries: [entry] }
      expect(await found()).toStrictEqual({ ...auctions, ...entries })
    }
  })

  test('returns the last stored data after earlier reads', async ({ store }) => {
    const latest = async () => ({
      head: idsOf(await store.findHeads(auctionIdsOf([1]))),
      entries: idsOf(await store.listEntries(auctionIdOf(1), { limit: 2 })),
      newest: idsOf(await listed(store, { limit: 2 })),
      agenda: await agendaOf(store),
      open: idsOf(await listed(store, { onlyOpen: true, limit: 1 })),
      blocks: [await store.highestIdBlock('auctions'), await store.highestIdBlock('entries')],
    })
    for (const turn of range(1, 4)) {
      await store.insertAuction(sampleAuction({ id: turn, createdAtMs: turn }))
      await store.updateAgenda([due(turn, endMs + turn)])
      await store.append([sampleEntry({ id: turn, sequence: turn })])
      await writeBlocks(store, turn)
      const lastTwo = turn === 1 ? [1] : [turn, turn - 1]
      const blocks = [turn, turn]
      expect(await latest()).toEqual({
        head: [turn],
        entries: lastTwo,
        newest: lastTwo,
        agenda: range(1, turn).map((id) => [id, endMs + id]),
        open: [turn],
        blocks,
      })
    }
  })
}

async function writeBlocks(store: Store, block: number): Promise<void> {
  await store.claimIdBlock('auctions', block)
  await store.claimIdBlock('entries', block)
}
