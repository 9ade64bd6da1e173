import { MongoBulkWriteError, MongoServerSelectionError } from 'mongodb'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createDriverCall, withinTime } from '../../src/mongodb/driver-call.ts'

/** What a call records in its connection. */
async function recordedOf(operation: () => Promise<unknown>): Promise<readonly string[]> {
  const recorded: string[] = []
  const driverCall = createDriverCall(60_000, {
    during: (call) => call,
    noteReached: () => recorded.push('reached'),
    noteUnreachable: () => recorded.push('unreachable'),
  })
  await driverCall('be asked', operation).catch(() => undefined)
  return recorded
}

const noServer = new MongoServerSelectionError('no server', {} as never) // The description of a topology is not used.
const ofManyDocuments = (cause: Error) => new MongoBulkWriteError(cause as never, {} as never) // As the driver wraps any error of a bulk write, without a result.

describe('the connection records', () => {
  test('a response, as a reached server', async () => {
    expect(await recordedOf(async () => 1)).toEqual(['reached'])
  })

  test('a failed search for a server, for one document or for many', async () => {
    expect(await recordedOf(() => Promise.reject(noServer))).toEqual(['unreachable'])
    expect(await recordedOf(() => Promise.reject(ofManyDocuments(noServer)))).toEqual(['unreachable'])
  })

  test('no error that a server may have returned', async () => {
    expect(await recordedOf(() => Promise.reject(new Error('no')))).toEqual([])
    expect(await recordedOf(() => Promise.reject(ofManyDocuments(new Error('no'))))).toEqual([])
  })
})

test('an error names the failed operation and the reason', async () => {
  const cause = new Error('no')
  const driverCall = createDriverCall(60_000, {
    during: (call) => call,
    noteReached: () => undefined,
    noteUnreachable: () => undefined,
  })
  await expect(driverCall('store an auction', () => Promise.reject(cause))).rejects.toMatchObject({
    code: 'store-unavailable',
    message: 'MongoDB could not store an auction',
    cause,
  })
})

describe('a promise with a time limit', () => {
  function useFakeTimers(): void {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
  }

  test('fails after its time limit, and reports that', async () => {
    useFakeTimers()
    const late = withinTime(5_000, new Promise(() => undefined))
    const failed = expect(late).rejects.toThrow('no response within 5000 ms')
    await vi.advanceTimersByTimeAsync(5_000)
    await failed
  })

  test('has no timer after it is settled', async () => {
    useFakeTimers()
    expect(await withinTime(5_000, Promise.resolve(7))).toBe(7)
    await expect(withinTime(5_000, Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(vi.getTimerCount()).toBe(0)
  })

  test('has a timer until it is settled', async () => {
    useFakeTimers()
    const { promise, resolve } = Promise.withResolvers<void>()
    const pending = withinTime(5_000, promise)
    await vi.advanceTimersByTimeAsync(0)
    expect(vi.getTimerCount()).toBe(1)
    resolve()
    await pending
    expect(vi.getTimerCount()).toBe(0)
  })
})
