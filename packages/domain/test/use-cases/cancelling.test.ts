import { describe, expect, test } from 'vitest'
import { toUserId } from '../../src/values/ids.ts'
import { unwrap } from '../../src/values/result.ts'
import { createPlainStore } from '../support/plain-store.ts'
import {
  codeOf,
  createAuction,
  createTestService,
  endTime,
  keyOf,
  ledgerOf,
  newBid,
  noAnswer,
  outcomeOf,
  storeWith,
} from '../support/service.ts'
import { createHeldStore } from '../support/unreliable-store.ts'

const called = { outcome: 'cancelled', reason: 'The vase is broken.' }
const reason = 'The vase is broken.'

describe('a cancellation', () => {
  test('ends the auction immediately, for all reads and commands', async () => {
    const service = createTestService()
    const auction = await createAuction(service)
    const view = unwrap(await service.cancelAuction({ auctionId: auction.id, reason }))
    expect(view).toMatchObject({ auction, status: 'Cancelled', bidCount: 0, result: called })
    expect(unwrap(await service.readAuction(auction.id))).toStrictEqual({ ...view, sequence: 1 })
    expect(unwrap(await service.listAuctions({ order: 'newest', limit: 10, status: 'Cancelled' })).items).toEqual([
      { ...view, sequence: 1 },
    ])
    expect(unwrap(await service.listAuctions({ order: 'newest', limit: 10, status: 'Active' })).items).toEqual([])
    expect(codeOf(await service.placeBid(newBid(auction, 2, 100)))).toBe('auction-cancelled')
    expect(codeOf(await service.buyNow({ auctionId: auction.id, buyerId: toUserId(2) }))).toBe('auction-cancelled')
    expect(await ledgerOf(service.store, auction)).toMatchObject([
      { sequence: 1, event: { type: 'cancelled', reason } },
    ])
  })

  test('does not require a reason', async () => {
    const service = createTestService()
    const auction = await createAuction(service)
    const view = unwrap(await service.cancelAuction({ auctionId: auction.id }))
    expect(view.result).toStrictEqual({ outcome: 'cancelled' })
  })

  test('is accepted before the start', async () => {
    const service = createTestService()
    const auction = await createAuction(service)
    service.clock.set('2030-01-31T11:00:00Z')
    expect(unwrap(await service.cancelAuction({ auctionId: auction.id })).status).toBe('Cancelled')
    expect(codeOf(await service.placeBid(newBid(auction, 2, 100)))).toBe('auction-cancelled')
    service.clock.set('2030-01-31T13:00:00Z')
    expect(codeOf(await service.placeBid(newBid(auction, 2, 100)))).toBe('auction-cancelled')
  })

  test('can be repeated, even after the end, and returns the first reason', async () => {
    const service = createTestService()
    const auction = await createAuction(service)
    const first = unwrap(await service.cancelAuction({ auctionId: auction.id, reason }))
    const other = createTestService({ store: service.store })
    for (const time of ['2030-01-31T13:00:00Z', endTime]) {
      other.clock.set(time)
      expect(unwrap(await other.cancelAuction({ auctionId: auction.id, reason: 'Another one.' }))).toStrictEqual(first)
    }
    expect(await ledgerOf(service.store, auction)).toHaveLength(1)
  })

  test('is found by a process that has not read it', async () => {
    const service = createTestService()
    const auction = await createAuction(service, { cancellableUntilEnd: true })
    const other = createTestService({ store: service.store })
    await other.placeBid(newBid(auction, 2, 100))
    await service.cancelAuction({ auctionId: auction.id })
    expect(codeOf(await other.placeBid(newBid(auction, 3, 105)))).toBe('auction-cancelled')
    other.clock.set(endTime)
    expect(unwrap(await other.cancelAuction({ auctionId: auction.id })).status).toBe('Cancelled')
  })

  // A refusal that follows from the terms and the clock is final, so it is returned without reading the ledger.
  const softClose = { windowSeconds: 60, extensionSeconds: 60, latestEndTime: '2030-02-07T13:00:00Z' }
  test.each([
    ['before the start', {}, '2030-01-31T11:00:00Z', 'auction-not-started'],
    ['before the start, with a price to buy at', { buyNowPrice: 200 }, '2030-01-31T11:00:00Z', 'auction-not-started'],
    ['in its time', {}, '2030-01-31T13:00:00Z', 'auction-cancelled'],
    ['at the end', {}, endTime, 'auction-ended'],
    ['at the end, with a price to buy at', { buyNowPrice: 200 }, endTime, 'auction-cancelled'],
    ['past the latest end of a soft close', { softClose }, '2030-02-07T14:00:00Z', 'auction-cancelled'],
  ])('is reported by a process that has not read it according to its clock: %s', async (_, sample, now, code) => {
    const service = createTestService()
    const auction = await createAuction(service, sample)
    const others = {
      bid: createTestService({ store: service.store }),
      purchase: createTestService({ store: service.store }),
    }
    for (const other of Object.values(others)) await other.placeBid(newBid(auction, 2, 1)) // Refused as too low, so that the process caches the auction.
    await service.cancelAuction({ auctionId: auction.id })
    const buy = { auctionId: auction.id, buyerId: toUserId(2) }
    for (const ask of ['bid', 'purchase'] as const) {
      const other = others[ask]
      other.clock.set(now)
      expect(codeOf(ask === 'bid' ? await other.placeBid(newBid(auction, 2, 100)) : await other.buyNow(buy))).toBe(code)
    }
    expect(await ledgerOf(service.store, auction)).toMatchObject([{ event: { type: 'cancelled' } }])
  })

  test.each([
    ['cancelled', 'auction-cancelled'],
    ['bought', 'auction-ended'],
  ])(
    'or a purchase elsewhere does not change the refusal of the owner, until the process learns that the auction is %s',
    async (end, code) => {
      const service = createTestService()
      const auction = await createAuction(service, { ownerId: 1, buyNowPrice: 200 })
      const other = createTestService({ store: service.store })
      const buy = (buyerId: number) => ({ auctionId: auction.id, buyerId: toUserId(buyerId) })
      const codes = async () => [
        codeOf(await other.placeBid(newBid(auction, 1, 100))),
        codeOf(await other.buyNow(buy(1))),
      ]
      const owners = ['owner-cannot-bid', 'owner-cannot-buy']
      expect(await codes()).toEqual(owners)
      if (end === 'bought') unwrap(await service.buyNow(buy(2)))
      else unwrap(await service.cancelAuction({ auctionId: auction.id }))
      expect(await codes()).toEqual(owners)
      expect(codeOf(await other.placeBid(newBid(auction, 2, 100)))).toBe(code)
      expect(await codes()).toEqual([code, code])
    },
  )

  test.each([
    ['with a bid', {}, true, '2030-01-31T13:00:00Z', 'auction-has-bids'],
    ['with a bid, where that is allowed', { cancellableUntilEnd: true }, true, '2030-01-31T13:00:00Z', 'accepted'],
    [
      'with a bid, where that is explicitly not allowed',
      { cancellableUntilEnd: false },
      true,
      '2030-01-31T13:00:00Z',
      'auction-has-bids',
    ],
    ['a millisecond before the end', {}, false, '2030-02-07T11:59:59.999Z', 'accepted'],
    ['at the end', {}, false, endTime, 'auction-ended'],
    ['at the end, where bids are no hindrance', { cancellableUntilEnd: true }, true, endTime, 'auction-ended'],
  ])('is accepted or refused %s', async (_, sample, hasBid, now, code) => {
    const service = createTestService()
    const auction = await createAuction(service, sample)
    if (hasBid) await service.placeBid(newBid(auction, 2, 100))
    service.clock.set(now)
    expect(codeOf(await service.cancelAuction({ auctionId: auction.id }))).toBe(code)
  })

  test('is accepted only from the owner, if a requester is given', async () => {
    const service = createTestService()
    const auction = await createAuction(service, { ownerId: 1 })
    const ask = (id: number) => service.cancelAuction({ auctionId: auction.id, requesterId: toUserId(id) })
    expect(codeOf(await ask(2))).toBe('not-the-owner')
    expect(codeOf(await ask(1))).toBe('accepted')
    expect(codeOf(await ask(2))).toBe('not-the-owner')
  })

  test('is forced with a reason, if the caller may, and its repeat with the key returns it again', async () => {
    const service = createTestService()
    const auction = await createAuction(service, { ownerId: 1 })
    await service.placeBid(newBid(auction, 2, 100))
    const ask = (mayForce: boolean, given?: string) =>
      service.cancelAuction(
        { auctionId: auction.id, requesterId: toUserId(9), mayForce, ...(given !== undefined && { reason: given }) },
        keyOf('k'),
      )
    expect(codeOf(await ask(false, reason))).toBe('not-the-owner')
    expect(await ask(true)).toMatchObject({ ok: false, refusal: { code: 'not-the-owner', needsReason: true } })
    const first = unwrap(await ask(true, reason))
    expect(first).toMatchObject({ status: 'Cancelled', bidCount: 1, result: called })
    expect(await ask(true, reason)).toStrictEqual({ ok: true, value: first, isRepeated: true })
    expect(codeOf(await ask(true, 'Another.'))).toBe('idempotency-key-reused')
    const [entry, ...others] = (await ledgerOf(service.store, auction)).slice(1)
    expect(entry?.event).toStrictEqual({ type: 'cancelled', reason, isForced: true })
    expect(others).toEqual([])
  })

  test('is refused for an auction that does not exist', async () => {
    const service = createTestService()
    const auction = await createAuction(service)
    expect(codeOf(await createTestService().cancelAuction({ auctionId: auction.id }))).toBe('auction-not-found')
  })

  test('fences: a bid decided earlier is never recorded after it', async () => {
    const right = createPlainStore()
    const auction = await createAuction(createTestService({ store: right }))
    const held = createHeldStore(right)
    const slow = createTestService({ store: held })
    const placed = slow.placeBid(newBid(auction, 2, 100))
    const append = await held.nextAppend()
    const service = createTestService({ store: right })
    await service.cancelAuction({ auctionId: auction.id })
    await append.release()
    expect(codeOf(await placed)).toBe('auction-cancelled')
    expect((await ledgerOf(right, auction)).map(({ event }) => event.type)).toEqual(['cancelled'])
  })

  test('is not followed by closing', async () => {
    const service = createTestService()
    const auction = await createAuction(service)
    await service.cancelAuction({ auctionId: auction.id, reason })
    service.clock.set('2030-02-07T12:00:02Z')
    expect(await service.closeDue()).toEqual({ closed: 0, left: 0 })
    expect(unwrap(await service.readAuction(auction.id))).toMatchObject({ status: 'Cancelled', result: called })
  })

  test('with a key is made once, and its key is valid for this cancellation only', async () => {
    const service = createTestService()
    const auction = await createAuction(service)
    const other = await createAuction(service)
    const first = unwrap(await service.cancelAuction({ auctionId: auction.id, reason }, keyOf('k')))
    const again = await service.cancelAuction({ auctionId: auction.id, reason }, keyOf('k'))
    expect(unwrap(again)).toStrictEqual(first)
    const code = async (auctionId: typeof auction.id, newReason?: string) =>
      codeOf(await service.cancelAuction({ auctionId, ...(newReason && { reason: newReason }) }, keyOf('k')))
    expect(await code(other.id, reason)).toBe('idempotency-key-reused')
    expect(await code(auction.id)).toBe('idempotency-key-reused')
    expect((await ledgerOf(service.store, auction)).map(({ requestKey }) => requestKey)).toEqual([
      'cancel-auction user-2 k',
    ])
    expect(await ledgerOf(service.store, other)).toEqual([])
  })

  test('of a cancelled auction, with a key, changes nothing and is remembered', async () => {
    const service = createTestService()
    const [auction, other] = [await createAuction(service, { ownerId: 1 }), await createAuction(service)]
    const first = unwrap(await service.cancelAuction({ auctionId: auction.id, reason }))
    const ask = (auctionId: typeof auction.id, newReason?: string, requester?: number) =>
      service.cancelAuction(
        {
          auctionId,
          ...(newReason !== undefined && { reason: newReason }),
          ...(requester !== undefined && { requesterId: toUserId(requester) }),
        },
        keyOf('k'),
      )
    service.clock.set('2030-02-08T12:00:00Z')
    expect(codeOf(await ask(auction.id, 'Lost.', 2))).toBe('not-the-owner')
    expect(await ledgerOf(service.store, auction)).toHaveLength(1)
    const restarted = createTestService({ store: service.store, clock: service.clock })
    for (const process of [service, service, restarted]) {
      expect(unwrap(await process.cancelAuction({ auctionId: auction.id, reason: 'Lost.' }, keyOf('k')))).toStrictEqual(
        first,
      )
    }
    expect(await ledgerOf(service.store, auction)).toMatchObject([
      { sequence: 1, event: { type: 'cancelled', reason } },
      {
        sequence: 2,
        requestKey: 'cancel-auction user-2 k',
        atMs: service.clock.nowMs(),
        event: { type: 'cancelled', reason: 'Lost.' },
        state: { result: called, atMs: Date.parse('2030-01-31T13:00:00Z') },
      },
    ])
    expect(codeOf(await ask(other.id, 'Lost.'))).toBe('idempotency-key-reused')
    expect(codeOf(await ask(auction.id, reason))).toBe('idempotency-key-reused')
    expect(codeOf(await ask(auction.id))).toBe('idempotency-key-reused')
    expect(unwrap(await service.readAuction(auction.id))).toStrictEqual({ ...first, sequence: 2 })
    expect(await ledgerOf(service.store, other)).toEqual([])
  })

  test('of a cancelled auction, without a key, stores nothing', async () => {
    const service = createTestService()
    const auction = await createAuction(service)
    for (const key of ['a', 'b']) unwrap(await service.cancelAuction({ auctionId: auction.id }, keyOf(key)))
    for (let count = 0; count < 3; count++) unwrap(await service.cancelAuction({ auctionId: auction.id }))
    const keys = (await ledgerOf(service.store, auction)).map(({ requestKey }) => requestKey)
    expect(keys).toEqual(['cancel-auction user-2 a', 'cancel-auction user-2 b'])
  })

  test('with several keys at once is remembered under each key, with one reason', async () => {
    const service = createTestService()
    const auction = await createAuction(service)
    const asked = ['a', 'b', 'b', 'c'].map((key) =>
      service.cancelAuction({ auctionId: auction.id, reason: `Because of ${key}.` }, keyOf(key)),
    )
    const views = (await Promise.all(asked)).map(unwrap)
    expect(new Set(views.map(({ result }) => JSON.stringify(result))).size).toBe(1)
    const ledger = await ledgerOf(service.store, auction)
    expect(ledger.map(({ requestKey }) => requestKey?.at(-1))).toEqual(['a', 'b', 'c'])
    expect(views[0]?.result).toEqual({ outcome: 'cancelled', reason: 'Because of a.' })
  })

  test('keeps bids readable, however often it is repeated', async () => {
    const service = createTestService()
    const auction = await createAuction(service, { cancellableUntilEnd: true })
    for (const amount of [100, 105, 110]) await service.placeBid(newBid(auction, 2, amount))
    for (let key = 0; key < 40; key++) unwrap(await service.cancelAuction({ auctionId: auction.id }, keyOf(`${key}`)))
    for (const limit of [1, 2, 100]) {
      const seen: number[] = []
      let page = unwrap(await service.listBids(auction.id, { limit }))
      for (let pages = 0; ; pages++) {
        seen.push(...page.items.map(({ amountMinor }) => amountMinor / 100))
        if (page.next === undefined || pages > 40) break
        page = unwrap(await service.listBids(auction.id, { limit, before: page.next }))
      }
      expect(seen).toEqual([110, 105, 100])
    }
  })

  test('of an auction that becomes unreadable has an unknown outcome, which its key settles', async () => {
    let isReadable = false
    const store = storeWith((right) => ({
      async findAuction(id) {
        const auction = await right.findAuction(id)
        // The lane’s request comes first.
        if (!isReadable) throw noAnswer()
        return auction
      },
    }))
    const service = createTestService({ store, limits: { maxTries: 1 } })
    const auction = await createAuction(createTestService({ store }))
    expect(await outcomeOf(service.cancelAuction({ auctionId: auction.id }, keyOf('k')))).toBe('nothing-changed')
    isReadable = true
    await service.placeBid(newBid({ id: auction.id }, 2, 1)) // Refused as too low, so that the lane caches the auction.
    isReadable = false
    expect(await outcomeOf(service.cancelAuction({ auctionId: auction.id }, keyOf('k')))).toBe('unknown')
    isReadable = true
    expect(unwrap(await service.cancelAuction({ auctionId: auction.id }, keyOf('k'))).status).toBe('Cancelled')
  })
})
