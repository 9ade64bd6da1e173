import { checkpointsContract } from '@auction/testing/checkpoints-contract'
import { connectionFaults, proxyHooks } from '@auction/testing/proxied-store'
import { checkpointsOf } from '@auction/testing/reused-subjects'
import { sqlHooks } from '@auction/testing/sql-subject'
import { storeContract } from '@auction/testing/store-contract'
import { Client } from 'pg'
import { afterAll } from 'vitest'
import { describePostgresql } from '../../../../tools/vitest/postgresql.ts'
import { schemaFormat } from '../../src/postgresql/schema.ts'
import { contractSubjects, samplingRunner } from '../contract-subjects.ts'
import { connectProxiedStore } from './support.ts'

/** The type of a message is its first byte: statements are parsed or bound. Connection setup uses simple queries. */
const isStatement = (message: string) => /^[PB]/.test(message)

describePostgresql('the contract of stores', (database) => {
  /** A session that no store uses. */
  let session: Promise<Client> | undefined
  async function openSession(): Promise<Client> {
    const client = new Client({ connectionString: await database() })
    await client.connect()
    return client
  }

  const subjects = contractSubjects(2_500, async (timeoutMs) => {
    session ??= openSession()
    const client = await session
    const hooks = sqlHooks((statement) => client.query(statement), 'auctions')
    const proxied = await connectProxiedStore(await database(), timeoutMs, async () => {
      // A statement that was sent before its connection broke may still run.
      await client.query(`
        SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()`)
      await client.query(`UPDATE auctions.format SET version = ${schemaFormat}`)
      await hooks.empty()
    })
    return {
      store: proxied.store,
      ...proxyHooks(proxied, isStatement),
      ...hooks,
      async otherFormat() {
        await client.query('UPDATE auctions.format SET version = 99')
        return '99'
      },
      close: proxied.close,
    }
  })
  afterAll(async () => {
    await subjects.close()
    await (await session)?.end()
  })

  const options = { faults: connectionFaults, knowsAppends: true } as const
  const runner = samplingRunner()
  storeContract(runner, subjects.makeSubject, options)
  checkpointsContract(runner, checkpointsOf(subjects.makeSubject))
})
