import { connectPostgresqlStore } from '@auction/adapters/postgresql'
import { expect, test } from 'vitest'
import { describePostgresql } from '../../../tools/vitest/postgresql.ts'
import { startProcess } from './support/server-process.ts'
import { sharedDatabaseTests } from './support/shared-database.ts'
import { secret } from './support/tokens.ts'

describePostgresql('the service', (database) => {
  test('checks a database without a change', async () => {
    for (const _ of [1, 2]) {
      const checked = startProcess({ POSTGRESQL_URI: await database(), JWT_SECRET: secret }, { args: ['--check'] })
      expect(await checked.exited()).toBe(0)
      expect(checked.stdout()).toMatch(
        /^Store: PostgreSQL at .*: can be used; a start would create the schema auctions$/m,
      )
      expect(checked.stdout() + checked.stderr()).not.toContain(new URL(await database()).password || 'no password')
    }
  })

  sharedDatabaseTests({
    name: 'PostgreSQL',
    settings: async () => ({ POSTGRESQL_URI: await database() }),
    connect: async () => connectPostgresqlStore(await database()),
  })
})
