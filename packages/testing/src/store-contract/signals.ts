import { sampleEntry } from '../samples.ts'
import { ledgerOf, range } from './helpers.ts'
import { fill, outcomeOf, outcomesOf, repeatableReadsOf, rightReads, unavailable } from './operations.ts'
import type { Suite } from './suite.ts'

/** A call with an aborted signal fails with the code store-unavailable, or returns what it returns without it. */
export function signals({ test, expect }: Suite): void {
  test('completes aborted reads and lists, or refuses them', async ({ store }) => {
    await fill(store)
    // A claim returns another block each time.
    const repeated = repeatableReadsOf(store)
    const outcomes = await outcomesOf(repeated, store, { signal: { aborted: true } })
    expect(outcomes).toStrictEqual(rightReads(outcomes))
    // The signals of later callers are not aborted.
    const later = await outcomesOf(repeated, store, { signal: { aborted: false } })
    expect(Object.values(later).filter((outcome) => 'failed' in outcome)).toEqual([])
    expect(later).toStrictEqual(rightReads(later))
  })

  test('keeps working after many calls were aborted that waited for their turn', async ({ store }) => {
    await fill(store)
    const { updateAgenda: _, ...repeated } = repeatableReadsOf(store)
    // Twice, with more calls than most pools have connections: some hold all connections, and the others wait.
    for (const _ of ['once', 'twice']) {
      const signal = { aborted: false }
      const outcomes = range(1, 15).map(() => outcomesOf(repeated, store, { signal }))
      signal.aborted = true
      for (const outcome of await Promise.all(outcomes)) expect(outcome).toStrictEqual(rightReads(outcome))
    }
    // As many calls at once, none of which is aborted.
    for (const outcome of await Promise.all(range(1, 15).map(() => outcomesOf(repeated, store)))) {
      expect(Object.values(outcome).filter((each) => 'failed' in each)).toEqual([])
    }
    expect(await store.append([sampleEntry({ id: 9, auctionId: 9 })])).toBe(1)
  })

  test('completes an aborted append, or refuses it and stores nothing', async ({ store }) => {
    const entries = [sampleEntry(), sampleEntry({ id: 2, sequence: 2 })]
    const outcome = await outcomeOf(() => store.append(entries, { signal: { aborted: true } }))
    const isDone = 'returned' in outcome
    expect(outcome).toEqual(isDone ? { returned: 2 } : { failed: unavailable })
    expect(await ledgerOf(store)).toStrictEqual(isDone ? entries : [])
    expect(await store.append(entries, { signal: { aborted: false } })).toBe(isDone ? 0 : 2)
    expect(await ledgerOf(store)).toStrictEqual(entries)
  })
}
