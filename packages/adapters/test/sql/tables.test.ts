import { expect, test } from 'vitest'
import { describePostgresql, execute } from '../../../../tools/vitest/postgresql.ts'
import { connectPostgresqlStore } from '../../src/postgresql/postgresql-store.ts'
import { sqlTypes, tableStatements } from '../../src/sql/sql-store.ts'

describePostgresql('the published tables', (database) => {
  test('have the columns of the adapter, which alone has those that only it needs', async () => {
    const uri = await database()
    await (await connectPostgresqlStore(uri)).close()
    const statements = tableStatements(sqlTypes.postgresql).join(';')
    // The second time, nothing is missing.
    for (const create of [statements, statements]) await execute(uri, create)
    const columnsIn = async (schema: string) => {
      const rows = await execute(
        uri,
        `SELECT table_name || '.' || column_name || ' ' || is_nullable AS name
         FROM information_schema.columns WHERE table_schema = '${schema}' ORDER BY name`,
      )
      return rows.map(({ name }) => name)
    }
    const own = ['entries.transaction_id', 'format.version']
    const adapter = await columnsIn('auctions')
    expect(await columnsIn('public')).toEqual(adapter.filter((column) => !own.some((name) => column.startsWith(name))))
  })
})
