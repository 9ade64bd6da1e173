import { idKinds, range } from './helpers.ts'
import { otherHandle, type Suite } from './suite.ts'

/** Blocks of ids are claimed one after the other, for each kind. */
export function idBlocks({ test, expect }: Suite): void {
  test('claims the blocks of ids of each kind one after the other, from 1', async (subject) => {
    const handles = [subject.store, await otherHandle(subject)]
    // Ten is after nine, also in a store that orders texts.
    for (const block of range(1, 11)) {
      expect(await handles[block % 2]?.claimNextIdBlock('auctions')).toBe(block)
    }
    expect(await subject.store.claimNextIdBlock('entries')).toBe(1)
    expect(await subject.store.claimNextIdBlock('auctions')).toBe(12)
  })

  test('returns each block of ids to one of many concurrent claims', async (subject) => {
    const handles = [subject.store, await otherHandle(subject)]
    for (const kind of idKinds) {
      const claims = await Promise.all(range(1, 20).map((index) => handles[index % 2]?.claimNextIdBlock(kind)))
      expect(claims.toSorted((a = 0, b = 0) => a - b)).toEqual(range(1, 20))
    }
  })
}
