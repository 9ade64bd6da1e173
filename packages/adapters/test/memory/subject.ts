import { createMemoryStore } from '@auction/adapters/memory'
import type { StoreContractOptions, StoreSubject } from '@auction/testing/store-contract'

export const makeSubject = async (): Promise<StoreSubject> => ({ store: createMemoryStore() })

export const options: StoreContractOptions = {
  knowsAppends: true,
  without: {
    openSecondHandle: 'the data is in the memory of one process',
    reopen: 'the data ends with its process',
    breakStore: 'it depends on nothing that a test could remove',
    failNext: 'no operation can fail',
    closeStore: 'it needs no closing',
    damage: 'no other program gets at the memory',
    halt: 'it waits for nothing',
    holdKeys: 'it has no transactions',
    otherFormat: 'the data ends with its process',
    bytesRead: 'all data is in the memory',
  },
}
