import { expect, test } from 'vitest'
import { createManualClock } from '../../src/memory/manual-clock.ts'

test('a manual clock that is set to no moment says what would be one', () => {
  expect(() => createManualClock('tomorrow')).toThrow(
    new RangeError('not a UTC date-time such as 2030-01-31T12:00:00Z: tomorrow'),
  )
})
