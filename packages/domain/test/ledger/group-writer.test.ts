import { describe, expect, test } from 'vitest'
import { type Batch, createBatch, type Way, type Written } from '../../src/ledger/batch.ts'
import type { Entry } from '../../src/ledger/entry.ts'
import { createGroupWriter } from '../../src/ledger/group-writer.ts'
import { defaultLimits } from '../../src/limits.ts'
import type { Appended, Store } from '../../src/store.ts'
import { sampleEntries, sampleKey } from '../../src/testing/samples.ts'
import { everythingSettled } from '../support/clocks.ts'
import { createPlainStore } from '../support/plain-store.ts'
import { auctionIdOf, noAnswer } from '../support/service.ts'

type Append = (entries: readonly Entry[], right: Store) => Promise<Appended>

/** Of an auction, entries from a sequence on. */
type Work = { readonly auctionId: number; readonly from?: number; readonly count?: number; readonly way?: Way }

const entriesOf = ({ auctionId, from = 1, count = 1 }: Work) =>
  sampleEntries(from + count - 1, { auctionId, afterId: auctionId * 100 }).slice(from - 1)

/** A writer over a plain store whose first appends are done as a test says, and what it asks of the store. */
function createWatchedWriter(appends: readonly Append[], limits = {}, replaced: Partial<Store> = {}) {
  const right = createPlainStore()
  const left = [...appends]
  const asked = { append: [] as number[][], findHeads: [] as number[][], findEntries: [] as number[][] }
  const store: Store = {
    ...right,
    append(entries) {
      asked.append.push(entries.map(({ id }) => id))
      return left.shift()?.(entries, right) ?? right.append(entries)
    },
    findHeads(ids) {
      asked.findHeads.push([...ids])
      return replaced.findHeads?.(ids) ?? right.findHeads(ids)
    },
    findEntries(ids) {
      asked.findEntries.push([...ids])
      return right.findEntries(ids)
    },
  }
  const writer = createGroupWriter(store, { ...defaultLimits, ...limits })
  const send = (work: Work): { readonly batch: Batch; readonly written: Promise<Written> } => {
    const { promise: written, resolve } = Promise.withResolvers<Written>()
    const batch = createBatch(auctionIdOf(work.auctionId), entriesOf(work), work.way ?? 'alone', resolve)
    writer.append(batch)
    return { batch, written }
  }
  const write = (work: Work) => send(work).written
  return { right, asked, send, write }
}

const through: Append = (entries, right) => right.append(entries)
const lost = async () => {
  throw noAnswer()
}
const hanging: Append = () => new Promise(() => undefined)

/** An append under way, behind which others gather. */
function createHold() {
  const { promise, resolve: release } = Promise.withResolvers<void>()
  const held: Append = (entries, right) => promise.then(() => right.append(entries))
  return { held, release }
}

describe('appends', () => {
  test('take a batch of more entries than they may have', async () => {
    const { write, asked } = createWatchedWriter([], { maxEntriesPerAppend: 2 })
    expect(await write({ auctionId: 1, count: 3 })).toEqual({ outcome: 'stored', stored: 3 })
    expect(asked.append).toEqual([[101, 102, 103]])
  })

  test.each<[Way, number]>([
    ['alone', 2],
    ['shared', 3],
    ['apart', 8],
  ])('that go %s are under way at once in a number of %i', async (way, atOnce) => {
    const { write, asked } = createWatchedWriter(Array(20).fill(hanging), { appendsPerPartition: 2 })
    for (let auctionId = 1; auctionId <= 12; auctionId++) void write({ auctionId, way })
    await everythingSettled()
    expect(asked.append).toEqual(Array.from({ length: atOnce }, (_, index) => [index * 100 + 101]))
  })

  test('leave out what was withdrawn while it waited', async () => {
    const { held, release } = createHold()
    const { send, write, asked } = createWatchedWriter([held])
    const first = write({ auctionId: 1 })
    const { batch, written } = send({ auctionId: 2, count: 2 })
    const behind = write({ auctionId: 3 })
    batch.isWithdrawn = true
    release()
    expect(await Promise.all([first, written, behind])).toEqual([
      { outcome: 'stored', stored: 1 },
      { outcome: 'withdrawn', stored: 0 },
      { outcome: 'stored', stored: 1 },
    ])
    expect(asked.append).toEqual([[101], [301]])
  })
})

