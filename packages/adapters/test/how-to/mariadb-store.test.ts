import { randomUUID } from 'node:crypto'
import { wordsOf } from '@auction/domain/auction'
import { checkpointsContract } from '@auction/testing/checkpoints-contract'
import { sampleAuction } from '@auction/testing/samples'
import { storeContract } from '@auction/testing/store-contract'
import type { Connection } from 'mariadb'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { connectToMariadb, describeMariadb } from '../../../../tools/vitest/mariadb.ts'
import { connectionFaults, hooksOf, proxyStore, type ServerStore } from '../proxied-store.ts'
import { type ReusableSubject, reuseSubjects } from '../reused-subjects.ts'
import { connectMariadbStore } from './mariadb-store.ts'

const runner = { describe, test, expect }

const damages = {
  'another version': `data = replace(data, '"version":1', '"version":99')`,
  'an invalid field': `data = replace(data, '"USD"', 'true')`,
  'text that is not JSON': 'data = left(data, 30)',
} as const

const tables = ['auctions', 'title_words', 'entries', 'id_blocks', 'checkpoints']

/** Many auctions of one owner with the same words. */
const growth = [
  `INSERT INTO auctions
   SELECT seq, NULL, owner_id, product_id, seq, seq % 6, seq, 0, data, NULL FROM auctions, seq_2_to_20000 WHERE id = 1`,
  `INSERT INTO title_words SELECT word, seq, seq FROM title_words, seq_2_to_20000 WHERE id = 1`,
]

const { id, ownerId, productId, title = '' } = sampleAuction()
const words = wordsOf(title)

/** Every kind of list. */
const queries = (['newest', 'agenda', 'ended'] as const).flatMap((order) =>
  [{}, { after: { order, timeMs: 10_000, id } }].flatMap((after) =>
    [{}, { ownerId }, { ownerId, productId }, ...(order === 'newest' ? [{ words }, { words, ownerId }] : [])].map(
      (filter) => ({ order, ...after, ...filter }),
    ),
  ),
)

/** A query, except those that set up a connection. The fifth byte of a message is its kind. */
const isStatement = (request: Buffer) => request[4] === 3 && !/^set /i.test(request.toString('latin1', 5))

async function connect(uri: string): Promise<ServerStore> {
  const store = await connectMariadbStore(uri)
  return { ...store, ping: async () => void (await store.findAuctions({ ids: [] })) }
}

/** A store in an empty database of a server, with a separate connection to that database. */
async function makeReusable(server: string): Promise<ReusableSubject & { readonly session: Connection }> {
  const name = `auctions_${randomUUID().replaceAll('-', '')}`
  const session = await connectToMariadb(server)
  await session.query(`CREATE DATABASE ${name}`)
  await session.query(`USE ${name}`)
  const proxied = await proxyStore({
    uri: new URL(name, server),
    defaultPort: 3306,
    connect,
    drop: () => session.query(`DROP DATABASE ${name}`),
  })
  return {
    session,
    store: proxied.store,
    ...hooksOf(proxied, isStatement),
    async damage(kind, id, damage) {
      const table = kind === 'auction' ? 'auctions' : 'entries'
      await session.query(`UPDATE ${table} SET ${damages[damage]} WHERE id = ${id}`)
    },
    async holdKeys(id) {
      await session.beginTransaction()
      await session.query('INSERT INTO auctions VALUES (?, NULL, 1, 7, 0, 0, 0, 0, "", NULL)', [id])
      await session.query('INSERT INTO entries VALUES (?, 1, ?, 0, NULL, "", NULL)', [id, id])
      return () => session.rollback()
    },
    async otherFormat() {
      await session.query('UPDATE format SET version = 99')
      return '99'
    },
    async empty() {
      for (const table of tables) await session.query(`DELETE FROM ${table}`)
    },
    async close() {
      await proxied.close()
      await session.end()
    },
  }
}

describeMariadb('a store on the layer for SQL', (server) => {
  const subjects = reuseSubjects(() => makeReusable(server()))
  afterAll(subjects.close)

  test('reads a bounded number of rows of indexes, however many auctions there are', async () => {
    const { store, session, close } = await makeReusable(server())
    onTestFinished(close)
    await store.insertAuction(sampleAuction())
    for (const sql of growth) await session.query(sql)
    const rowsRead = async () => {
      const counters: readonly { Value: string }[] = await session.query("SHOW GLOBAL STATUS LIKE 'Handler_read%'")
      return counters.reduce((sum, { Value }) => sum + Number(Value), 0)
    }
    for (const query of queries) {
      const before = await rowsRead()
      const { items } = await store.listAuctions({ limit: 20, ...query })
      expect.soft(items, JSON.stringify(query)).toHaveLength(20)
      // Two lists are counted, of six stages each, and one is read: 1,001 auctions, some of them in temporary tables.
      expect.soft((await rowsRead()) - before, JSON.stringify(query)).toBeLessThan(70_000)
    }
  })

  test('may be opened by several processes at once, all of which find no format', async () => {
    const name = `auctions_${randomUUID().replaceAll('-', '')}`
    const [first, other] = [await connectToMariadb(server()), await connectToMariadb(server())]
    onTestFinished(() => Promise.all([first.end(), other.end()]).then(() => undefined))
    await first.query(`CREATE DATABASE ${name}`)
    const open = () => connectMariadbStore(new URL(name, server()).href, { maxConnections: 1 })
    await (await open()).close()
    await first.beginTransaction()
    await first.query(`DELETE FROM ${name}.format`)
    const stores = Promise.all([open(), open(), open()])
    const waiting = `SELECT count(*) AS count FROM information_schema.processlist WHERE info LIKE 'INSERT % format %'`
    await expect.poll(async () => Number((await other.query(waiting))[0].count), { interval: 10 }).toBe(3)
    await first.commit()
    for (const store of await stores) await store.close()
  })

  storeContract(runner, subjects.makeSubject, { faults: connectionFaults })
  checkpointsContract(runner, subjects.makeCheckpoints)
})
