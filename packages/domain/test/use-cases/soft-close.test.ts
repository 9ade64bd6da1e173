import { describe, expect, test } from 'vitest'
import type { Auction } from '../../src/auction/auction.ts'
import { isoOf } from '../../src/values/moment.ts'
import { unwrap } from '../../src/values/result.ts'
import { codeOf, createTestService, endTime, newBid, serveAuction, type TestService } from '../support/service.ts'
import { createCountingStore } from '../support/stores.ts'

/** A bid in the last minute moves the end to two minutes after the bid, up to a quarter past. */
const softClose = { windowSeconds: 60, extensionSeconds: 120, latestEndTime: '2030-02-07T12:15:00Z' }
const endMs = Date.parse(endTime)

/** Places a bid at a time relative to the scheduled end, in milliseconds. */
async function bidAt(service: TestService, auction: Auction, afterEndMs: number, amount: number) {
  service.clock.set(isoOf(endMs + afterEndMs))
  return service.placeBid(newBid(auction, 2, amount))
}

const read = async (service: TestService, { id }: Auction) => unwrap(await service.readAuction(id))

describe('a late bid', () => {
  test('is accepted by a process that knows only an earlier end', async () => {
    const { service, auction } = await serveAuction({ softClose })
    const other = createTestService({ store: service.store })
    unwrap(await bidAt(other, auction, -70_000, 100))
    unwrap(await bidAt(service, auction, -1, 105))
    expect(codeOf(await bidAt(other, auction, 1, 110))).toBe('accepted')
    expect(codeOf(await bidAt(other, auction, 15 * 60_000, 500))).toBe('auction-ended')
  })

  test('after the end receives the recorded end, without a store call once that is final', async () => {
    const { store, calls } = createCountingStore()
    const { service, auction } = await serveAuction({ softClose }, { store })
    unwrap(await bidAt(service, auction, -70_000, 100))
    const other = createTestService({ store })
    unwrap(await bidAt(other, auction, -10_000, 105)) // Until 110,000, unknown to the first process.
    calls.length = 0
    const refusal = { refusal: { code: 'auction-ended', endTime: { epochMs: endMs + 110_000 } } }
    expect(await bidAt(service, auction, 15 * 60_000, 110)).toMatchObject(refusal)
    expect(calls).toEqual(['findHeads'])
    await service.closeDue()
    calls.length = 0
    expect(await service.placeBid(newBid(auction, 3, 110))).toMatchObject(refusal)
    expect(calls).toEqual([])
  })
})

describe('closing an auction whose end has moved', () => {
  test('waits for the current end, and no longer', async () => {
    const { service, auction } = await serveAuction({ softClose })
    const closeAt = (iso: string) => {
      service.clock.set(iso)
      return service.closeDue()
    }
    const [none, one] = [0, 1].map((closed) => ({ closed, left: 0 }))
    unwrap(await bidAt(service, auction, -1, 100)) // Until 119,999.
    expect(await closeAt('2030-02-07T12:00:02Z')).toEqual(none)
    expect(service.backlog().closingsDue).toBe(0)
    unwrap(await bidAt(service, auction, 100_000, 105)) // Until 220,000.
    expect(await closeAt('2030-02-07T12:02:01.999Z')).toEqual(none)
    expect(await closeAt('2030-02-07T12:03:41.999Z')).toEqual(none)
    expect(await closeAt('2030-02-07T12:03:42Z')).toEqual(one)
    expect((await read(service, auction)).result).toMatchObject({ outcome: 'sold', winnerId: 2, priceMinor: 105_00 })
  })

  test('starts with a read of its ledger, not with an append that stops those of others', async () => {
    const { store, calls } = createCountingStore()
    const { service, auction } = await serveAuction({ softClose }, { store })
    unwrap(await bidAt(service, auction, -70_000, 100))
    const conflicts: unknown[] = []
    const other = createTestService({ store, observer: { onConflict: (conflict) => conflicts.push(conflict) } })
    unwrap(await bidAt(other, auction, -65_000, 105))
    unwrap(await bidAt(service, auction, -1, 110)) // Until 119,999, unknown to the other.
    other.clock.set('2030-02-07T12:00:02Z')
    calls.length = 0
    expect(await other.closeDue()).toEqual({ closed: 0, left: 0 })
    expect(calls).not.toContain('append')
    expect(conflicts).toEqual([])
    expect((await read(other, auction)).status).toBe('Active')
  })
})
