import { expect, test } from 'vitest'
import { describePostgresql, execute } from '../../../../tools/vitest/postgresql.ts'
import { connectPostgresqlStore } from '../../src/postgresql/postgresql-store.ts'
import { blockOf, expectTextsRemoved, serviceOn, storeTexts } from '../personal-data.ts'

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
    await first.close()
    expect(await rowsOf('user 42')).not.toEqual([])
    await execute(uri, await blockOf('delete-personal-data', 'remove-texts-in-postgresql'))

    for (const text of ['user 42', 'kontor']) expect(await rowsOf(text)).toEqual([])
    const { service } = await start('2030-01-31T12:00:01Z')
    await expectTextsRemoved(service, Date.parse('2030-01-31T12:00:00Z'))
  })
})
