import { auctionStoreContract } from '@auction/domain/testing/auction-store-contract'
import { clockContract } from '@auction/domain/testing/clock-contract'
import { idSourceContract } from '@auction/domain/testing/id-source-contract'
import { idempotencyStoreContract } from '@auction/domain/testing/idempotency-store-contract'
import { ledgerContract } from '@auction/domain/testing/ledger-contract'
import { describe, expect, test } from 'vitest'
import { manualClock } from '../../src/memory/manual-clock.ts'
import { memoryStore } from '../../src/memory/memory-store.ts'
import { systemClock } from '../../src/system/system-clock.ts'

const runner = { describe, test, expect }

describe('in memory', () => {
  auctionStoreContract(runner, async () => ({ store: memoryStore().auctions }))
  ledgerContract(runner, async () => ({ store: memoryStore().ledger }))
  idempotencyStoreContract(runner, async () => ({ store: memoryStore().idempotencyKeys }))
  idSourceContract(runner, async () => ({ ids: memoryStore().auctionIds }))
  idSourceContract(runner, async () => ({ ids: memoryStore().bidIds }))
})

describe('the manual clock', () => {
  clockContract(runner, async () => {
    const clock = manualClock('2030-01-31T12:00:00.250Z')
    let referenceMs = Date.parse('2030-01-31T12:00:00.250Z')
    return {
      clock,
      referenceMs: () => referenceMs,
      letTimePass: async () => {
        clock.advance(1)
        referenceMs += 1
      },
    }
  })

  test('is set forward and back', () => {
    const clock = manualClock('2030-01-31T12:00:00Z')
    clock.set('2031-01-01T00:00:00Z')
    expect(clock.nowMs()).toBe(Date.parse('2031-01-01T00:00:00Z'))
    clock.set('2029-01-01T00:00:00Z')
    expect(clock.nowMs()).toBe(Date.parse('2029-01-01T00:00:00Z'))
    clock.advance(-1)
    expect(clock.nowMs()).toBe(Date.parse('2028-12-31T23:59:59.999Z'))
  })

  test('refuses what is no moment', () => {
    expect(() => manualClock('tomorrow')).toThrow(RangeError)
    expect(() => manualClock('2030-01-31T12:00:00Z').set('2030-02-30T00:00:00Z')).toThrow(RangeError)
  })
})

describe('the system clock', () => {
  clockContract(runner, async () => ({ clock: systemClock, referenceMs: Date.now, letTimePass: nextMillisecond }))
})

async function nextMillisecond(): Promise<void> {
  const startMs = Date.now()
  while (Date.now() === startMs) await new Promise(setImmediate)
}

test('two memory stores share nothing', async () => {
  const [first, second] = [memoryStore(), memoryStore()]
  expect(await first.auctionIds.next()).toBe(1)
  expect(await first.auctionIds.next()).toBe(2)
  expect(await second.auctionIds.next()).toBe(1)
})
