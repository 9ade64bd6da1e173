import { checkpointsContract } from '@auction/testing/checkpoints-contract'
import { storeContract } from '@auction/testing/store-contract'
import { Client } from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { describePostgresql } from '../../../../tools/vitest/postgresql.ts'
import { connectionFaults, hooksOf } from '../proxied-store.ts'
import { reuseSubjects } from '../reused-subjects.ts'
import { connectProxiedStore } from './support.ts'

const runner = { describe, test, expect }

/** The type of a message is its first byte: statements are parsed or bound. Connection setup uses simple queries. */
const isStatement = (request: Buffer) =>
  request.toString('latin1', 0, 1) === 'P' || request.toString('latin1', 0, 1) === 'B'

const damages = {
  'another version': `data = replace(data, '"version":1', '"version":99')`,
  'an invalid field': `data = replace(data, '"USD"', 'true')`,
  'text that is not JSON': 'data = left(data, 30)',
} as const

const heldRows = (id: number) =>
  `INSERT INTO auctions.auctions (id, owner_id, product_id, created_at_ms, stage, stage_ms, data)
     VALUES (${id}, 1, 7, 0, 0, 0, '');
   INSERT INTO auctions.entries (id, auction_id, sequence, at_ms, data) VALUES (${id}, ${id}, 1, 0, '')`

const tables = ['auctions', 'title_words', 'entries', 'id_blocks', 'checkpoints']

describePostgresql('the contract of stores', (database) => {
  const subjects = reuseSubjects(async () => {
    const uri = await database()
    const proxied = await connectProxiedStore(uri)
    const client = new Client({ connectionString: uri })
    await client.connect()
    return {
      store: proxied.store,
      ...hooksOf(proxied, isStatement),
      damage: async (kind, id, damage) => {
        const table = kind === 'auction' ? 'auctions' : 'entries'
        await client.query(`UPDATE auctions.${table} SET ${damages[damage]} WHERE id = ${id}`)
      },
      async holdKeys(id) {
        await client.query(`BEGIN; ${heldRows(id)}`)
        return async () => void (await client.query('ROLLBACK'))
      },
      async otherFormat() {
        await client.query('UPDATE auctions.format SET version = 99')
        return '99'
      },
      empty: async () => {
        await client.query(tables.map((table) => `DELETE FROM auctions.${table}`).join(';'))
      },
      close: async () => {
        await client.end()
        await proxied.close()
      },
    }
  })
  afterAll(subjects.close)

  const options = { faults: connectionFaults, knowsAppends: true } as const
  storeContract(runner, subjects.makeSubject, options)
  checkpointsContract(runner, subjects.makeCheckpoints)
})
