import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { TestRunner } from '../../src/testing/runner.ts'
import { type StoreContractOptions, type StoreSubject, storeContract } from '../../src/testing/store-contract.ts'
import { createPlainStore, rightSteps } from '../support/plain-store.ts'
import { faults, rightSubject } from './contract-mutations/planted.ts'
import { failuresOf, testsIn } from './contract-mutations/prove-contract.ts'

const contractWith =
  (options: StoreContractOptions) => (runner: TestRunner, makeSubject: () => Promise<StoreSubject>) =>
    storeContract(runner, makeSubject, options)

const namesWith = (options: StoreContractOptions) =>
  testsIn(contractWith(options), rightSubject).map(({ name }) => name)

const bare = (): StoreSubject => ({ store: createPlainStore() })
const without = {
  openSecondHandle: 'one process has it all',
  reopen: 'nothing is kept',
  breakStore: 'it needs nothing',
  failNext: 'nothing fails',
  closeStore: 'it needs no closing',
  damage: 'nobody else gets at it',
}

const notTested = [
  'NOT TESTED against a second handle on the same data: one process has it all',
  'NOT TESTED against a store that can’t be asked: it needs nothing',
  'NOT TESTED against a store that is opened again: nothing is kept',
  'NOT TESTED against data that can’t be read: nobody else gets at it',
  'NOT TESTED against operations that fail: nothing fails',
  'NOT TESTED against a store that is closed: it needs no closing',
].toSorted()
const runs = [
  'runs against a second handle on the same data',
  'runs against a store that can’t be asked',
  'runs against a store that is opened again',
  'runs against operations that fail',
  'runs against a store that is closed',
  'runs against data that can’t be read',
].toSorted()

const isNotice = (name: string) => name.startsWith('NOT TESTED')

describe('a subject without some of the hooks', () => {
  test('fails the suite as long as nobody says why it can’t have them', async () => {
    expect(await failuresOf(contractWith({}), bare, runs)).toEqual(runs)
  })

  test('passes when that is said, and the names of tests tell what did not run', async () => {
    const names = namesWith({ without })
    expect(await failuresOf(contractWith({ without }), bare, names)).toEqual([])
    expect(names.filter(isNotice).toSorted()).toEqual(notTested)
    expect(namesWith({}).filter(isNotice)).toEqual([])
    expect(names.length).toBeLessThan(namesWith({}).length)
  })

  test('is warned of when the suite runs, once for all that is missing', async () => {
    const warnings: string[] = []
    const warn = (text: string) => warnings.push(text)
    const console = vi.spyOn(globalThis.console, 'warn').mockImplementation(warn)
    onTestFinished(() => console.mockRestore())
    for (const own of [{ warn }, {}]) {
      const bodies: (() => Promise<void>)[] = []
      const test = (name: string, body: () => Promise<void>) => isNotice(name) && bodies.push(body)
      storeContract({ describe: (_name, body) => body(), test, expect, ...own }, async () => bare(), { without })
      for (const body of bodies) await body()
      expect(warnings.splice(0).map((text) => text.split('\n').toSorted())).toEqual([notTested])
    }
  })

  test('may not have what is said to be missing', async () => {
    expect(await failuresOf(contractWith({ without }), rightSubject, notTested)).toEqual(notTested)
  })

  test.each([[''], [' ']])('may not go without a reason: "%s"', async (reason) => {
    const options = { without: { ...without, reopen: reason } }
    const names = namesWith(options).filter((name) => name.includes('opened again'))
    expect(await failuresOf(contractWith(options), bare, names)).toEqual(names)
  })
})

test('a subject that can make operations fail has to say in which ways', async () => {
  const run = 'runs against operations that fail'
  expect(await failuresOf(contractWith({ faults: {} }), rightSubject, [run])).toEqual([run])
  expect(await failuresOf(contractWith({ faults }), rightSubject, [run])).toEqual([])
})

describe('a store that follows owners, products and open auctions in indexes of their own', () => {
  const bounded = 'looks at a bounded number of auctions for a page, and shows all that match as pages go on'
  /** It looks at no auction that does not match. */
  const seeking = (): StoreSubject => ({
    store: createPlainStore({
      isPassedOver: (placed, query) => rightSteps.isPassedOver(placed, query) || !rightSteps.matches(placed, query),
    }),
  })

  test('passes when that is said', async () => {
    expect(await failuresOf(contractWith({ seeks: ['ownerId', 'productId', 'onlyOpen'] }), seeking, [bounded])).toEqual(
      [],
    )
  })

  test('is taken for one that looks at everything as long as nobody says so', async () => {
    for (const seeks of [[], ['ownerId', 'productId'], ['ownerId', 'onlyOpen'], ['productId', 'onlyOpen']] as const) {
      const options = { seeks }
      expect(await failuresOf(contractWith(options), seeking, [bounded])).toEqual([bounded])
    }
  })

  test('must not look at everything where neither is asked for', async () => {
    const scanning = () => ({ store: createPlainStore({ maxScanned: Number.POSITIVE_INFINITY }) })
    expect(await failuresOf(contractWith({ seeks: ['ownerId', 'productId'] }), scanning, [bounded])).toEqual([bounded])
  })
})
