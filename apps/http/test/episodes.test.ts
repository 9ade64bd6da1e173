import { expect, onTestFinished, test, vi } from 'vitest'
import { reportEpisodes } from '../src/log/report-episodes.ts'

test('an episode is told when it begins, and with its length when it has been quiet for a minute', () => {
  vi.useFakeTimers()
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const told: string[] = []
  const report = reportEpisodes(
    () => told.push('begin'),
    (times) => told.push(`${times} times`),
  )
  for (let count = 0; count < 3; count++) {
    report()
    vi.advanceTimersByTime(59_999)
  }
  expect(told).toEqual(['begin'])
  vi.advanceTimersByTime(1)
  expect(told).toEqual(['begin', '3 times'])
  vi.advanceTimersByTime(600_000)
  report()
  expect(told).toEqual(['begin', '3 times', 'begin'])
})
