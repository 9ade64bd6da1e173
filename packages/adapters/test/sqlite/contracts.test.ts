import { rename } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { checkpointsContract } from '@auction/testing/checkpoints-contract'
import { checkpointsOf } from '@auction/testing/reused-subjects'
import { type Damage, storeContract } from '@auction/testing/store-contract'
import { afterAll, describe, expect, test } from 'vitest'
import { contractSubjects } from '../contract-subjects.ts'
import { openFailing, ownFile, type ThreadFault, threadFaults } from './support.ts'

const runner = { describe, test, expect }

const damages: Readonly<Record<Damage, string>> = {
  'another version': "json_set(data, '$.version', 99)",
  'an invalid field': "json_set(data, '$.currency', 7)",
  'text that is not JSON': 'substr(data, 1, 30)',
}

const tables = ['auctions', 'titleWords', 'entries', 'idBlocks', 'checkpoints']

const subjects = contractSubjects(1_500, async (timeoutMs) => {
  const { file, open, close } = await ownFile()
  const { store, failNext } = await openFailing(file, timeoutMs)
  return {
    store,
    openSecondHandle: () => open(),
    async reopen() {
      await store.close()
      return open()
    },
    async breakStore() {
      await rename(file, `${file}.away`)
      // The store knows that from here on; before, it may still use the open file.
      await expect(store.ping()).rejects.toThrow('was moved')
      return () => rename(`${file}.away`, file)
    },
    closeStore: () => store.close(),
    async damage(kind: 'auction' | 'entry', id: number, damage: Damage) {
      const table = kind === 'auction' ? 'auctions' : 'entries'
      execute(file, `UPDATE ${table} SET data = ${damages[damage]} WHERE id = ${id}`)
    },
    halt: async () => lock(file, ''),
    holdKeys: async (id: number) => lock(file, heldRows(id)),
    async otherFormat() {
      execute(file, 'PRAGMA user_version = 99')
      return '99'
    },
    failNext: async (fault: string) => failNext(fault as ThreadFault), // One of those in the options.
    empty: async () => execute(file, tables.map((table) => `DELETE FROM ${table}`).join(';')),
    async close() {
      await store.close()
      await close()
    },
  }
})

const heldRows = (id: number) =>
  `INSERT INTO auctions (id, ownerId, productId, createdAtMs, stage, stageMs, data) VALUES (${id}, 1, 7, 0, 0, 0, '{}');
   INSERT INTO entries (id, auctionId, sequence, atMs, data) VALUES (${id}, ${id}, 1, 0, '{}')`

/** Takes the lock of the file, as another process does, and makes changes. Returns a function that rolls them back. */
function lock(file: string, changes: string) {
  const database = new DatabaseSync(file, { timeout: 5_000 })
  database.exec(`BEGIN IMMEDIATE; ${changes}`)
  return async () => database.close()
}

function execute(file: string, sql: string): void {
  const database = new DatabaseSync(file, { timeout: 5_000 })
  database.exec(sql)
  database.close()
}

const options = {
  faults: threadFaults,
  knowsAppends: true,
  without: { bytesRead: 'the store reads the file itself' },
} as const

describe('the contract of stores (on SQLite)', () => {
  afterAll(subjects.close)

  storeContract(runner, subjects.makeSubject, options)
  checkpointsContract(runner, checkpointsOf(subjects.makeSubject))
})
