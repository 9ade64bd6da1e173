import { describe, expect, test } from 'vitest'
import { toUserId } from '../../src/values/ids.ts'
import { unwrap } from '../../src/values/result.ts'
import {
  buy,
  cancel,
  codeOf,
  createAuction,
  createTestService,
  endTime,
  keyOf,
  ledgerOf,
  newBid,
  noResponse,
  outcomeOf,
  serveAuction,
  storeWith,
  type TestService,
} from '../support/service.ts'

const reason = 'The vase is broken.'
const result = { outcome: 'cancelled', reason }

const keysOf = async (service: TestService, auction: Parameters<typeof ledgerOf>[1]) =>
  (await ledgerOf(service.store, auction)).map(({ requestKey }) => requestKey)

describe('a cancellation', () => {
  test('ends the auction immediately, for all reads and commands', async () => {
    const { service, auction } = await serveAuction()
    const view = unwrap(await cancel(service, auction, reason))
    expect(view).toMatchObject({ auction, status: 'Cancelled', bidCount: 0, result })
    expect(unwrap(await service.readAuction(auction.id))).toStrictEqual({ ...view, sequence: 1 })
    const list = async (status: 'Active' | 'Cancelled') =>
      unwrap(await service.listAuctions({ order: 'newest', limit: 10, status })).items
    expect(await list('Cancelled')).toEqual([{ ...view, sequence: 1 }])
    expect(await list('Active')).toEqual([])
    expect(codeOf(await service.placeBid(newBid(auction, 2, 100)))).toBe('auction-cancelled')
    expect(await ledgerOf(service.store, auction)).toMatchObject([
      { sequence: 1, event: { type: 'cancelled', reason } },
    ])
    service.clock.set('2030-02-07T12:00:02Z')
    expect(await service.closeDue()).toEqual({ closed: 0, left: 0 })
  })

  test('can be repeated, even after the end, and returns the first reason', async () => {
    const { service, auction } = await serveAuction()
    const first = unwrap(await service.cancelAuction({ auctionId: auction.id }))
    expect(first.result).toStrictEqual({ outcome: 'cancelled' })
    const other = createTestService({ store: service.store })
    for (const time of ['2030-01-31T13:00:00Z', endTime]) {
      other.clock.set(time)
      expect(unwrap(await cancel(other, auction, 'Another one.'))).toStrictEqual(first)
    }
    expect(await ledgerOf(service.store, auction)).toHaveLength(1)
    expect(codeOf(await cancel(createTestService(), auction))).toBe('auction-not-found')
  })

  test.each([
    { when: 'before the start', now: '2030-01-31T11:00:00Z' },
    { when: 'in its time', now: '2030-01-31T13:00:00Z' },
    { when: 'at the end', now: endTime },
  ])('is found by processes that have not read it: $when', async ({ now }) => {
    const { service, auction } = await serveAuction({ cancellableUntilEnd: true })
    unwrap(await service.placeBid(newBid(auction, 3, 100)))
    const processes = [1, 2, 3].map(() => createTestService({ store: service.store }))
    // Refused as too low, so that the processes cache the auction.
    for (const process of processes) await process.placeBid(newBid(auction, 2, 1))
    await cancel(service, auction)
    for (const process of processes) process.clock.set(now)
    const [bidder, buyer, owner] = processes as [TestService, TestService, TestService]
    expect(codeOf(await bidder.placeBid(newBid(auction, 2, 105)))).toBe('auction-cancelled')
    expect(codeOf(await buy(buyer, auction))).toBe('auction-cancelled')
    expect(unwrap(await cancel(owner, auction)).status).toBe('Cancelled')
  })

  test('with a key is made once, and its key is valid for this cancellation only', async () => {
    const { service, auction } = await serveAuction()
    const other = await createAuction(service)
    const first = unwrap(await cancel(service, auction, reason, keyOf('k')))
    expect(unwrap(await cancel(service, auction, reason, keyOf('k')))).toStrictEqual(first)
    expect(codeOf(await cancel(service, other, reason, keyOf('k')))).toBe('idempotency-key-reused')
    expect(codeOf(await cancel(service, auction, undefined, keyOf('k')))).toBe('idempotency-key-reused')
    expect(await keysOf(service, auction)).toEqual(['cancel-auction user-2 k'])
    expect(await ledgerOf(service.store, other)).toEqual([])
  })

  test('of a cancelled auction, with a key, changes nothing and is remembered', async () => {
    const { service, auction } = await serveAuction({ ownerId: 1 })
    const first = unwrap(await cancel(service, auction, reason))
    service.clock.set('2030-02-08T12:00:00Z')
    const foreign = { auctionId: auction.id, requesterId: toUserId(2) }
    expect(codeOf(await service.cancelAuction(foreign, keyOf('k')))).toBe('not-the-owner')
    expect(await ledgerOf(service.store, auction)).toHaveLength(1)
    const restarted = createTestService({ store: service.store, clock: service.clock })
    for (const process of [service, service, restarted])
      expect(unwrap(await cancel(process, auction, 'Lost.', keyOf('k')))).toStrictEqual(first)
    expect((await ledgerOf(service.store, auction)).slice(1)).toMatchObject([
      {
        sequence: 2,
        requestKey: 'cancel-auction user-2 k',
        atMs: service.clock.nowMs(),
        event: { type: 'cancelled', reason: 'Lost.' },
        state: { result, atMs: Date.parse('2030-01-31T13:00:00Z') },
      },
    ])
    for (const other of [reason, undefined])
      expect(codeOf(await cancel(service, auction, other, keyOf('k')))).toBe('idempotency-key-reused')
    expect(unwrap(await service.readAuction(auction.id))).toStrictEqual({ ...first, sequence: 2 })
  })

  test('with several keys at once is remembered under each key, with one reason', async () => {
    const { service, auction } = await serveAuction()
    const asked = ['a', 'b', 'b', 'c'].map((key) => cancel(service, auction, `Because of ${key}.`, keyOf(key)))
    for (const cancelled of await Promise.all(asked))
      expect(unwrap(cancelled).result).toEqual({ outcome: 'cancelled', reason: 'Because of a.' })
    expect((await keysOf(service, auction)).map((key) => key?.at(-1))).toEqual(['a', 'b', 'c'])
  })

  test('of an auction that becomes unreadable has an unknown outcome, which its key settles', async () => {
    let isReadable = false
    const store = storeWith((right) => ({
      async findAuction(id) {
        const auction = await right.findAuction(id)
        // The lane’s request comes first.
        if (!isReadable) throw noResponse()
        return auction
      },
    }))
    const auction = await createAuction(createTestService({ store }))
    const service = createTestService({ store, limits: { maxTries: 1 } })
    const ask = () => cancel(service, auction, undefined, keyOf('k'))
    expect(await outcomeOf(ask())).toBe('nothing-changed')
    isReadable = true
    await service.placeBid(newBid(auction, 2, 1)) // Refused as too low, so that the lane caches the auction.
    isReadable = false
    expect(await outcomeOf(ask())).toBe('unknown')
    isReadable = true
    expect(unwrap(await ask()).status).toBe('Cancelled')
  })
})
