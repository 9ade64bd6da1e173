import { sampleAuction, sampleEntry } from '../samples.ts'
import { auctionIdOf, ledgerOf, maxHangMs } from './helpers.ts'
import { outcomeOf, unavailable } from './operations.ts'
import type { Suite } from './suite.ts'

/** A key that another session holds, which then rolls back, is not taken. */
export function heldKeys(suite: Suite): void {
  suite.needing('holdKeys', () => declare(suite))
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
