import { MongoBulkWriteError, MongoServerSelectionError } from 'mongodb'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createDriverCall, within } from '../../src/mongodb/driver-call.ts'

/** What a connection is told of the outcome of a call. */
async function toldOf(operation: () => Promise<unknown>): Promise<readonly string[]> {
  const told: string[] = []
  const driverCall = createDriverCall(60_000, {
    during: (call) => call,
    noteReached: () => told.push('reached'),
    noteUnreachable: () => told.push('unreachable'),
  })
  await driverCall('be asked', operation).catch(() => undefined)
  return told
}

const noServer = new MongoServerSelectionError('no server', {} as never) // The description of a topology, which nobody reads.
const ofManyDocuments = (cause: Error) => new MongoBulkWriteError(cause as never, {} as never) // As the driver wraps any error of a bulk write, without a result.

describe('the connection is told', () => {
  test('of an answer, that the server was reached', async () => {
    expect(await toldOf(async () => 1)).toEqual(['reached'])
  })

  test('of a search for a server that found none, of one document or of many', async () => {
    expect(await toldOf(() => Promise.reject(noServer))).toEqual(['unreachable'])
    expect(await toldOf(() => Promise.reject(ofManyDocuments(noServer)))).toEqual(['unreachable'])
  })

  test('nothing of an error that a server may have answered', async () => {
    expect(await toldOf(() => Promise.reject(new Error('no')))).toEqual([])
    expect(await toldOf(() => Promise.reject(ofManyDocuments(new Error('no'))))).toEqual([])
  })
})

test('an error says what could not be done, and why', async () => {
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

  test('fails when its time is over, and says so', async () => {
    useFakeTimers()
    const late = within(5_000, new Promise(() => undefined))
    const failed = expect(late).rejects.toThrow('no answer within 5000 ms')
    await vi.advanceTimersByTimeAsync(5_000)
    await failed
  })

  test('leaves no timer behind when it is settled', async () => {
    useFakeTimers()
    expect(await within(5_000, Promise.resolve(7))).toBe(7)
    await expect(within(5_000, Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(vi.getTimerCount()).toBe(0)
  })

  test('has its timer as long as it is not', async () => {
    useFakeTimers()
    const { promise, resolve } = Promise.withResolvers<void>()
    const pending = within(5_000, promise)
    await vi.advanceTimersByTimeAsync(0)
    expect(vi.getTimerCount()).toBe(1)
    resolve()
    await pending
    expect(vi.getTimerCount()).toBe(0)
  })
})
