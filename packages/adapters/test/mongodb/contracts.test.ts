import { storeContract } from '@auction/domain/testing/store-contract'
import { describe, expect, test } from 'vitest'
import { describeMongo } from '../../../../tools/vitest/mongodb.ts'
import { connectProxiedStore } from './support.ts'

const runner = { describe, test, expect }

const faults = {
  'a connection that breaks at once': 'nothing',
  'a connection that breaks before the answer': 'all',
} as const

/** The name of a command is the first field of its document, a text; a heartbeat is none of these. */
const isCommand = (request: Buffer) => ['insert', 'find', 'update'].some((name) => request.includes(`\x02${name}\0`))

describeMongo('the contract of stores', () => {
  storeContract(
    runner,
    async () => {
      const { store, open, proxy, restore, close } = await connectProxiedStore()
      return {
        store,
        openSecondHandle: open,
        reopen: async () => {
          await store.close()
          return open()
        },
        breakStore: async () => {
          proxy.cut()
          return restore
        },
        failNext: async (fault) => {
          proxy.cutNext(fault === 'a connection that breaks at once' ? 'before' : 'after', isCommand)
        },
        close,
      }
    },
    { faults, seeks: ['ownerId', 'productId'] },
  )
})
