import { sampleEntry } from '@auction/testing/samples'
import { expect, test } from 'vitest'
import { freePrefixes, keysOfEntry } from '../../src/store/batching.ts'

test('a list ends at its first entry with a taken key, or with a key of an earlier entry of the group', () => {
  const lists = [
    [sampleEntry({ id: 1, requestKey: 'a' }), sampleEntry({ id: 2, sequence: 2 })],
    [sampleEntry({ id: 3, auctionId: 2 }), sampleEntry({ id: 2, auctionId: 2, sequence: 2 })],
    [sampleEntry({ id: 4, auctionId: 3, requestKey: 'a' }), sampleEntry({ id: 5, auctionId: 3, sequence: 2 })],
    [sampleEntry({ id: 6 })],
    [sampleEntry({ id: 7, auctionId: 4 }), sampleEntry({ id: 8, auctionId: 4, sequence: 2 })],
  ]
  const idsOf = (isTaken?: (key: string) => boolean) =>
    freePrefixes(lists, keysOfEntry, isTaken).map((list) => list.map(({ id }) => Number(id)))
  expect(idsOf()).toEqual([[1, 2], [3], [], [], [7, 8]])
  expect(idsOf((key) => key === 'id 1' || key === 'position 4 2')).toEqual([[], [3, 2], [4, 5], [6], [7]])
})
