import { describe, expect, test } from 'vitest'
import { type Batch, createBatch } from '../../src/ledger/batch.ts'
import { createDeadlines } from '../../src/ledger/deadlines.ts'
import type { PendingCommand } from '../../src/ledger/pending-command.ts'
import { sampleEntries } from '../../src/testing/samples.ts'
import { createSteppedClock } from '../support/clocks.ts'
import { createPending } from '../support/pending.ts'
import { auctionIdOf, openTime } from '../support/service.ts'

/** Commands that nobody settles, with a deadline of a second. */
function createWatchedDeadlines() {
  const clock = createSteppedClock(openTime)
  const all: PendingCommand[] = []
  const deadlines = createDeadlines(clock, 1_000, () => all)
  const arrive = (batch?: Batch) => {
    const { pending, told } = createPending({ arrivedInTick: deadlines.startOne(), ...(batch && { batch }) })
    all.push(pending)
    return { pending, told }
  }
  return { clock, arrive }
}

const batchOf = (entryCount: number): Batch =>
  createBatch(auctionIdOf(1), sampleEntries(entryCount), 'alone', () => undefined)

const isSent = (batch: Batch): Batch => Object.assign(batch, { isSent: true })

const late = (outcome: string) => ({
  code: 'store-unavailable',
  message: 'the store has not done it within 1000 ms',
  outcome,
})

describe('a deadline', () => {
  test('ends a command in the last tenth of its time', async () => {
    const { clock, arrive } = createWatchedDeadlines()
    const { told } = arrive()
    await clock.pass(899)
    expect(told).toEqual([])
    await clock.pass(1)
    expect(told).toMatchObject([late('nothing-changed')])
  })

  test('is each command’s own', async () => {
    const { clock, arrive } = createWatchedDeadlines()
    const first = arrive()
    await clock.pass(550)
    const second = arrive()
    await clock.pass(350)
    expect([first.told.length, second.told.length]).toEqual([1, 0])
    await clock.pass(499)
    expect(second.told.length).toBe(0)
    await clock.pass(1)
    expect(second.told).toMatchObject([late('nothing-changed')])
  })

  test('holds again after nothing was under way for a while', async () => {
    const { clock, arrive } = createWatchedDeadlines()
    arrive()
    await clock.pass(60_000)
    const { told } = arrive()
    await clock.pass(1_000)
    expect(told).toMatchObject([late('nothing-changed')])
  })

  test('withdraws what was not sent yet', async () => {
    const { clock, arrive } = createWatchedDeadlines()
    const batch = batchOf(2)
    const { told } = arrive(batch)
    await clock.pass(1_000)
    expect(told).toMatchObject([late('nothing-changed')])
    expect(batch).toMatchObject({ isWithdrawn: true, awaited: 1 })
  })

  test('withdraws what was sent when nobody waits for it any more, and tells that it may be stored', async () => {
    const { clock, arrive } = createWatchedDeadlines()
    const batch = isSent(batchOf(2))
    const first = arrive(batch)
    await clock.pass(500)
    const second = arrive(batch)
    await clock.pass(500)
    expect(first.told).toMatchObject([late('unknown')])
    expect(batch).toMatchObject({ isWithdrawn: false, awaited: 1 })
    await clock.pass(500)
    expect(second.told).toMatchObject([late('unknown')])
    expect(batch).toMatchObject({ isWithdrawn: true, awaited: 0 })
  })

  test('leaves a command that is settled, and its batch, as they are', async () => {
    const { clock, arrive } = createWatchedDeadlines()
    const batch = isSent(batchOf(1))
    const { pending, told } = arrive(batch)
    pending.isSettled = true
    await clock.pass(5_000)
    expect(told).toEqual([])
    expect(batch).toMatchObject({ isWithdrawn: false, awaited: 1 })
  })
})
