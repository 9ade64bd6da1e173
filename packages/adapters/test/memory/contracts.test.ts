import { setTimeout as waitMs } from 'node:timers/promises'
import { maxScannedAuctions } from '@auction/domain/store'
import { checkpointsContract } from '@auction/testing/checkpoints-contract'
import { clockContract } from '@auction/testing/clock-contract'
import { sampleAuction, sampleEntry } from '@auction/testing/samples'
import { describe, expect, test } from 'vitest'
import { createManualClock } from '../../src/memory/manual-clock.ts'
import { createMemoryStore } from '../../src/memory/memory-store.ts'
import { systemClock } from '../../src/system/system-clock.ts'
import { options } from './subject.ts'

const runner = { describe, test, expect }

describe('in memory', () => {
  const { openSecondHandle = '', reopen = '', breakStore = '', closeStore = '' } = options.without ?? {}
  checkpointsContract(runner, async () => ({ checkpoints: createMemoryStore().checkpoints }), {
    without: { openSecondHandle, reopen, breakStore, closeStore },
  })
})

const realTime = { stopwatchMs: () => performance.now(), waitMs: (ms: number) => waitMs(ms) }

describe('the manual clock', () => {
  clockContract(runner, async () => {
    const clock = createManualClock('2030-01-31T12:00:00.250Z')
    let referenceMs = Date.parse('2030-01-31T12:00:00.250Z')
    return {
      clock,
      referenceMs: () => referenceMs,
      letTimePass: async () => {
        clock.advance(1)
        referenceMs += 1
      },
      ...realTime,
    }
  })

  test('is set forward and back', () => {
    const clock = createManualClock('2030-01-31T12:00:00Z')
    clock.set('2031-01-01T00:00:00Z')
    expect(clock.nowMs()).toBe(Date.parse('2031-01-01T00:00:00Z'))
    clock.set('2029-01-01T00:00:00Z')
    expect(clock.nowMs()).toBe(Date.parse('2029-01-01T00:00:00Z'))
    clock.advance(-1)
    expect(clock.nowMs()).toBe(Date.parse('2028-12-31T23:59:59.999Z'))
  })

  test('refuses a text that is not a moment', () => {
    expect(() => createManualClock('tomorrow')).toThrow('a moment must be a valid UTC date-time')
    expect(() => createManualClock('2030-01-31T12:00:00Z').set('2030-02-30T00:00:00Z')).toThrow(RangeError)
  })
})

describe('the system clock', () => {
  clockContract(runner, async () => ({
    clock: systemClock,
    referenceMs: Date.now,
    letTimePass: nextMillisecond,
    ...realTime,
  }))
})

async function nextMillisecond(): Promise<void> {
  const startMs = Date.now()
  while (Date.now() === startMs) await new Promise(setImmediate)
}

test('two memory stores share nothing', async () => {
  const [first, second] = [createMemoryStore(), createMemoryStore()]
  expect(await first.insertAuction(sampleAuction())).toBe('inserted')
  expect(await first.claimNextIdBlock('auctions')).toBe(1)
  expect(await second.insertAuction(sampleAuction())).toBe('inserted')
  expect(await second.claimNextIdBlock('auctions')).toBe(1)
})

test('an entry that would leave a gap in its ledger is an error of the caller, and is not stored', async () => {
  const store = createMemoryStore()
  const entry = sampleEntry({ id: 5, sequence: 2 })
  await expect(store.append([entry])).rejects.toThrow(new RangeError('entry 5 would leave a gap before its sequence'))
  expect(await store.findEntries([entry.id])).toEqual([])
})

test('a page ends early only after the maximum number of examined auctions', async () => {
  const store = createMemoryStore()
  for (let id = 1; id <= 2 * maxScannedAuctions + 2; id++) {
    await store.insertAuction(sampleAuction({ id, title: id % 2 === 0 ? 'vase' : 'desk' }))
  }
  expect(await store.listAuctions({ order: 'newest', limit: 10, words: ['vase', 'desk'] })).toMatchObject({
    items: [],
    next: { order: 'newest', id: 4 },
  })
})

test('a page of checkpoints does not cost more the more there are', async () => {
  const { checkpoints } = createMemoryStore()
  const all = Array.from({ length: 50_000 }, (_, index) => ({
    auctionId: sampleAuction({ id: index + 1 }).id,
    name: 'mails',
    sequence: 1,
  }))
  await checkpoints.save(all)
  const startMs = performance.now()
  let listed = 0
  for (let after: (typeof all)[0] | undefined; ; ) {
    const page = await checkpoints.list({ after, limit: 100 })
    if (page.length === 0) break
    listed += page.length
    after = page.at(-1)
  }
  expect(listed).toBe(all.length)
  // The pages take less than 0.1 s, and would take more than 10 s if each one sorted all checkpoints.
  expect(performance.now() - startMs).toBeLessThan(3_000)
})
