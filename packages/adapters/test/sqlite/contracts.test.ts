import { rename } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { type Damage, storeContract } from '@auction/testing/store-contract'
import { describe, expect, test } from 'vitest'
import { openFailing, ownFile, type ThreadFault, threadFaults } from './support.ts'

const runner = { describe, test, expect }

const damages: Readonly<Record<Damage, string>> = {
  'another version': "json_set(data, '$.version', 99)",
  'an invalid field': "json_set(data, '$.currency', 7)",
}

async function makeSubject() {
  const { file, open, close } = await ownFile()
  const { store, failNext } = await openFailing(file)
  return {
    store,
    openSecondHandle: () => open(),
    async reopen() {
      await store.close()
      return open()
    },
    async breakStore() {
      await rename(file, `${file}.away`)
      // From here on, the store knows that; before, it may still use the open file.
      await expect(store.ping()).rejects.toThrow('was moved')
      return () => rename(`${file}.away`, file)
    },
    closeStore: () => store.close(),
    async damage(kind: 'auction' | 'entry', id: number, damage: Damage) {
      const database = new DatabaseSync(file)
      const table = kind === 'auction' ? 'auctions' : 'entries'
      database.prepare(`UPDATE ${table} SET data = ${damages[damage]} WHERE id = ?`).run(id)
      database.close()
    },
    failNext: async (fault: string) => failNext(fault as ThreadFault), // One of those in the options.
    async close() {
      await store.close()
      await close()
    },
  }
}

const options = { seeks: ['ownerId', 'productId', 'onlyOpen'], faults: threadFaults } as const

describe('the contract of stores (on SQLite)', () => {
  storeContract(runner, makeSubject, options)
})
