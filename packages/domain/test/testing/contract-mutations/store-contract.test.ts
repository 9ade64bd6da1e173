import { expect, test } from 'vitest'
import { storeContract } from '../../../src/testing/store-contract.ts'
import { rightSubject, slowSubject } from './planted.ts'
import { failuresOf, proveContract, testsIn } from './prove-contract.ts'
import { appendingMutations } from './store/appending.ts'
import { auctionFieldMutations } from './store/auction-fields.ts'
import { auctionFilterMutations } from './store/auction-filters.ts'
import { auctionListMutations } from './store/auction-lists.ts'
import { auctionMutations } from './store/auctions.ts'
import { failureMutations } from './store/failures.ts'
import { idBlockMutations } from './store/id-blocks.ts'
import { isolationMutations } from './store/isolation.ts'
import { readingMutations } from './store/reading.ts'
import { requestKeyMutations } from './store/request-keys.ts'
import { secondHandleMutations } from './store/second-handle.ts'
import { takenKeyMutations } from './store/taken-keys.ts'

proveContract(storeContract, rightSubject, [
  ...auctionMutations,
  ...auctionFieldMutations,
  ...auctionListMutations,
  ...auctionFilterMutations,
  ...appendingMutations,
  ...takenKeyMutations,
  ...readingMutations,
  ...requestKeyMutations,
  ...idBlockMutations,
  ...isolationMutations,
  ...secondHandleMutations,
  ...failureMutations,
])

test('passes an adapter that is right and slow, and what it could not say that it has done is done later', async () => {
  const names = testsIn(storeContract, slowSubject).map(({ name }) => name)
  expect(await failuresOf(storeContract, slowSubject, names)).toEqual([])
})
