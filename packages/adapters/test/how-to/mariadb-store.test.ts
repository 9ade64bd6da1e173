import { wordsOf } from '@auction/domain/auction'
import { checkpointsContract } from '@auction/testing/checkpoints-contract'
import { checkpointsOf } from '@auction/testing/reused-subjects'
import { sampleAuction } from '@auction/testing/samples'
import type { TestServer } from '@auction/testing/server'
import { storeContract } from '@auction/testing/store-contract'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { describeWith, provided } from '../../../../tools/vitest/needs.ts'
import { isLong } from '../../../../tools/vitest/size.ts'
import { connectMariadbStore } from '../published/pages/sql-store/mariadb-store.ts'
import {
  connectTo,
  createDatabase,
  makeSubject,
  options,
  startMariadb,
} from '../published/pages/sql-store/mariadb-subject.ts'

const runner = { describe, test, expect }

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

describeWith('mariadb', 'a store on the layer for SQL', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startMariadb(provided('mariadb').program)
  })
  afterAll(async () => {
    await server.stop()
  })

  test('reads a bounded number of rows of indexes, however many auctions there are', async () => {
    const { store, session, close } = await makeSubject(server)
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
    const [first, other, uri] = [await connectTo(server), await connectTo(server), await createDatabase(server)]
    onTestFinished(() => Promise.all([first.end(), other.end()]).then(() => undefined))
    const open = () => connectMariadbStore(uri, { maxConnections: 1 })
    await (await open()).close()
    await first.beginTransaction()
    await first.query(`DELETE FROM ${new URL(uri).pathname.slice(1)}.format`)
    const stores = Promise.all([open(), open(), open()])
    const waiting = `SELECT count(*) AS count FROM information_schema.processlist WHERE info LIKE 'INSERT % format %'`
    await expect.poll(async () => Number((await other.query(waiting))[0].count), { interval: 10 }).toBe(3)
    await first.commit()
    for (const store of await stores) await store.close()
  })

  // The stores of this repository run the contracts on the same layer in the short form, too.
  if (!isLong) return
  const subjectOf = () => makeSubject(server)
  storeContract(runner, subjectOf, options)
  checkpointsContract(runner, checkpointsOf(subjectOf))
})
