import { storeContract } from '@auction/domain/testing/store-contract'
import { describe, expect, test } from 'vitest'
import { ownFile } from './support.ts'

const runner = { describe, test, expect }

describe('the contract of stores (on SQLite)', () => {
  storeContract(
    runner,
    async () => {
      const { open, close } = await ownFile()
      return { store: await open(), openSecondHandle: open, close }
    },
    { seeks: ['ownerId', 'productId'], without: ['breakStore'] },
  )
})
