import { type Document, MongoClient } from 'mongodb'
import { onTestFinished, test } from 'vitest'
import { describeMongo, ownDatabase } from '../../../../tools/vitest/mongodb.ts'
import { connectMongoStore, type MongoStore } from '../../src/mongodb/mongo-store.ts'
import { type Damage, expectManySteppedOver, expectSteppedOver } from '../damaged-data.ts'

async function storeAndDamage() {
  const { uri, drop } = ownDatabase()
  const stores: MongoStore[] = []
  const open = async () => {
    const store = await connectMongoStore(uri)
    stores.push(store)
    return store
  }
  const client = new MongoClient(uri)
  onTestFinished(async () => {
    await Promise.all([...stores.map((store) => store.close()), client.close()])
    await drop()
  })
  const collection = (name: string) => client.db().collection<Document & { _id: number }>(name)
  const kinds: readonly Document[] = [
    { $set: { reservePriceMinor: 5133.33 } },
    { $unset: { endTime: '' } },
    { $set: { createdAtMs: '5133.33' } },
  ]
  const damage: Damage = {
    async auctions(ids) {
      for (const [index, id] of ids.entries()) {
        await collection('auctions').updateOne({ _id: id }, kinds[index % kinds.length] ?? {})
      }
    },
    async entriesOf(auctionId) {
      const fault = { $set: { 'state.leader.maximumMinor': 5133.33 } }
      await collection('entries').updateMany({ auctionId }, fault)
    },
    open,
  }
  return [await open(), damage] as const
}

describeMongo('unreadable documents', () => {
  test('do not block others', async () => {
    await expectSteppedOver(...(await storeAndDamage()))
  })

  test('do not block others, in any number', async () => {
    await expectManySteppedOver(...(await storeAndDamage()))
  })
})
