import { checkpointsContract } from '@auction/testing/checkpoints-contract'
import { connectionFaults, proxyHooks } from '@auction/testing/proxied-store'
import { checkpointsOf, reuseSubjects } from '@auction/testing/reused-subjects'
import { sqlHooks } from '@auction/testing/sql-subject'
import { storeContract } from '@auction/testing/store-contract'
import { Client } from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { describePostgresql } from '../../../../tools/vitest/postgresql.ts'
import { isLong } from '../../../../tools/vitest/size.ts'
import { connectProxiedStore } from './support.ts'

const runner = { describe, test, expect }

/** The type of a message is its first byte: statements are parsed or bound. Connection setup uses simple queries. */
const isStatement = (message: string) => /^[PB]/.test(message)

describePostgresql('the contract of stores', (database) => {
  const subjects = reuseSubjects(
    async () => {
      const uri = await database()
      const proxied = await connectProxiedStore(uri)
      const client = new Client({ connectionString: uri })
      await client.connect()
      return {
        store: proxied.store,
        ...proxyHooks(proxied, isStatement),
        ...sqlHooks((statement) => client.query(statement), 'auctions'),
        async otherFormat() {
          await client.query('UPDATE auctions.format SET version = 99')
          return '99'
        },
        close: async () => {
          await client.end()
          await proxied.close()
        },
      }
    },
    { isReused: !isLong },
  )
  afterAll(subjects.close)

  const options = { faults: connectionFaults, knowsAppends: true } as const
  storeContract(runner, subjects.makeSubject, options)
  checkpointsContract(runner, checkpointsOf(subjects.makeSubject))
})
