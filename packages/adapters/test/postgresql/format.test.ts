import { expect, onTestFinished, test } from 'vitest'
import { describePostgresql, execute } from '../../../../tools/vitest/postgresql.ts'
import { connectPostgresqlStore } from '../../src/postgresql/postgresql-store.ts'
import { expectRecordedShape, shapeOf, storeOneOfEach } from '../stored-shape.ts'
import { dropSchema } from './support.ts'

describePostgresql('the format of the schema', (database) => {
  test('has a new number if tables, indexes or rows change', async () => {
    const uri = await database()
    const store = await connectPostgresqlStore(uri)
    onTestFinished(async () => {
      await store.close()
      await dropSchema(uri)
    })
    await storeOneOfEach(store)
    const columns = await execute(
      uri,
      `SELECT table_name AS table, column_name AS column, data_type AS type, collation_name AS collation,
         is_nullable AS nullable, column_default AS "default"
       FROM information_schema.columns WHERE table_schema = 'auctions' ORDER BY 1, ordinal_position`,
    )
    const indexes = await execute(uri, "SELECT indexdef FROM pg_indexes WHERE schemaname = 'auctions' ORDER BY 1")
    const dataOf = async (table: string) => {
      const rows = await execute(uri, `SELECT data FROM auctions.${table} ORDER BY id DESC`)
      return [table, shapeOf(rows.map(({ data }) => JSON.parse(data)))]
    }
    const data = Object.fromEntries(await Promise.all(['auctions', 'entries'].map(dataOf)))
    const [format] = await execute(uri, 'SELECT version FROM auctions.format')
    await expectRecordedShape('postgresql', format?.['version'], { columns, indexes, data })
    expect(columns.length).toBeGreaterThan(20)
  })
})
