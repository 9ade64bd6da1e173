import { expect, test } from 'vitest'
import { comparePlaces, type Order } from '../../src/mongodb/ranges.ts'

const upwards: Order = { timeField: 'endTime.epochMs', idField: '_id', direction: 'up' }
const downwards: Order = { timeField: 'createdAtMs', idField: '_id', direction: 'down' }

test.each([
  [
    { timeMs: 1, id: 9 },
    { timeMs: 2, id: 1 },
  ],
  [
    { timeMs: 2, id: 1 },
    { timeMs: 2, id: 3 },
  ],
])('%j comes before %j upwards, and after it downwards', (a, b) => {
  expect([comparePlaces(upwards, a, b) < 0, comparePlaces(upwards, b, a) > 0]).toEqual([true, true])
  expect([comparePlaces(downwards, a, b) > 0, comparePlaces(downwards, b, a) < 0]).toEqual([true, true])
})

test('a place is where it is in either order', () => {
  const place = { timeMs: 2, id: 3 }
  expect([upwards, downwards].map((order) => comparePlaces(order, place, { ...place }) === 0)).toEqual([true, true])
})
