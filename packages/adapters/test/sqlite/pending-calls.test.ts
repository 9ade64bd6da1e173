import { beforeEach, expect, test, vi } from 'vitest'
import { createPendingCalls } from '../../src/sqlite/pending-calls.ts'

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

/** Calls that may wait for a second, and how often there were none left. */
function pendingCalls() {
  const onIdle = vi.fn()
  return { pending: createPendingCalls(1_000, onIdle), onIdle }
}

const errorOf = (promise: Promise<unknown>): Promise<string> => promise.then(String, (error: Error) => error.message)

test('a call resolves with the value of its reply', async () => {
  const { pending, onIdle } = pendingCalls()
  const [first, second] = [pending.add(1, 'read'), pending.add(2, 'write')]
  pending.settle({ call: 2, value: 7 })
  expect(onIdle).not.toHaveBeenCalled()
  pending.settle({ call: 1, value: [['a']] })
  expect(onIdle).toHaveBeenCalledTimes(1)
  expect([await first, await second]).toEqual([[['a']], 7])
})

test('a call fails with what its reply tells', async () => {
  const { pending } = pendingCalls()
  const [first, second] = [pending.add(1, 'read'), pending.add(2, 'write')]
  pending.settle({ call: 1, fault: { kind: 'unavailable', message: 'it rains' } })
  pending.settle({ call: 2, fault: { kind: 'unexpected', message: 'no such table' } })
  await expect(first).rejects.toMatchObject({ code: 'store-unavailable', message: 'SQLite could not read: it rains' })
  await expect(second).rejects.toMatchObject({ name: 'Error', message: 'SQLite could not write: no such table' })
})

test('each call is given up when its own time is over, and what comes for it later is ignored', async () => {
  const { pending, onIdle } = pendingCalls()
  const first = errorOf(pending.add(1, 'read'))
  await vi.advanceTimersByTimeAsync(600)
  const second = errorOf(pending.add(2, 'write'))
  const third = pending.add(3, 'write')
  await vi.advanceTimersByTimeAsync(400)
  expect(await first).toBe('SQLite could not read: no answer within 1000 ms')
  expect(pending.count()).toBe(2)
  pending.settle({ call: 1, value: 1 })
  pending.settle({ call: 3, value: 3 })
  expect(await third).toBe(3)
  await vi.advanceTimersByTimeAsync(599)
  expect(pending.count()).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(await second).toBe('SQLite could not write: no answer within 1000 ms')
  expect(onIdle).toHaveBeenCalledTimes(1)
})

test('all calls fail together, and later ones have a time of their own', async () => {
  const { pending, onIdle } = pendingCalls()
  const errors = [errorOf(pending.add(1, 'read')), errorOf(pending.add(2, 'write'))]
  pending.fail('its thread has ended')
  expect(await Promise.all(errors)).toEqual([
    'SQLite could not read: its thread has ended',
    'SQLite could not write: its thread has ended',
  ])
  expect(onIdle).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(900)
  const later = errorOf(pending.add(3, 'read'))
  await vi.advanceTimersByTimeAsync(999)
  expect(pending.count()).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(await later).toContain('no answer')
})
