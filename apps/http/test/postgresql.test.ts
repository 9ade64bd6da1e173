import { connectPostgresqlStore } from '@auction/adapters/postgresql'
import { expect, test } from 'vitest'
import { describePostgresql, execute } from '../../../tools/vitest/postgresql.ts'
import { startProcess } from './support/server-process.ts'
import { sharedDatabaseTests } from './support/shared-database.ts'
import { secret } from './support/tokens.ts'

describePostgresql('the service', (database) => {
  test('checks a database without a change', async () => {
    const checked = startProcess({ POSTGRESQL_URI: await database(), JWT_SECRET: secret }, { args: ['--check'] })
    expect(await checked.exited()).toBe(0)
    expect(checked.stdout()).toMatch(/^Store: PostgreSQL at .*, database .*$/m)
    expect(checked.stdout() + checked.stderr()).not.toContain(new URL(await database()).password || 'no password')
    expect(await execute(await database(), "SELECT FROM pg_namespace WHERE nspname = 'auctions'")).toEqual([])
  })

  sharedDatabaseTests({
    name: 'PostgreSQL',
    settings: async () => ({ POSTGRESQL_URI: await database() }),
    connect: async () => connectPostgresqlStore(await database()),
  })
})
