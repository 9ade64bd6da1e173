import { sampleEntry } from '../samples.ts'
import { ledgerOf } from './helpers.ts'
import { fill, outcomeOf, outcomesOf, reads, rightReads, unavailable } from './operations.ts'
import type { Suite } from './suite.ts'

/** Whoever has stopped waiting before a call is refused by the code store-unavailable, or gets what everybody gets. */
export function signals({ test, expect }: Suite): void {
  test('does reads and lists whose caller has stopped waiting as a whole, or refuses them', async ({ store }) => {
    await fill(store)
    const outcomes = await outcomesOf(reads, store, { signal: { aborted: true } })
    expect(outcomes).toStrictEqual(rightReads(outcomes))
    // Later callers are not the ones who have left.
    const later = await outcomesOf(reads, store, { signal: { aborted: false } })
    expect(Object.values(later).filter((outcome) => 'failed' in outcome)).toEqual([])
    expect(later).toStrictEqual(rightReads(later))
  })

  test('does an append whose caller has stopped waiting as a whole, or refuses it and stores nothing', async ({
    store,
  }) => {
    const entries = [sampleEntry(), sampleEntry({ id: 2, sequence: 2 })]
    const outcome = await outcomeOf(() => store.append(entries, { signal: { aborted: true } }))
    const isDone = 'returned' in outcome
    expect(outcome).toEqual(isDone ? { returned: 2 } : { failed: unavailable })
    expect(await ledgerOf(store)).toStrictEqual(isDone ? entries : [])
    expect(await store.append(entries, { signal: { aborted: false } })).toBe(isDone ? 0 : 2)
    expect(await ledgerOf(store)).toStrictEqual(entries)
  })
}
