import { storeContract } from '@auction/domain/testing/store-contract'
import { describe, expect, test } from 'vitest'
import { describeMongo } from '../../../../tools/vitest/mongodb.ts'
import { connectProxiedStore } from './support.ts'

const runner = { describe, test, expect }

describeMongo('the contract of stores', () => {
  storeContract(
    runner,
    async () => {
      const { store, open, proxy, restore, close } = await connectProxiedStore()
      const breakStore = async () => {
        proxy.cut()
        return restore
      }
      return { store, openSecondHandle: open, breakStore, close }
    },
    { seeks: ['ownerId', 'productId'] },
  )
})
