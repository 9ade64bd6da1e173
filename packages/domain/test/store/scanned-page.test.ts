import { sampleAuction } from '@auction/testing/samples'
import { expect, test } from 'vitest'
import { UnreadableStoredError } from '../../src/store/errors.ts'
import { pageOfScan } from '../../src/store/scanned-page.ts'

const positionOf = (id: number) => ({ order: 'newest', timeMs: id, id: sampleAuction({ id }).id }) as const
const damaged = 4

function parse(id: number) {
  if (id === damaged) throw new UnreadableStoredError('auction', { id }, 'an invalid field')
  return sampleAuction({ id })
}

test.each([
  { when: 'continues after its last item if more match', rows: [9, 8, 7], scanEnd: undefined, ids: [9, 8], next: 8 },
  { when: 'is the last one if all match', rows: [9, 8], scanEnd: undefined, ids: [9, 8], next: undefined },
  { when: 'continues after the last examined auction if few match', rows: [9], scanEnd: 2, ids: [9], next: 2 },
  {
    when: 'continues after its last item before the last examined auction',
    rows: [9, 8, 7],
    scanEnd: 2,
    ids: [9, 8],
    next: 8,
  },
  { when: 'may be empty, and continue', rows: [], scanEnd: 2, ids: [], next: 2 },
  { when: 'continues after an item that is unreadable', rows: [9, damaged, 3], scanEnd: 2, ids: [9], next: damaged },
])('a page $when', ({ rows, scanEnd, ids, next }) => {
  const end = scanEnd === undefined ? undefined : positionOf(scanEnd)
  const page = pageOfScan({ limit: 2, rows, scanEnd: end, positionOf, parse })
  expect(page.items).toStrictEqual(ids.map((id) => ({ auction: sampleAuction({ id }), position: positionOf(id) })))
  expect(page.next).toStrictEqual(next === undefined ? undefined : positionOf(next))
  const unreadable = rows.slice(0, 2).includes(damaged) ? ['the stored auction 4 has an invalid field'] : undefined
  expect(page.unreadable?.map(({ message }) => message)).toEqual(unreadable)
})
