import { type Db, MongoBulkWriteError, type MongoClient, MongoServerSelectionError } from 'mongodb'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createConnection } from '../../src/mongodb/connection.ts'
import { createDriverCall, withinTime } from '../../src/mongodb/driver-call.ts'

/** A connection over clients without behaviour. */
function connectionOverFakes() {
  const opened: { isClosed: boolean; readonly connected: () => void; readonly failToConnect: () => void }[] = []
  let nowMs = 1_000
  const connection = createConnection({
    open() {
      const connecting = Promise.withResolvers<void>()
      const client = {
        isClosed: false,
        connect: () => connecting.promise,
        connected: () => connecting.resolve(),
        failToConnect: () => connecting.reject(new Error('no server')),
        async close() {
          client.isClosed = true
          // Like a client during an outage. The rejection is not awaited.
          if (opened.length > 1) throw new Error('no server')
        },
      }
      opened.push(client)
      return client as unknown as MongoClient // Nothing else of a client is used here.
    },
    databaseOf: () => ({ collection: () => opened.length }) as unknown as Db, // Identifies the client.
    renewAfterMs: 4_000,
    nowMs: () => nowMs,
  })
  return {
    connection,
    opened,
    used: () => connection.collection('any') as unknown as number, // As the fake reply has it.
    pass: (ms: number) => {
      nowMs += ms
    },
  }
}

describe('a connection', () => {
  test('keeps its client as long as the server responds sometimes', () => {
    const { connection, pass, used } = connectionOverFakes()
    for (let times = 0; times < 10; times++) {
      connection.noteUnreachable()
      pass(3_999)
      connection.noteUnreachable()
      connection.noteReached()
      pass(3_999)
    }
    expect(used()).toBe(1)
  })

  test('creates a new client when no server is known for too long, and closes the old one', () => {
    const { connection, opened, pass, used } = connectionOverFakes()
    connection.noteUnreachable()
    pass(4_000)
    connection.noteUnreachable()
    expect(used()).toBe(2)
    expect(opened.map(({ isClosed }) => isClosed)).toEqual([true, false])
  })

  test('gives each client the whole time', () => {
    const { connection, pass, used } = connectionOverFakes()
    for (const [afterMs, client] of [
      [0, 1],
      [4_000, 2],
      [1, 2],
      [3_999, 2],
      [1, 3],
    ] as const) {
      pass(afterMs)
      connection.noteUnreachable()
      expect(used()).toBe(client)
    }
  })

  test('creates a new client for the next operation after the first search for a server failed', async () => {
    const { connection, opened, used } = connectionOverFakes()
    expect(used()).toBe(1)
    opened[0]?.failToConnect()
    await new Promise(setImmediate)
    expect(opened.length).toBe(1)
    expect([used(), used()]).toEqual([2, 2])
    expect(opened.map(({ isClosed }) => isClosed)).toEqual([true, false])
    await expect(connection.close()).rejects.toThrow('no server')
    opened[1]?.failToConnect()
    await new Promise(setImmediate)
    expect(used()).toBe(2)
  })

  test.each(['connected', 'failToConnect'] as const)('is opened when the first search has ended: %s', async (end) => {
    const { connection, opened } = connectionOverFakes()
    let isOpened = false
    const waiting = connection.opened().then(() => {
      isOpened = true
    })
    await new Promise(setImmediate)
    expect(isOpened).toBe(false)
    opened[0]?.[end]()
    await waiting
    expect(isOpened).toBe(true)
  })

  test('creates no client after it is closed', async () => {
    const { connection, opened, pass, used } = connectionOverFakes()
    connection.noteUnreachable()
    await connection.close()
    pass(10_000)
    connection.noteUnreachable()
    expect(used()).toBe(1)
    expect(opened).toMatchObject([{ isClosed: true }])
  })
})

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
