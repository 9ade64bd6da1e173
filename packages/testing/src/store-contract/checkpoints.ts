import type { Checkpoint, Checkpoints } from '@auction/domain/store'
import { auctionIdsOf, range } from './helpers.ts'
import { at, keyOf, operationsOf, outcomeOfFault, outcomesOf, unavailable } from './operations.ts'
import { otherHandle, type StoreSubject, type Suite } from './suite.ts'

/** All checkpoints, read page by page. */
async function all(checkpoints: Checkpoints, limit = 100): Promise<readonly Checkpoint[]> {
  const found: Checkpoint[] = []
  for (;;) {
    const page = await checkpoints.list({ after: found.at(-1), limit })
    found.push(...page)
    if (page.length < limit || found.length > 2_000) return found
  }
}

const inOrder = (checkpoints: readonly Checkpoint[]): readonly Checkpoint[] =>
  checkpoints.toSorted((a, b) => a.auctionId - b.auctionId || (a.name < b.name ? -1 : 1))

/** The largest number of checkpoints in one call of the domain. */
const most = 500

type Tested = (name: string, body: (checkpoints: Checkpoints, subject: StoreSubject) => Promise<void>) => void

/** How far subscribers have received events, in stores that keep that. */
export function checkpoints(suite: Suite): void {
  const test: Tested = (name, body) =>
    suite.test(`${name}, if it has checkpoints`, async (subject) => {
      if (subject.store.checkpoints !== undefined) await body(subject.store.checkpoints, subject)
    })
  saving(suite, test)
  listing(suite, test)
  afterTrouble(suite, test)
}

function saving({ expect }: Suite, test: Tested): void {
  test('keeps the highest sequence of each auction and name', async (checkpoints) => {
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

  test('keeps the highest of the sequences that two handles save at once', async (checkpoints, subject) => {
    const handles = [checkpoints, (await otherHandle(subject)).checkpoints]
    const save = (sequence: number) => {
      const saved = range(1, 5).map((id) => at(id, 'a', sequence))
      return handles[sequence % 2]?.save(sequence % 3 === 0 ? saved.toReversed() : saved)
    }
    await Promise.all([5, 9, 1, 8, 3, 10, 2, 7, 4, 6].map(save))
    for (const handle of handles) {
      expect(handle && (await all(handle))).toStrictEqual(range(1, 5).map((id) => at(id, 'a', 10)))
    }
  })

  test('saves, finds and removes many checkpoints in one call', async (checkpoints) => {
    const saved = range(1, most).map((id) => at(id, 'a', id))
    await checkpoints.save(saved.toReversed())
    expect(inOrder(await checkpoints.find(saved.map(({ auctionId }) => auctionId)))).toStrictEqual(saved)
    await checkpoints.remove(saved)
    expect(await all(checkpoints)).toStrictEqual([])
  })

  test('shows saved and removed checkpoints to all handles at once', async (checkpoints, subject) => {
    const handles = [checkpoints, (await otherHandle(subject)).checkpoints]
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

function listing({ expect }: Suite, test: Tested): void {
  test('lists checkpoints by auction and by the code units of the name, page by page', async (checkpoints) => {
    const names = ['-', '0', '9', 'a', 'a-', 'a0', 'aa', 'b']
    const saved = [2, 10, 9].flatMap((id) => names.map((name) => at(id, name, id)))
    await checkpoints.save(saved.toReversed())
    for (const limit of [1, 3, 8, 100]) expect(await all(checkpoints, limit)).toStrictEqual(inOrder(saved))
    const absent = { after: keyOf(9, 'a1'), limit: 2 }
    expect(await checkpoints.list(absent)).toStrictEqual([at(9, 'aa', 9), at(9, 'b', 9)])
  })

  test('removes the given checkpoints and no others', async (checkpoints) => {
    await checkpoints.save([1, 2].flatMap((id) => ['a', 'b'].map((name) => at(id, name, 5))))
    await checkpoints.remove([keyOf(1, 'b'), keyOf(2, 'a'), keyOf(3, 'a')])
    await checkpoints.remove([])
    expect(await all(checkpoints)).toStrictEqual([at(1, 'a', 5), at(2, 'b', 5)])
    // A removed one begins again.
    await checkpoints.save([at(1, 'b', 2)])
    expect(inOrder(await checkpoints.find(auctionIdsOf([1])))).toStrictEqual([at(1, 'a', 5), at(1, 'b', 2)])
  })
}

/** With the hooks that the subject has. */
function afterTrouble({ expect }: Suite, test: Tested): void {
  test('keeps checkpoints after it is reopened', async (checkpoints, { reopen }) => {
    const saved = [at(1, 'a', 3), at(2, 'a', -1)]
    await checkpoints.save(saved)
    const later = reopen === undefined ? checkpoints : (await reopen()).checkpoints
    expect(later && (await all(later))).toStrictEqual(saved)
  })

  test('fails calls for checkpoints with the code store-unavailable and a cause while it is', async (checkpoints, subject) => {
    if (subject.breakStore === undefined) return
    const saved = [at(9, 'a', 3)]
    await checkpoints.save(saved)
    const restore = await subject.breakStore()
    const outcomes = await outcomesOf(operationsOf(subject.store), subject.store, { outcome: outcomeOfFault })
    await restore()
    for (const name of ['save', 'remove']) expect(outcomes[`checkpoints.${name}`]).toEqual({ failed: unavailable })
    // Reads may succeed, with what is saved.
    for (const name of ['find', 'list']) {
      const outcome = outcomes[`checkpoints.${name}`]
      const isFailed = outcome !== undefined && 'failed' in outcome
      expect(outcome).toStrictEqual(isFailed ? { failed: unavailable } : { returned: saved })
    }
    await checkpoints.save([at(2, 'a', 1)])
    expect(await checkpoints.find(auctionIdsOf([2]))).toStrictEqual([at(2, 'a', 1)])
  })
}
