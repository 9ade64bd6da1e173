import { idKinds, range } from './helpers.ts'
import { otherHandle, type Suite } from './suite.ts'

/** A block of ids is claimed once for each kind. */
export function idBlocks({ test, expect }: Suite): void {
  test('claims a block of ids once, and returns the highest', async ({ store }) => {
    expect(await store.highestIdBlock('auctions')).toBe(undefined)
    expect(await store.claimIdBlock('auctions', 1)).toBe('claimed')
    expect(await store.highestIdBlock('auctions')).toBe(1)
    for (const time of range(1, 3)) {
      expect(await store.claimIdBlock('auctions', 1)).toBe('taken')
      expect(await store.claimIdBlock('auctions', 1 + time)).toBe('claimed')
      expect(await store.highestIdBlock('auctions')).toBe(1 + time)
    }
  })

  test('claims blocks of each kind separately', async ({ store }) => {
    const highest = () => Promise.all(idKinds.map((kind) => store.highestIdBlock(kind)))
    expect(await store.claimIdBlock('auctions', 7)).toBe('claimed')
    expect(await highest()).toEqual([7, undefined])
    expect(await store.claimIdBlock('entries', 7)).toBe('claimed')
    expect(await store.claimIdBlock('entries', 8)).toBe('claimed')
    expect(await highest()).toEqual([7, 8])
    for (const kind of idKinds) expect(await store.claimIdBlock(kind, 7)).toBe('taken')
  })

  test('compares blocks by number, regardless of the order of their claims, and keeps them exact', async ({
    store,
  }) => {
    const most = Number.MAX_SAFE_INTEGER
    const claims = [3, 10, 9, 100, 20, 2 ** 31, 2 ** 32 + 1, 5, most - 1, most, 4]
    for (const [index, block] of claims.entries()) {
      expect(await store.claimIdBlock('entries', block)).toBe('claimed')
      expect(await store.highestIdBlock('entries')).toBe(Math.max(...claims.slice(0, index + 1)))
    }
    for (const block of claims) expect(await store.claimIdBlock('entries', block)).toBe('taken')
  })

  test('lets exactly one of many concurrent claims of a block win', async (subject) => {
    const stores = [subject.store, await otherHandle(subject)]
    for (const kind of idKinds) {
      const claims = await Promise.all(range(0, 9).map((index) => stores[index % 2]?.claimIdBlock(kind, 1)))
      expect(claims.toSorted()).toEqual(['claimed', ...range(2, 10).map(() => 'taken')])
      expect(await subject.store.highestIdBlock(kind)).toBe(1)
    }
  })
}