describe('a taken key', () => {
  test('of a batch that is stored in part by itself is settled: what is left of it shares the next append', async () => {
    // As where somebody on the way has sent an append twice, and the first time two entries of it were stored.
    const partly: Append = async (entries, right) => {
      await right.append(entries.slice(0, 2))
      return right.append(entries)
    }
    const { write, asked } = createWatchedWriter([partly], { maxEntriesPerAppend: 3 })
    const written = [write({ auctionId: 1, count: 3 }), write({ auctionId: 2, count: 2 })]
    expect(await Promise.all(written)).toEqual([
      { outcome: 'stored', stored: 3 },
      { outcome: 'stored', stored: 2 },
    ])
    expect(asked.append).toEqual([
      [101, 102, 103],
      [103, 201, 202],
    ])
  })

  test('of a batch that is stored as a whole by itself is settled, and nothing is sent again', async () => {
    const twice: Append = async (entries, right) => {
      await right.append(entries)
      return right.append(entries)
    }
    const { write, asked } = createWatchedWriter([twice])
    expect(await write({ auctionId: 1, count: 2 })).toEqual({ outcome: 'stored', stored: 2 })
    expect(asked.append.length).toBe(1)
  })

  /** The entries of another process are stored; then batches of three auctions, the first of which they concern, share an append. */
  async function meetRival(rival: readonly Entry[], way: Way) {
    const holds = Array.from({ length: way === 'shared' ? 3 : 1 }, createHold)
    const { write, asked, right } = createWatchedWriter(holds.map(({ held }) => held))
    await right.append(entriesOf({ auctionId: 2, count: 1 }))
    const before = holds.map((_, index) => write({ auctionId: index + 7, way }))
    const written = [1, 2, 3].map((auctionId) => write({ auctionId, from: auctionId === 2 ? 2 : 1, way }))
    await right.append(rival)
    for (const { release } of holds) release()
    await Promise.all(before)
    return { written: await Promise.all(written), asked }
  }

  const another = sampleEntries(1, { auctionId: 1, afterId: 5_000 })

  test('of another process ends the batch with the head that it met; those behind it are stored', async () => {
    const { written, asked } = await meetRival(another, 'alone')
    const stored = { outcome: 'stored', stored: 1 }
    expect(written).toEqual([{ outcome: 'taken', stored: 0, head: another[0] }, stored, stored])
    // The head of auction 1 tells whose it is, and that of auction 2 that it has not gone on.
    expect(asked.findHeads).toEqual([[1, 2, 3]])
    expect(asked.findEntries).toEqual([])
  })

  test('has only the head of its own auction read where others were known to share it', async () => {
    const { written, asked } = await meetRival(another, 'shared')
    expect(written.map(({ outcome }) => outcome)).toEqual(['taken', 'stored', 'stored'])
    expect(asked.findHeads).toEqual([[1]])
  })

  test('is looked for where the ledger has gone on behind it', async () => {
    const { written, asked } = await meetRival(sampleEntries(2, { auctionId: 1, afterId: 5_000 }), 'alone')
    expect(written[0]).toMatchObject({ outcome: 'taken', head: { sequence: 2 } })
    expect(asked.findEntries).toEqual([[101]])
  })

  test('that belongs to a request on another auction is told with no head, as there is none', async () => {
    const right = createPlainStore()
    const [other] = sampleEntries(1, { auctionId: 5, afterId: 500 })
    if (other === undefined) throw new Error('there is one')
    const requestKey = sampleKey('k')
    await right.append([{ ...other, requestKey }])
    const { promise, resolve } = Promise.withResolvers<Written>()
    const entries = entriesOf({ auctionId: 1 }).map((entry) => ({ ...entry, requestKey }))
    createGroupWriter(right, defaultLimits).append(createBatch(auctionIdOf(1), entries, 'alone', resolve))
    expect(await promise).toEqual({ outcome: 'taken', stored: 0, head: undefined })
  })

  test('whose head can not be read leaves that batch unknown, and has those behind it stored', async () => {
    const error = noAnswer()
    const { held, release } = createHold()
    const conflict: Append = async () => ({ stored: 0 })
    const findHeads = () => Promise.reject(error)
    const { write } = createWatchedWriter([held, conflict], {}, { findHeads })
    const written = [1, 2, 3].map((auctionId) => write({ auctionId }))
    release()
    expect(await Promise.all(written)).toEqual([
      { outcome: 'stored', stored: 1 },
      { outcome: 'unknown', stored: 0, error },
      { outcome: 'stored', stored: 1 },
    ])
  })
})

