import { expect, test } from 'vitest'
import { createManualClock } from '../../src/memory/manual-clock.ts'

test('a manual clock refuses a text that is not a moment', () => {
  expect(() => createManualClock('tomorrow')).toThrow('a moment must be a valid UTC date-time')
})
