import { createMemoryStore } from '@auction/adapters/memory'
import type { CompleteStore } from '@auction/domain/store'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { TestRunner } from '../src/runner.ts'
import { type StoreContractOptions, type StoreSubject, storeContract } from '../src/store-contract.ts'
import { collect, failuresOf, testsIn } from './contract-mutations/prove-contract.ts'
import { faults, rightSubject } from './contract-mutations/subjects.ts'

const contractWith =
  (options: StoreContractOptions) => (runner: TestRunner, makeSubject: () => Promise<StoreSubject>) =>
    storeContract(runner, makeSubject, options)

const namesWith = (options: StoreContractOptions) => testsIn(contractWith(options), rightSubject)

function bare(): StoreSubject {
  const { addTitleWords: _, listBidderEntries: __, ...store } = createMemoryStore()
  return { store }
}
const without = {
  openSecondHandle: 'one process has it all',
  reopen: 'nothing is kept',
  breakStore: 'it needs nothing',
  failNext: 'nothing fails',
  closeStore: 'it needs no closing',
  damage: 'no other program has access',
  halt: 'nothing can hang',
  holdKeys: 'it has no transactions',
  otherFormat: 'nothing is stored',
  bytesRead: 'it has no server',
  search: 'it has no index',
  bidderEntries: 'no client reads them',
}

const notTested = [
  'NOT TESTED with a second handle on the same data: one process has it all',
  'NOT TESTED with an unavailable store: it needs nothing',
  'NOT TESTED with a reopened store: nothing is kept',
  'NOT TESTED with unreadable data: no other program has access',
  'NOT TESTED with failing operations: nothing fails',
  'NOT TESTED with a closed store: it needs no closing',
  'NOT TESTED with a server that hangs: nothing can hang',
  'NOT TESTED with keys that another session holds: it has no transactions',
  'NOT TESTED with data of a later format: nothing is stored',
  'NOT TESTED with the number of bytes that lists read: it has no server',
  'NOT TESTED with searches of titles: it has no index',
  'NOT TESTED with lists of the bids of a bidder: no client reads them',
].toSorted()
const isNotice = (name: string) => name.startsWith('NOT TESTED')

describe('a subject without some of the hooks and operations', () => {
  test('passes with reasons, and the names of tests list what did not run', async () => {
    const names = namesWith({ without })
    expect(await failuresOf(contractWith({ without }), bare, names, { isRight: true })).toEqual([])
    expect(names.filter(isNotice).toSorted()).toEqual(notTested)
    expect(namesWith({}).filter(isNotice)).toEqual([])
    expect(names.length).toBeLessThan(namesWith({}).length)
  })

  test('warns when the suite runs, once for all missing hooks', async () => {
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

  test('must not have a hook with a reason', async () => {
    expect(await failuresOf(contractWith({ without }), rightSubject, notTested)).toEqual(notTested)
  })

  test.each([[''], [' ']])('must have a reason that is not blank: "%s"', async (reason) => {
    const options = { without: { ...without, reopen: reason } }
    const names = namesWith(options).filter((name) => name.includes('opened again'))
    expect(await failuresOf(contractWith(options), bare, names)).toEqual(names)
  })
})

test('a subject that can make operations fail must list the ways', async () => {
  const run = 'runs with failing operations'
  expect(await failuresOf(contractWith({ faults: {} }), rightSubject, [run])).toEqual([run])
  expect(await failuresOf(contractWith({ faults }), rightSubject, [run])).toEqual([])
})

test('a suite whose first subject cannot be made tries to make no other, and each test reports the reason', async () => {
  let tries = 0
  const bodies: (() => Promise<void>)[] = []
  const runner: TestRunner = {
    describe: (_name, body) => body(),
    test: (_name, body) => bodies.push(body),
    expect,
  }
  storeContract(runner, async () => {
    tries += 1
    throw new Error('connect ECONNREFUSED')
  })
  const [first, ...others] = await Promise.allSettled(bodies.map((body) => body()))
  expect(first).toMatchObject({ reason: { message: 'connect ECONNREFUSED' } })
  expect(others.length).toBeGreaterThan(200)
  for (const other of others) expect(other).toMatchObject({ status: 'rejected' })
  expect(tries).toBe(1)
})

/** The messages of the failed tests with these names, of a store with one wrong operation. */
async function messagesOf(name: string, wrong: (right: CompleteStore) => Partial<CompleteStore>) {
  const right = createMemoryStore()
  const suite = collect(contractWith({ without }), () => ({ store: { ...right, ...wrong(right) } }))
  const bodies = suite.filter((each) => each.name === name).map(({ body }) => body())
  return (await Promise.allSettled(bodies)).map((outcome) => (outcome.status === 'rejected' ? outcome.reason : outcome))
}

test('a failed assertion names what a store must do, the operation that did not, and where the values differ', async () => {
  const [count] = await messagesOf('stores exactly the entries before a taken id', ({ append }) => ({
    append: async (entries) => Math.max(0, (await append(entries)) - 2),
  }))
  expect(count).toMatchObject({
    message: 'stores exactly the entries before a taken id: append returned 1, expected 3',
  })
  expect(count.stack).toMatch(/^AssertionError: stores exactly .*, expected 3\n {4}at /)
  const name = 'keeps the end of an auction: unsold, and sold after its bids'
  const [ledger] = await messagesOf(name, ({ listEntries }) => ({
    listEntries: async (...query) => (await listEntries(...query)).map((entry) => ({ ...entry, atMs: 5 })),
  }))
  expect(ledger).toMatchObject({ message: `${name}: [0][atMs]: 5, expected 1896696000001` })
})
