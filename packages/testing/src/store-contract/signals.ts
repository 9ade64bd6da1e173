import { sampleEntry } from '../samples.ts'
import { ledgerOf } from './helpers.ts'
import { fill, outcomeOf, outcomesOf, reads, rightReads, unavailable } from './operations.ts'
import type { Suite } from './suite.ts'

/** A call with an aborted signal fails with the code store-unavailable, or returns what it returns without it. */
export function signals({ test, expect }: Suite): void {
  test('completes aborted reads and lists, or refuses them', async ({ store }) => {
    await fill(store)
    // A claim returns another block each time.
    const { claimNextIdBlock: _, ...repeated } = reads
    const outcomes = await outcomesOf(repeated, store, { signal: { aborted: true } })
    expect(outcomes).toStrictEqual(rightReads(outcomes))
    // The signals of later callers are not aborted.
    const later = await outcomesOf(repeated, store, { signal: { aborted: false } })
    expect(Object.values(later).filter((outcome) => 'failed' in outcome)).toEqual([])
    expect(later).toStrictEqual(rightReads(later))
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
