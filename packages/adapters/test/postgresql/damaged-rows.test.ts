import { onTestFinished, test } from 'vitest'
import { describePostgresql, execute } from '../../../../tools/vitest/postgresql.ts'
import { connectPostgresqlStore, type PostgresqlStore } from '../../src/postgresql/index.ts'
import { type Damage, expectManySteppedOver, expectSteppedOver } from '../damaged-data.ts'
import { dropSchema } from './support.ts'

const kinds = [
  `data = replace(data, '"version":1', '"version":99')`,
  `data = left(data, 60)`,
  `data = regexp_replace(data, '"reservePriceMinor":\\d+', '"reservePriceMinor":5133.33')`,
] as const

describePostgresql('unreadable rows', (database) => {
  async function storeAndDamage() {
    const uri = await database()
    const stores: PostgresqlStore[] = []
    const open = async () => {
      const store = await connectPostgresqlStore(uri)
      stores.push(store)
      return store
    }
    onTestFinished(async () => {
      await Promise.all(stores.map((store) => store.close()))
      await dropSchema(uri)
    })
    const damage: Damage = {
      async auctions(ids) {
        for (const [index, kind] of kinds.entries()) {
          const hit = ids.filter((_, position) => position % kinds.length === index)
          await execute(uri, `UPDATE auctions.auctions SET ${kind} WHERE id = ANY('{${hit.join()}}')`)
        }
      },
      async entriesOf(auctionId) {
        const fault = `data = regexp_replace(data, '"maximumMinor":\\d+', '"maximumMinor":5133.33', 'g')`
        await execute(uri, `UPDATE auctions.entries SET ${fault} WHERE auction_id = ${auctionId}`)
      },
      open,
    }
    return [await open(), damage] as const
  }

  test('do not block others', async () => {
    await expectSteppedOver(...(await storeAndDamage()))
  })

  test('do not block others, in any number', async () => {
    await expectManySteppedOver(...(await storeAndDamage()))
  })
})
