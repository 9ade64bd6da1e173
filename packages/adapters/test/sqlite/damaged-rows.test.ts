import { test } from 'vitest'
import { type Damage, expectManySteppedOver, expectSteppedOver } from '../damaged-data.ts'
import { connectTo, testFile } from './support.ts'

async function storeAndDamage() {
  const { file, open } = await testFile()
  const store = await open()
  const kinds = [
    "json_set(data, '$.reservePriceMinor', 5133.33)",
    "substr(data, 1, instr(data, '5133') + 5)",
    "json_remove(data, '$.endTime')",
  ]
  const damage: Damage = {
    async auctions(ids) {
      const database = connectTo(file)
      for (const [index, id] of ids.entries()) {
        database.exec(`UPDATE auctions SET data = ${kinds[index % kinds.length]} WHERE id = ${id}`)
      }
    },
    async entriesOf(auctionId) {
      connectTo(file).exec(
        `UPDATE entries SET data = json_set(data, '$.state.leader.maximumMinor', 5133.33) WHERE auctionId = ${auctionId}`,
      )
    },
    open,
  }
  return [store, damage] as const
}

test('unreadable rows do not block others', async () => {
  await expectSteppedOver(...(await storeAndDamage()))
})

test('unreadable rows do not block others, in any number', async () => {
  await expectManySteppedOver(...(await storeAndDamage()))
})
