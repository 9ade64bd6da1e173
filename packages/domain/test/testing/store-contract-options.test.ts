import { describe, expect, test } from 'vitest'
import type { TestRunner } from '../../src/testing/runner.ts'
import { type StoreContractOptions, type StoreSubject, storeContract } from '../../src/testing/store-contract.ts'
import { createPlainStore, rightSteps } from '../support/plain-store.ts'
import { rightSubject } from './contract-mutations/planted.ts'
import { failuresOf, testsIn } from './contract-mutations/prove-contract.ts'

const contractWith =
  (options: StoreContractOptions) => (runner: TestRunner, makeSubject: () => Promise<StoreSubject>) =>
    storeContract(runner, makeSubject, options)

const namesWith = (options: StoreContractOptions) =>
  testsIn(contractWith(options), rightSubject).map(({ name }) => name)

const bare = (): StoreSubject => ({ store: createPlainStore() })
const both = { without: ['openSecondHandle', 'breakStore'] } as const

const notRun = [
  'DID NOT RUN against a second handle on the same data: the subject has no openSecondHandle',
  'DID NOT RUN against a store that fails: the subject has no breakStore',
]

describe('a subject without a second handle, or without a way to break its store', () => {
  test('fails the suite as long as nobody says that it can’t have them', async () => {
    const runs = ['runs against a second handle on the same data', 'runs against a store that fails']
    expect(await failuresOf(contractWith({}), bare, runs)).toEqual(runs)
  })

  test('passes when that is said, and the names of two tests tell what did not run', async () => {
    expect(await failuresOf(contractWith(both), bare, namesWith(both))).toEqual([])
    expect(namesWith(both).filter((name) => name.startsWith('DID NOT RUN'))).toEqual(notRun)
    expect(namesWith({}).filter((name) => name.startsWith('DID NOT RUN'))).toEqual([])
    expect(namesWith(both).length).toBeLessThan(namesWith({}).length)
  })

  test('may not have what is said to be missing', async () => {
    expect(await failuresOf(contractWith(both), rightSubject, notRun)).toEqual(notRun)
  })
})

describe('a store that follows owners and products in indexes of their own', () => {
  const bounded = 'looks at a bounded number of auctions for a page, and shows all that match as pages go on'
  /** It looks at no auction of another owner or product. */
  const seeking = (): StoreSubject => ({
    store: createPlainStore({
      isPassedOver: (auction, query) =>
        rightSteps.isPassedOver(auction, query) ||
        (query.ownerId !== undefined && auction.ownerId !== query.ownerId) ||
        (query.productId !== undefined && auction.productId !== query.productId),
    }),
  })

  test('passes when that is said', async () => {
    expect(await failuresOf(contractWith({ seeks: ['ownerId', 'productId'] }), seeking, [bounded])).toEqual([])
  })

  test('is taken for one that looks at everything as long as nobody says so', async () => {
    for (const options of [{}, { seeks: ['ownerId'] }, { seeks: ['productId'] }] as const) {
      expect(await failuresOf(contractWith(options), seeking, [bounded])).toEqual([bounded])
    }
  })

  test('must not look at everything where neither is asked for', async () => {
    const scanning = () => ({ store: createPlainStore({ maxScanned: Number.POSITIVE_INFINITY }) })
    expect(await failuresOf(contractWith({ seeks: ['ownerId', 'productId'] }), scanning, [bounded])).toEqual([bounded])
  })
})
