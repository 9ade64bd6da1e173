import { expect, test } from 'vitest'
import { describePostgresql, execute } from '../../../../tools/vitest/postgresql.ts'
import { connectPostgresqlStore } from '../../src/postgresql/postgresql-store.ts'
import {
  blockOf,
  expectPaddleRemoved,
  expectSaleRemoved,
  expectTextsRemoved,
  serviceOn,
  storePaddles,
  storeSale,
  storeTexts,
} from '../personal-data.ts'

describePostgresql('the how-to pages', (database) => {
  test('remove texts of a user, and keep all other data', async () => {
    const uri = await database()
    const start = (time: string) => serviceOn(() => connectPostgresqlStore(uri), time)
    const rowsOf = async (text: string) => {
      const tables = ['auctions', 'title_words', 'entries'].map(
        (table) => `SELECT t::text AS row FROM auctions.${table} AS t`,
      )
      return execute(uri, `SELECT row FROM (${tables.join(' UNION ALL ')}) AS rows WHERE row LIKE '%${text}%'`)
    }
    const first = await start('2030-01-31T12:00:00Z')
    await storeTexts(first.service)
    await storePaddles(first.service)
    await storeSale(first.service)
    await first.close()
    expect(await rowsOf('user 42')).not.toEqual([])
    const blocks = ['remove-texts', 'remove-paddle', 'remove-sale'].map((name) => `${name}-in-postgresql`)
    const statements = await Promise.all(blocks.map((block) => blockOf('delete-personal-data', block)))
    await execute(uri, statements.join('\n'))

    for (const text of ['user 42', 'kontor', 'Anna-42']) expect(await rowsOf(text)).toEqual([])
    const { service, store } = await start('2030-01-31T12:00:01Z')
    await expectTextsRemoved(service, Date.parse('2030-01-31T12:00:00Z'))
    await expectPaddleRemoved(service, store)
    await expectSaleRemoved(service, store)
  })
})
