import { EventEmitter } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Report } from '../../src/sqlite/protocol.ts'
import { createWorkerConnection } from '../../src/sqlite/worker-connection.ts'

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

/** A connection to a thread that the test controls, with a time limit of one second. */
function connection() {
  const events = Object.assign(new EventEmitter(), { postMessage: vi.fn(), ref: vi.fn(), unref: vi.fn() })
  const onMoved = vi.fn()
  const connection = createWorkerConnection({
    file: 'a file',
    timeoutMs: 1_000,
    startWorker: () => events as unknown as Worker, // What the connection uses of one.
    onMoved,
  })
  const report = (message: Report) => events.emit('message', message)
  return { connection, report, ...events, end: () => events.emit('exit'), onMoved }
}

const write = [{ sql: 'INSERT', rows: [] }]
const late = { error: { kind: 'unavailable', message: 'no response within 1000 ms' } }

test('a request has the outcome of its reply, and keeps the process alive until then', async () => {
  const { connection: asked, report, ref, unref, onMoved } = connection()
  const outcomes = [asked.read('SELECT', []), asked.write(write)]
  expect(ref).toHaveBeenCalled()
  report({ call: 2, outcome: { value: [7] } })
  expect(await outcomes[1]).toEqual({ value: [7] })
  expect(unref).not.toHaveBeenCalled()
  const moved = { error: { kind: 'moved', message: 'it was moved' } } as const
  report({ call: 1, outcome: moved })
  expect(await outcomes[0]).toEqual(moved)
  expect(unref).toHaveBeenCalledTimes(1)
  expect(onMoved).toHaveBeenCalledTimes(1)
})

test('each request has a time limit, and a later reply is ignored', async () => {
  const { connection: asked, report, unref } = connection()
  const first = asked.read('SELECT', [])
  await vi.advanceTimersByTimeAsync(600)
  const [second, third] = [asked.write(write), asked.write(write)]
  await vi.advanceTimersByTimeAsync(399)
  let isOver = false
  void first.then(() => {
    isOver = true
  })
  await vi.advanceTimersByTimeAsync(0)
  expect(isOver).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(await first).toEqual(late)
  report({ call: 1, outcome: { value: [] } })
  report({ call: 3, outcome: { value: [3] } })
  expect(await third).toEqual({ value: [3] })
  await vi.advanceTimersByTimeAsync(600)
  expect(await second).toEqual(late)
  expect(unref).toHaveBeenCalledTimes(1)
  expect(vi.getTimerCount()).toBe(0)
})

test('the end of the thread fails all requests together, and the next one starts another thread', async () => {
  const { connection: asked, report, end, postMessage } = connection()
  const outcomes = Promise.all([asked.read('SELECT', []), asked.write(write)])
  end()
  const ended = { error: { kind: 'unavailable', message: 'its thread ended' } }
  expect(await outcomes).toEqual([ended, ended])
  expect(vi.getTimerCount()).toBe(0)
  const next = asked.write(write)
  expect(postMessage).toHaveBeenCalledTimes(3)
  report({ call: 3, outcome: { value: [1] } })
  expect(await next).toEqual({ value: [1] })
})
