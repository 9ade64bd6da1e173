import { expect, test } from 'vitest'
import { createManualClock } from '../../src/memory/manual-clock.ts'

test('a manual clock that is set to no moment says what would be one', () => {
  expect(() => createManualClock('tomorrow')).toThrow('a moment must be a real UTC date-time')
})
