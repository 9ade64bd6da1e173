import { onTestFinished, test } from 'vitest'
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
      `SELECT concat_ws(' ', table_name, column_name, data_type, collation_name, 'nullable ' || is_nullable, column_default) AS line
       FROM information_schema.columns WHERE table_schema = 'auctions' ORDER BY table_name, ordinal_position`,
    )
    const indexes = await execute(
      uri,
      "SELECT indexdef AS line FROM pg_indexes WHERE schemaname = 'auctions' ORDER BY 1",
    )
    const linesOf = async (table: string) => {
      const rows = await execute(uri, `SELECT data FROM auctions.${table}`)
      return shapeOf(
        `${table}.data`,
        rows.map(({ data }) => JSON.parse(data)),
      )
    }
    const data = (await Promise.all(['auctions', 'entries'].map(linesOf))).flat()
    const [format] = await execute(uri, 'SELECT version FROM auctions.format')
    const schema = [...columns, ...indexes].map(({ line }) => String(line))
    await expectRecordedShape('postgresql', format?.['version'], [...schema, ...data])
  })
})
