import type { Store } from '@auction/domain/store'
import { sampleAuction, sampleEntry } from '../samples.ts'
import { auctionIdOf, auctionIdsOf, entryIdsOf, ledgerOf, maxHangMs, orders } from './helpers.ts'
import { outcomeOf, unavailable } from './operations.ts'
import { secretsOfWrites } from './secrets.ts'
import { otherHandle, type Suite } from './suite.ts'

/** A key that another session holds, which then rolls back, is not taken, and what it stores is not shown. */
export function heldKeys(suite: Suite): void {
  suite.needing('holdKeys', () => {
    declare(suite)
    uncommitted(suite)
    secretsOfWrites(suite, 'because another session holds their keys', async ({ holdKeys }, calls) => {
      const release = await holdKeys?.(5)
      const outcomes = await Promise.all(calls.map((call) => call()))
      await release?.()
      return outcomes
    })
  })
}

/** What each read returns of auction 1 and its entry 1 while neither is stored. */
const absent = (store: Store, mark: string | undefined): readonly (readonly [() => Promise<unknown>, unknown])[] => [
  [() => store.findAuction(auctionIdOf(1)), undefined],
  [() => store.findAuctions({ ids: auctionIdsOf([1]) }), []],
  ...orders.map((order) => [() => store.listAuctions({ order, limit: 5 }), { items: [], next: undefined }] as const),
  [() => store.findHeads(auctionIdsOf([1])), []],
  [() => store.findEntries(entryIdsOf([1])), []],
  [() => store.listEntries(auctionIdOf(1), { limit: 5 }), []],
  [async () => (await store.appendedSince?.(mark))?.appended ?? [], []],
]

function uncommitted({ test, expect }: Suite): void {
  test('shows nothing that another session has stored and not committed', async (subject) => {
    const handles = [subject.store, await otherHandle(subject)]
    const marks = await Promise.all(handles.map(async (store) => (await store.appendedSince?.(undefined))?.mark))
    const release = await subject.holdKeys?.(1)
    const reads = handles.flatMap((store, index) => absent(store, marks[index]))
    const outcomes = await Promise.all(reads.map(([read]) => outcomeOf(read)))
    await release?.()
    const right = reads.map(([, returned], index) =>
      'failed' in (outcomes[index] ?? {}) ? { failed: unavailable } : { returned },
    )
    expect(outcomes).toStrictEqual(right)
  })
}

function declare({ test, expect }: Suite): void {
  test('fails writes whose keys another session holds, and never reports them as taken', async (subject) => {
    const { store } = subject
    const release = await subject.holdKeys?.(1)
    const startMs = Date.now()
    const outcomes = [
      outcomeOf(() => store.insertAuction(sampleAuction())),
      outcomeOf(() => store.append([sampleEntry()])),
      outcomeOf(() => store.append([sampleEntry()], { isContended: true })),
    ]
    const held = await Promise.all(outcomes)
    const tookMs = Date.now() - startMs
    await release?.()
    expect(held).toEqual(held.map(() => ({ failed: unavailable })))
    expect(tookMs < maxHangMs ? 'in time' : tookMs).toBe('in time')
    // A failed write may be stored later, so these may find their keys taken by it.
    await store.insertAuction(sampleAuction())
    await store.append([sampleEntry()])
    expect(await store.findAuction(auctionIdOf(1))).toStrictEqual(sampleAuction())
    expect(await ledgerOf(store)).toStrictEqual([sampleEntry()])
  })
}