describe('an append that fails', () => {
  test('though it stored all is settled, and nothing is sent again', async () => {
    const { write, asked } = createWatchedWriter([(entries, right) => right.append(entries).then(lost)])
    expect(await write({ auctionId: 1, count: 2 })).toEqual({ outcome: 'stored', stored: 2 })
    expect(asked.append.length).toBe(1)
  })

  test('as often as may be tried leaves the outcome unknown, with the error', async () => {
    const { write, asked } = createWatchedWriter([lost, lost, lost], { maxTries: 3 })
    expect(await write({ auctionId: 1 })).toEqual({ outcome: 'unknown', stored: 0, error: noAnswer() })
    expect(asked.append.length).toBe(3)
  })

  test('with a bug is not tried again where the batch was alone in it', async () => {
    const bug = new TypeError('a bug')
    const { write, asked } = createWatchedWriter([() => Promise.reject(bug)])
    expect(await write({ auctionId: 1 })).toEqual({ outcome: 'unknown', stored: 0, error: bug })
    expect(asked.append.length).toBe(1)
  })

  test('with a bug that one of two batches meets fails that one', async () => {
    const { held, release } = createHold()
    const bug = new TypeError('a bug')
    const poisoned: Append = (entries, right) =>
      entries.some(({ auctionId }) => auctionId === 2) ? Promise.reject(bug) : right.append(entries)
    const { write } = createWatchedWriter([held, poisoned, poisoned, poisoned])
    const written = [1, 2, 3].map((auctionId) => write({ auctionId }))
    release()
    expect(await Promise.all(written)).toEqual([
      { outcome: 'stored', stored: 1 },
      { outcome: 'unknown', stored: 0, error: bug },
      { outcome: 'stored', stored: 1 },
    ])
  })

  test('with an error that can not even be looked at leaves the outcome unknown, with that error', async () => {
    const error = Object.defineProperty(new Error('a bug'), 'code', {
      get() {
        throw new TypeError('a bug in the error')
      },
    })
    const { write } = createWatchedWriter([() => Promise.reject(error)])
    expect(await write({ auctionId: 1 })).toEqual({
      outcome: 'unknown',
      stored: 0,
      error: new TypeError('a bug in the error'),
    })
  })

  test('goes apart from then on: another that hangs does not hold it up', async () => {
    const partly: Append = async (entries, right) => {
      await right.append(entries.slice(0, 1))
      return right.append(entries)
    }
    const { write } = createWatchedWriter([lost, hanging, partly, through])
    const first = write({ auctionId: 1, count: 2 })
    void write({ auctionId: 2 })
    expect(await first).toEqual({ outcome: 'stored', stored: 2 })
  })
})
