import { test } from 'vitest'
import { describePostgresql, ownPostgresqlServer } from '../../../../tools/vitest/postgresql.ts'
import { onOwnPostgresql, onPostgresql } from './on-postgresql.ts'
import { expectPromisesKept, promise, timeoutMs } from './promises.ts'

describePostgresql('two HTTP servers under faults', (ownDatabase) => {
  test(
    promise,
    async () => {
      const server = await ownPostgresqlServer()
      await expectPromisesKept(
        await (server === undefined ? onPostgresql(await ownDatabase()) : onOwnPostgresql(server)),
        10,
      )
    },
    timeoutMs,
  )
})
