import { expect, onTestFinished, test, vi } from 'vitest'
import { onceAMinute } from '../src/log/brief.ts'

test('a report is made at once, and then once a minute with the number of requests for it', () => {
  vi.useFakeTimers()
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const reports: number[] = []
  const report = onceAMinute((times) => reports.push(times))
  for (let count = 0; count < 3; count++) report()
  expect(reports).toEqual([1])
  vi.advanceTimersByTime(59_999)
  report()
  expect(reports).toEqual([1])
  vi.advanceTimersByTime(1)
  report()
  expect(reports).toEqual([1, 4])
})
