import type { Checkpoint, CheckpointKey, Checkpoints } from '@auction/delivery/checkpoints'
import { createExpect, type Expect } from './assertions.ts'
import { createNeeding, type Needing } from './needing.ts'
import { type Closable, type TestRunner, testsOf } from './runner.ts'
import { earlierCallers } from './store-contract/closing.ts'
import { auctionIdOf, auctionIdsOf, range } from './store-contract/helpers.ts'
import { type CallOutcome, outcomeOf, outcomeOfFault, unavailable } from './store-contract/operations.ts'

/** Checkpoints to be tested: new and empty for each test. The hooks are those of a `StoreSubject`. */
export type CheckpointsSubject = Closable & {
  readonly checkpoints: Checkpoints
  /** Opens another handle on the same data, as another process would. */
  readonly openSecondHandle?: () => Promise<Checkpoints>
  /** Closes the store of `checkpoints` and reopens its data, as a restarted process would. */
  readonly reopen?: () => Promise<Checkpoints>
  /** Makes writes fail, and usually reads, as a missing part of the store does. Returns a function that repairs it. */
  readonly breakStore?: () => Promise<() => Promise<void>>
  /** Closes the store of `checkpoints`, as its owner would. */
  readonly closeStore?: () => Promise<void>
}

type Hook = Exclude<keyof CheckpointsSubject, 'checkpoints' | 'close'>

export type CheckpointsContractOptions = {
  /** The hooks that the subject cannot have, each with the reason, as for `storeContract`. */
  readonly without?: Readonly<Partial<Record<Hook, string>>>
}

type Suite = {
  readonly expect: Expect
  readonly test: (name: string, body: (subject: CheckpointsSubject) => Promise<void>) => void
  readonly needing: Needing<Hook>
}

const purposes: Readonly<Record<Hook, string>> = {
  openSecondHandle: 'with a second handle on the same checkpoints',
  reopen: 'with reopened checkpoints',
  breakStore: 'with unavailable checkpoints',
  closeStore: 'with closed checkpoints',
}

/**
 * What the checkpoints of every store must do.
 * @param makeSubject makes new, empty and separate checkpoints for each test
 * @param options intended differences; the suite fails when a hook is missing without a reason
 */
export function checkpointsContract(
  runner: TestRunner,
  makeSubject: () => Promise<CheckpointsSubject>,
  { without = {} }: CheckpointsContractOptions = {},
): void {
  const suite: Suite = {
    expect: createExpect(runner),
    test: testsOf(runner, makeSubject),
    needing: createNeeding<CheckpointsSubject, Hook>(runner, {
      makeSubject,
      purposes,
      without,
      partOf: (subject, hook) => subject[hook],
    }),
  }
  runner.describe('checkpoints', () => {
    saving(suite)
    listing(suite)
    suite.needing('openSecondHandle', () => sharing(suite))
    suite.needing('reopen', () => reopening(suite))
    suite.needing('breakStore', () => failing(suite))
    suite.needing('closeStore', () => closing(suite))
  })
}

const keyOf = (auctionId: number, name: string): CheckpointKey => ({ auctionId: auctionIdOf(auctionId), name })
const at = (auctionId: number, name: string, sequence: number): Checkpoint => ({ ...keyOf(auctionId, name), sequence })

async function all(checkpoints: Checkpoints, limit = 100): Promise<readonly Checkpoint[]> {
  const listed: Checkpoint[] = []
  for (;;) {
    const page = await checkpoints.list({ after: listed.at(-1), limit })
    listed.push(...page)
    if (page.length < limit || listed.length > 2_000) return listed
  }
}

const inOrder = (checkpoints: readonly Checkpoint[]): readonly Checkpoint[] =>
  checkpoints.toSorted((a, b) => a.auctionId - b.auctionId || (a.name < b.name ? -1 : 1))

/** The largest number of checkpoints in one call of deliveries. */
const most = 500

function saving({ expect, test }: Suite): void {
  test('keeps the highest sequence of each auction and name', async ({ checkpoints }) => {
    expect(await checkpoints.find(auctionIdsOf([1]))).toStrictEqual([])
    const largest = at(Number.MAX_SAFE_INTEGER, 'z'.repeat(32), Number.MAX_SAFE_INTEGER)
    await checkpoints.save([at(1, 'a', -1), at(1, 'b', 7), at(2, 'a', 0), largest])
    await checkpoints.save([at(1, 'a', 0), at(1, 'b', 6), at(2, 'a', -1)])
    expect(inOrder(await checkpoints.find(auctionIdsOf([2, 1, 1, 3])))).toStrictEqual([
      at(1, 'a', 0),
      at(1, 'b', 7),
      at(2, 'a', 0),
    ])
    await checkpoints.save([at(1, 'b', 8), at(1, 'a', 0)])
    expect(await all(checkpoints)).toStrictEqual([at(1, 'a', 0), at(1, 'b', 8), at(2, 'a', 0), largest])
    expect(await checkpoints.find([])).toStrictEqual([])
  })

  test('saves, finds and removes many checkpoints in one call', async ({ checkpoints }) => {
    const saved = range(1, most).map((id) => at(id, 'a', id))
    await checkpoints.save(saved.toReversed())
    expect(inOrder(await checkpoints.find(saved.map(({ auctionId }) => auctionId)))).toStrictEqual(saved)
    await checkpoints.remove(saved)
    expect(await all(checkpoints)).toStrictEqual([])
  })
}

