import { rename } from 'node:fs/promises'
import { storeContract } from '@auction/domain/testing/store-contract'
import { describe, expect, test } from 'vitest'
import { openFailing, ownFile, type ThreadFault, threadFaults } from './support.ts'

const runner = { describe, test, expect }

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
      // From here on the store knows; until then, it may find what it finds.
      await expect(store.ping()).rejects.toThrow('was moved')
      return () => rename(`${file}.away`, file)
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
