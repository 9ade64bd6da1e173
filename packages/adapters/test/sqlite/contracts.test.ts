import { rename } from 'node:fs/promises'
import { storeContract } from '@auction/domain/testing/store-contract'
import { describe, expect, test } from 'vitest'
import { ownFile } from './support.ts'

const runner = { describe, test, expect }

const without = {
  failNext:
    'nothing makes one operation on a file fail and no other; full, locked and damaged files have tests of their own',
}

describe('the contract of stores (on SQLite)', () => {
  storeContract(
    runner,
    async () => {
      const { file, open, close } = await ownFile()
      const store = await open()
      async function breakStore() {
        await rename(file, `${file}.away`)
        // From here on the store knows; until then, it may find what it finds.
        await expect(store.ping()).rejects.toThrow('was moved')
        return () => rename(`${file}.away`, file)
      }
      async function reopen() {
        await store.close()
        return open()
      }
      return { store, openSecondHandle: open, reopen, breakStore, close }
    },
    { without, seeks: ['ownerId', 'productId'] },
  )
})