function listing({ expect, test }: Suite): void {
  test('lists checkpoints by auction and by the code units of the name, page by page', async ({ checkpoints }) => {
    const names = ['-', '0', '9', 'a', 'a-', 'a0', 'aa', 'b']
    const saved = [2, 10, 9].flatMap((id) => names.map((name) => at(id, name, id)))
    await checkpoints.save(saved.toReversed())
    for (const limit of [1, 3, 8, 100]) expect(await all(checkpoints, limit)).toStrictEqual(inOrder(saved))
    const absent = { after: keyOf(9, 'a1'), limit: 2 }
    expect(await checkpoints.list(absent)).toStrictEqual([at(9, 'aa', 9), at(9, 'b', 9)])
  })

  test('removes the given checkpoints and no others', async ({ checkpoints }) => {
    await checkpoints.save([1, 2].flatMap((id) => ['a', 'b'].map((name) => at(id, name, 5))))
    await checkpoints.remove([keyOf(1, 'b'), keyOf(2, 'a'), keyOf(3, 'a')])
    await checkpoints.remove([])
    expect(await all(checkpoints)).toStrictEqual([at(1, 'a', 5), at(2, 'b', 5)])
    // A removed one begins again.
    await checkpoints.save([at(1, 'b', 2)])
    expect(inOrder(await checkpoints.find(auctionIdsOf([1])))).toStrictEqual([at(1, 'a', 5), at(1, 'b', 2)])
  })
}

function sharing({ expect, test }: Suite): void {
  test('keeps the highest of the sequences that two handles save at once', async ({
    checkpoints,
    openSecondHandle,
  }) => {
    const handles = [checkpoints, await openSecondHandle?.()]
    const save = (sequence: number) => {
      const saved = range(1, 5).map((id) => at(id, 'a', sequence))
      return handles[sequence % 2]?.save(sequence % 3 === 0 ? saved.toReversed() : saved)
    }
    await Promise.all([5, 9, 1, 8, 3, 10, 2, 7, 4, 6].map(save))
    for (const handle of handles) {
      expect(handle && (await all(handle))).toStrictEqual(range(1, 5).map((id) => at(id, 'a', 10)))
    }
  })

  test('shows saved and removed checkpoints to all handles at once', async ({ checkpoints, openSecondHandle }) => {
    const handles = [checkpoints, await openSecondHandle?.()]
    for (const sequence of range(1, 4)) {
      const [writer, reader] = sequence % 2 === 0 ? handles : handles.toReversed()
      await writer?.save([at(1, 'a', sequence)])
      expect(await reader?.find(auctionIdsOf([1]))).toStrictEqual([at(1, 'a', sequence)])
      expect(await reader?.list({ limit: 3 })).toStrictEqual([at(1, 'a', sequence)])
    }
    await handles[1]?.remove([keyOf(1, 'a')])
    expect(await checkpoints.find(auctionIdsOf([1]))).toStrictEqual([])
    expect(await checkpoints.list({ limit: 3 })).toStrictEqual([])
  })
}

function reopening({ expect, test }: Suite): void {
  test('keeps checkpoints after it is reopened', async ({ checkpoints, reopen }) => {
    const saved = [at(1, 'a', 3), at(2, 'a', -1)]
    await checkpoints.save(saved)
    const reopened = await reopen?.()
    expect(reopened && (await all(reopened))).toStrictEqual(saved)
  })
}

/** Every operation, with a result that depends on what is saved. */
const operations: Readonly<Record<keyof Checkpoints, (checkpoints: Checkpoints) => Promise<unknown>>> = {
  save: (checkpoints) => checkpoints.save([at(1, 'a', 2)]),
  find: (checkpoints) => checkpoints.find(auctionIdsOf([9])),
  list: (checkpoints) => checkpoints.list({ after: keyOf(8, 'a'), limit: 3 }),
  remove: (checkpoints) => checkpoints.remove([keyOf(1, 'a')]),
}

async function outcomesOf(checkpoints: Checkpoints, outcome: typeof outcomeOf): Promise<Record<string, CallOutcome>> {
  const outcomes = Object.entries(operations).map(
    async ([name, call]) => [name, await outcome(() => call(checkpoints))] as const,
  )
  return Object.fromEntries(await Promise.all(outcomes))
}

const allFailed = Object.fromEntries(Object.keys(operations).map((name) => [name, { failed: unavailable }]))

function failing({ expect, test }: Suite): void {
  test('fails with the code store-unavailable and a cause while the store is unavailable', async (subject) => {
    const { checkpoints, breakStore } = subject
    const saved = [at(9, 'a', 3)]
    await checkpoints.save(saved)
    const restore = await breakStore?.()
    const outcomes = await outcomesOf(checkpoints, outcomeOfFault)
    await restore?.()
    // Reads may succeed, with what is saved.
    const succeeded = ['find', 'list'].filter((name) => 'returned' in (outcomes[name] ?? {}))
    const read = Object.fromEntries(succeeded.map((name) => [name, { returned: saved }]))
    expect(outcomes).toStrictEqual({ ...allFailed, ...read })
    await checkpoints.save([at(2, 'a', 1)])
    expect(await checkpoints.find(auctionIdsOf([2]))).toStrictEqual([at(2, 'a', 1)])
  })
}

function closing({ expect, test }: Suite): void {
  for (const [name, call] of Object.entries(operations)) {
    test(`waits for ${name} in flight when the store is closed`, async ({ checkpoints, closeStore }) => {
      const outcomes: CallOutcome[] = []
      void outcomeOf(() => call(checkpoints)).then((outcome) => outcomes.push(outcome))
      await closeStore?.()
      await earlierCallers()
      const right = outcomes.filter((outcome) => 'returned' in outcome || outcome.failed === unavailable)
      expect(right.length).toBe(1)
    })
  }

  test('refuses every call with the code store-unavailable after the store is closed', async (subject) => {
    await subject.closeStore?.()
    expect(await outcomesOf(subject.checkpoints, outcomeOf)).toEqual(allFailed)
  })
}
